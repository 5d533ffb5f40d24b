import express from 'express';
import { lockable, type EntityRef, type LiveLock, type Principal } from '../../core/index.ts';
import { memoryBackend } from '../../server/index.ts';
import { startNode, type RowlockNode } from '../support/rowlock-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { TEST_TENANT, tokenFor } from '../support/test-tokens.ts';

export const ENTITY_TYPE = 'ApprovalRequest';

export const person = (oid: string): Principal => ({
  tenant: TEST_TENANT,
  oid,
  name: oid === 'ben' ? 'Ben Okafor' : 'Anna Berger',
  kind: 'user',
});
export const record = (entityUid: string): EntityRef => ({ entityType: ENTITY_TYPE, entityUid });

/** A real server with the built apps, each at a folder of its own, and what htmx asks for. */
export interface AppServer extends RowlockNode {
  /** The lock of a record as the server has it now. */
  lockOf(uid: string): Promise<LiveLock | undefined>;
}

export async function startAppServer(apps: Readonly<Record<string, string>>): Promise<AppServer> {
  const node = await startNode({
    backend: memoryBackend({ log: silentLog }),
    types: [lockable(ENTITY_TYPE)],
    routes: (app) => {
      app.get('/token/:oid', async ({ params }, response) => {
        const { oid, name } = person(params.oid);
        response.type('text').send(await tokenFor({ oid, name }));
      });
      app.get('/favicon.ico', (_, response) => void response.status(204).end());
      app.get('/htmx/rows', ({ query }, response) => {
        const uids = typeof query['uids'] === 'string' ? query['uids'].split(',') : [];
        const rows = (query['reversed'] === undefined ? uids : uids.reverse()).map(rowOf);
        response.type('html').send(rows.join(''));
      });
      app.get('/htmx/form', ({ query }, response) => {
        const uid = query['uid'] ?? query['open'];
        const isOpen = query['close'] === undefined && typeof uid === 'string';
        response.type('html').send(isOpen ? formOf(uid, query['keep'] === undefined) : '');
      });
      for (const [name, folder] of Object.entries(apps)) app.use(`/${name}`, express.static(folder));
    },
  });
  return {
    ...node,
    async lockOf(uid) {
      const { locks } = await node.rowlock.service.read(person('ben'), record(uid));
      return locks[0];
    },
  };
}

function rowOf(uid: string): string {
  return `<tr data-testid="row-${uid}">
    <td><button data-testid="open-${uid}" hx-get="/htmx/form?uid=${uid}" hx-target="#form">${uid}</button></td>
    <td><locked-by-cell entity-type="${ENTITY_TYPE}" entity-uid="${uid}"></locked-by-cell></td>
  </tr>`;
}

function formOf(uid: string, releasesOnLeave: boolean): string {
  return `<lock-guard entity-type="${ENTITY_TYPE}" entity-uid="${uid}" release-on-leave="${releasesOnLeave}"
      hx-on:lock-acquired="note('acquired ' + event.ref.entityUid)"
      hx-on:lock-held="note('held ' + event.lock.holderName)"
      hx-on:lock-lost="note('lost ' + typedNote(event))"
      hx-on:lock-released="note('released')">
    <form onsubmit="return false"><input name="note" data-testid="note"><button>Approve</button></form>
  </lock-guard>`;
}
