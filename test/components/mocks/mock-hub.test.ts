import { expect } from '@open-wc/testing';
import { HubConnectionState } from '@microsoft/signalr';
import type { MockUser } from '../../../mocks/index.ts';
import { ANNA, BEN, EVE, MockedPage, type HubClient } from './mocked-page.ts';

describe('the mocked hub in a page', () => {
  let page: MockedPage;
  let laterMs: number;
  beforeEach(async () => {
    laterMs = 0;
    page = await MockedPage.start({ now: () => Date.now() + laterMs });
  });
  afterEach(() => page.stop());

  const claim = () => page.call(ANNA, 'POST', '/locks/Order/1/claim', { sessionId: 's1' });
  const closed = ({ connection }: HubClient) =>
    new Promise<Error | undefined>((resolve) => connection.onclose(resolve));
  const reconnecting = ({ connection }: HubClient) =>
    new Promise<Error | undefined>((resolve) => connection.onreconnecting(resolve));
  const reconnected = ({ connection }: HubClient) =>
    new Promise<void>((resolve) => connection.onreconnected(() => resolve()));

  it('tells everybody of the tenant about each step, the one who took it too', async () => {
    const [anna, ben] = await Promise.all([page.connect(ANNA), page.connect(BEN)]);
    await claim();
    for (const { heard } of [anna, ben]) {
      const change = await heard('Acquired');
      expect(change).to.deep.include({ entityType: 'Order', entityUid: '1' });
      expect(change).to.have.nested.property('lock.holderName', 'Anna');
    }
    await page.call(ANNA, 'DELETE', '/locks/Order/1?sessionId=s1');
    expect(await ben.heard('Released')).to.have.nested.property('lock.expiresInMs', 0);
  });

  it('keeps the tenants apart, whoever is on the page', async () => {
    const [ben, eve] = await Promise.all([page.connect(BEN), page.connect(EVE)]);
    await claim();
    await ben.heard('Acquired');
    await page.backend.publish('umbrella', { entityType: 'Order', entityUid: '9', operation: 'Updated' });
    await eve.heard('Updated');
    expect(eve.changes.map(({ operation }) => operation)).to.deep.equal(['Updated']);
    expect(ben.changes.map(({ operation }) => operation)).to.deep.equal(['Acquired']);
  });

  it('narrows what a connection hears to the types it subscribed to', async () => {
    const ben = await page.connect(BEN);
    await ben.connection.invoke('Subscribe', ['Invoice']);
    await claim();
    await page.call(ANNA, 'POST', '/locks/Invoice/7/claim', {});
    await ben.heard('Acquired');
    expect(ben.changes.map(({ entityType }) => entityType)).to.deep.equal(['Invoice']);
  });

  it('answers a call of an unknown method with the vendor’s words', async () => {
    const { connection } = await page.connect(BEN);
    const error: unknown = await connection.invoke('Delete', 1).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('HubException: Method does not exist.');
    expect(connection.state).to.equal(HubConnectionState.Connected);
  });

  it('refuses a connection without a known token', async () => {
    const { connection } = page.client({ token: 'wrong' });
    const error: unknown = await connection.start().catch((reason: unknown) => reason);
    expect(String(error)).to.contain("Unauthorized: Status code '401'");
  });

  it('answers below a sub-path and at another origin', async () => {
    for (const base of ['/app', 'https://api.example.test']) {
      const { connection } = await page.connect(ANNA, `${base}/hubs/entity-changes`);
      expect(connection.state, base).to.equal(HubConnectionState.Connected);
    }
  });

  const negotiate = async (user: MockUser) => {
    const response = await fetch('/hubs/entity-changes/negotiate?negotiateVersion=1', {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}` },
    });
    return ((await response.json()) as { connectionToken: string }).connectionToken;
  };
  /** Opens a bare socket. Answers how that went: `open`, or the code it was closed with. */
  const openSocket = async (query: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(query);
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/hubs/entity-changes?${search}`);
    const outcome = await new Promise<number | 'open'>((resolve) => {
      socket.onclose = ({ code }) => resolve(code);
      socket.onopen = () => resolve('open');
    });
    return { socket, outcome };
  };

  it('opens no socket for an id that it did not give out, or gave to somebody else', async () => {
    const id = await negotiate(ANNA);
    const outcomes = [
      await openSocket({ id: 'made-up', access_token: ANNA.token }),
      await openSocket({ id, access_token: BEN.token }),
      await openSocket({ id, access_token: 'wrong' }),
      await openSocket({ id }),
      await openSocket({ id, access_token: ANNA.token }),
      await openSocket({ id, access_token: ANNA.token }), // an id opens one socket
    ].map(({ outcome }) => outcome);
    expect(outcomes).to.deep.equal([1006, 1006, 1006, 1006, 'open', 1006]);
  });

  it('forgets an id that nobody opened within fifteen seconds', async () => {
    const [early, late] = [await negotiate(ANNA), await negotiate(ANNA)];
    laterMs = 14_000;
    expect((await openSocket({ id: early, access_token: ANNA.token })).outcome).to.equal('open');
    laterMs = 16_000;
    expect((await openSocket({ id: late, access_token: ANNA.token })).outcome).to.equal(1006);
  });

  it('needs no id from a client that skips the negotiation', async () => {
    expect((await openSocket({ access_token: ANNA.token })).outcome).to.equal('open');
    expect((await openSocket({})).outcome).to.equal(1006);
  });

  it('forgets a client whose socket is gone without a goodbye', async () => {
    const { socket } = await openSocket({ access_token: ANNA.token });
    expect(page.backend.hub.hub.connectionCount).to.equal(1);
    const gone = new Promise((resolve) => socket.addEventListener('close', resolve));
    socket.close();
    await gone;
    expect(page.backend.hub.hub.connectionCount).to.equal(0);
  });

  it('closes a socket that speaks binary, which was not offered', async () => {
    const { socket } = await openSocket({ access_token: ANNA.token });
    const code = new Promise((resolve) => socket.addEventListener('close', (event) => resolve(event.code)));
    socket.send(new Uint8Array([1]));
    expect(await code).to.equal(1003);
  });

  it('brings clients back after a close that allows it', async () => {
    const ben = await page.connect(BEN);
    const again = reconnected(ben);
    page.backend.dropConnections({ allowReconnect: true });
    await again;
    await claim();
    await ben.heard('Acquired');
    expect(page.backend.hub.hub.connectionCount).to.equal(1);
  });

  it('sends clients away for good with a close that does not allow it', async () => {
    const ben = await page.connect(BEN);
    const end = closed(ben);
    page.backend.dropConnections({ allowReconnect: false });
    expect(await end).to.equal(undefined);
    expect(ben.connection.state).to.equal(HubConnectionState.Disconnected);
    expect(page.backend.hub.hub.connectionCount).to.equal(0);
  });

  it('sends a user away for good, and nobody else, when the feed says so', async () => {
    const [anna, ben] = await Promise.all([page.connect(ANNA), page.connect(BEN)]);
    const end = closed(ben);
    await page.backend.feed.disconnectUser(BEN.tenant, BEN.oid);
    expect(await end).to.equal(undefined);
    await claim();
    await anna.heard('Acquired');
    expect(page.backend.hub.hub.connectionCount).to.equal(1);
  });

  it('sends a burst of changes whole and in order', async () => {
    const ben = await page.connect(BEN);
    const uids = Array.from({ length: 50 }, (_, at) => String(at));
    const publish = (entityUid: string, operation: string) =>
      page.backend.publish('acme', { entityType: 'Order', entityUid, operation });
    await Promise.all([...uids.map((uid) => publish(uid, 'Updated')), publish('last', 'Deleted')]);
    await ben.heard('Deleted');
    expect(ben.changes.map(({ entityUid }) => entityUid)).to.deep.equal([...uids, 'last']);
  });

  it('breaks connections without a word while the hub is down, and the API goes on', async () => {
    const ben = await page.connect(BEN);
    const lost = reconnecting(ben);
    const end = closed(ben);
    page.backend.setFailure('hub-down');
    expect(String(await lost)).to.contain('1006');
    await end; // both tries of this client's policy met a 503
    expect((await claim()).body['outcome']).to.equal('acquired');
    page.backend.setFailure(null);
    await ben.connection.start();
    await page.call(ANNA, 'POST', '/locks/Order/1/renew', { sessionId: 's1' });
    await ben.heard('Renewed');
    expect(ben.changes).to.have.length(1);
  });

  it('forgets a client that leaves', async () => {
    const { connection } = await page.connect(BEN);
    expect(page.backend.hub.hub.connectionCount).to.equal(1);
    await connection.stop();
    // The mock hears of it as a server does: from the socket, some moment later.
    await page.connect(ANNA);
    expect(page.backend.hub.hub.connectionCount).to.equal(1);
  });

  it('says goodbye when the backend stops', async () => {
    const ben = await page.connect(BEN);
    const end = closed(ben);
    page.backend.stop();
    page.backend.stop();
    expect(await end).to.equal(undefined);
  });
});
