import { expect } from '@open-wc/testing';
import { http, HttpResponse } from 'msw';
import { runConformance } from '../../../conformance/index.ts';
import { guardMockWrite } from '../../../mocks/index.ts';
import { ANNA, BEN, EVE, MockedPage } from './mocked-page.ts';

const ROBOT = { token: 'robot-1', tenant: 'acme', oid: 'robot', name: 'Robot', kind: 'automation' } as const;

describe('the conformance checks on the mock backend', () => {
  let page: MockedPage;
  afterEach(() => page.stop());

  it('all pass, and nothing is lacking', async function () {
    this.timeout(30_000);
    page = await MockedPage.start(
      { users: [ANNA, BEN, EVE, ROBOT] },
      {
        extraHandlers: [
          http.put('/orders/:uid', async ({ request, params }) => {
            const uid = String(params['uid']);
            const { problem, afterWrite } = await guardMockWrite(page.backend, request, {
              type: 'Order',
              uid,
            });
            if (problem !== null) return problem;
            await afterWrite();
            return HttpResponse.json({});
          }),
        ],
      },
    );
    const { results, lacks } = await runConformance({
      api: `${location.origin}/api`,
      hub: `${location.origin}/hubs/entity-changes`,
      entityType: 'Order',
      otherType: 'Invoice',
      tokens: { user: ANNA.token, other: BEN.token, otherTenant: EVE.token, automation: ROBOT.token },
      write: { url: `${location.origin}/orders/{uid}` },
      isStrict: true,
    });
    expect(lacks).to.deep.equal({});
    expect(results.filter(({ outcome }) => outcome !== 'passed')).to.deep.equal([]);
  });
});
