import { configure, createLockClient, type LockLostEvent } from 'rowlock';
import 'rowlock/define';

configure({ api: '/api', getToken: async () => 'token' });
// @ts-expect-error -- a number is no URL
configure({ api: 5 });

const guard = document.createElement('lock-guard');
guard.claim = 'edit';
// @ts-expect-error -- there is no such time to claim
guard.claim = 'never';
// @ts-expect-error -- read only
guard.state = 'mine';
// @ts-expect-error -- not for applications
guard.view;
const state: 'mine' | 'held' | string = document.querySelector('lock-guard')?.state ?? '';
// @ts-expect-error -- a uid is a text
document.querySelector('locked-by-cell')?.entityUid.toFixed();

guard.addEventListener('lock-lost', (event) => keep(event));
document.addEventListener('lock-lost', (event) => keep(event));
window.addEventListener('lock-acquired', (event) => event.waitUntil(fetch('/record')));
guard.addEventListener('lock-reload', (event) => event.preventDefault());
// @ts-expect-error -- nothing to wait for
guard.addEventListener('lock-held', (event) => event.waitUntil(fetch('/record')));
guard.addEventListener('lock-statechange', ({ state, previous }) => console.log(state === 'mine', previous));
// @ts-expect-error -- there is no such state
guard.addEventListener('lock-statechange', ({ state }) => state === 'locked');

function keep(event: LockLostEvent): void {
  const values = event.getValues();
  console.log(values['note'], event.ref.entityUid, event.lock?.holderName);
}

const client = createLockClient({ hub: '/hub' });
const { lease, close } = client.openLease({ entityType: 'Order', entityUid: '1' });
void lease.claim();
// @ts-expect-error -- a lease names a record
client.openLease('Order/1');
close();
console.log(state);
