import type { LockGuard } from 'rowlock';
import type {} from 'rowlock/react';
import { useRef } from 'react';

export function Right({ uid }: { readonly uid: string }) {
  const guard = useRef<LockGuard>(null);
  return (
    <lock-provider api="/api" config={{ getToken: () => 'token' }}>
      <lock-guard
        ref={guard}
        key={uid}
        className="form"
        entity-type="Order"
        entity-uid={uid}
        claim="edit"
        claim-timeout="5000"
        release-on-leave="false"
        onClick={(event) => event.currentTarget.claimNow()}
        onlock-lost={(event) => console.log(event.getValues(), event.lock?.holderName)}
        onlock-acquired={(event) => event.waitUntil(fetch('/record'))}
        onlock-statechange={({ state }) => console.log(state)}
      >
        <lock-banner slot="banner" />
        <input name="note" />
      </lock-guard>
      <lock-guard entityType="Order" entityUid={uid} releaseOnLeave={false} claimTimeout={5_000} />
      <locked-by-cell entity-type="Order" entity-uid={uid} row-selector="tr" />
    </lock-provider>
  );
}

export const wrong = [
  // @ts-expect-error -- there is no such time to claim
  <lock-guard key="1" claim="never" />,
  // @ts-expect-error -- there is no such setting
  <lock-guard key="2" entity="Order" />,
  // @ts-expect-error -- React leaves the attribute out
  <lock-guard key="3" release-on-leave={false} />,
  // @ts-expect-error -- React knows only the exact name
  <lock-guard key="4" onLockLost={() => undefined} />,
  // @ts-expect-error -- nothing to wait for
  <lock-guard key="6" onlock-held={(event) => event.waitUntil(fetch('/record'))} />,
];
