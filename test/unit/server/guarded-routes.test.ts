import express, { Router } from 'express';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lockable } from '../../../core/index.ts';
import { createRowlock, memoryBackend } from '../../../server/index.ts';
import { RecordedLog } from '../core/recorded-log.ts';

const PERSON = { tenant: 'acme', oid: 'anna', name: 'Anna', kind: 'user' } as const;

function rowlockFor(...types: readonly string[]) {
  const log = new RecordedLog();
  const quiet = new RecordedLog();
  const options = { types: types.map((type) => lockable(type)), backend: memoryBackend({ log: quiet }), log };
  return { log, rowlock: createRowlock({ ...options, identify: () => Promise.resolve(PERSON) }) };
}
const uid = () => '1';
const handle = () => {};

describe('unguardedTypes', () => {
  it('has what no guard was made for and no write was checked of', async () => {
    const { rowlock } = rowlockFor('A', 'B', 'C', 'D', 'E');
    rowlock.guardWrites({ type: 'A', uid });
    rowlock.guardBulkWrites({ type: 'B', rows: () => [] });
    await rowlock.checkWrite(PERSON, { entityType: 'C', entityUid: '1' });
    await rowlock.checkWrites(PERSON, 'D', ['1']);
    assert.deepEqual(rowlock.unguardedTypes(), ['E']);
  });

  it('is empty where a generic route guards whatever type it is given', () => {
    const { rowlock } = rowlockFor('A', 'B');
    rowlock.guardWrites({ type: (request) => request.params['type'], uid });
    assert.deepEqual(rowlock.unguardedTypes(), []);
  });

  it('is warned of at the start, once, unless all is guarded, it is production or the application says so', async () => {
    const inProduction = async (node: string | undefined, warnOfUnguardedTypes?: boolean) => {
      const before = process.env['NODE_ENV'];
      if (node === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = node;
      try {
        const log = new RecordedLog();
        const rowlock = createRowlock({
          types: [lockable('A'), lockable('B')],
          identify: () => Promise.resolve(PERSON),
          backend: memoryBackend({ log: new RecordedLog() }),
          log,
          ...(warnOfUnguardedTypes === undefined ? {} : { warnOfUnguardedTypes }),
        });
        rowlock.guardWrites({ type: 'A', uid });
        await rowlock.start();
        return log.lines.map(({ level }) => level);
      } finally {
        if (before === undefined) delete process.env['NODE_ENV'];
        else process.env['NODE_ENV'] = before;
      }
    };
    assert.deepEqual(await inProduction(undefined), ['warn']);
    assert.deepEqual(await inProduction('development'), ['warn']);
    assert.deepEqual(await inProduction('production'), []);
    assert.deepEqual(await inProduction('production', true), ['warn']);
    assert.deepEqual(await inProduction(undefined, false), []);
  });
});

describe('unguardedRoutes', () => {
  const { rowlock } = rowlockFor('A');
  const guard = rowlock.guardWrites({ type: 'A', uid });

  it('has every writing route without a guard before its handler, and no reading one (F30)', () => {
    const app = express()
      .use('/api', rowlock.router)
      .get('/a', handle)
      .put('/a/:id', guard, handle)
      .patch('/a/:id', handle)
      .post('/a/:id/approve', handle, guard)
      .delete('/a/:id', express.json(), guard, handle)
      .post('/login', handle);
    app.all('/any', handle);
    app.route('/all').all(handle);
    app.route('/guarded').all(guard).post(handle);
    app.route('/both').put(guard, handle).post(handle);
    assert.deepEqual(rowlock.unguardedRoutes(app), [
      'PATCH /a/:id',
      'POST /a/:id/approve',
      'POST /login',
      'POST /any',
      'PUT /any',
      'PATCH /any',
      'DELETE /any',
      'POST /all',
      'PUT /all',
      'PATCH /all',
      'DELETE /all',
      'POST /both',
    ]);
  });

  it('looks into routers, and counts a guard that is in front of them', () => {
    const inner = () => Router().put('/:id', handle);
    const app = express().use('/before', inner()).use(guard).use('/behind', inner());
    assert.deepEqual(rowlock.unguardedRoutes(app), ['PUT …/:id']);
  });

  it('is empty for an application without routes', () => {
    assert.deepEqual(rowlock.unguardedRoutes(express()), []);
  });
});
