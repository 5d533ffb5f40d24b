import { defaultClient, type RowlockConfig } from 'rowlock';
import type {} from 'rowlock/react';
import { useEffect, useState } from 'react';
import { firstUid, releasesOnLeave, second, tokenOf, typedNote, uids } from '../shared/configure-rowlock';

const ENTITY = 'ApprovalRequest';
const SECOND: RowlockConfig = { getToken: () => tokenOf(second ?? '') };

export function Approvals() {
  const [rows, setRows] = useState(uids);
  const [uid, setUid] = useState(firstUid);
  const [renders, setRenders] = useState(0);
  const [log, setLog] = useState<readonly string[]>([]);
  const note = (text: string) => setLog((lines) => [...lines, text]);

  return (
    <main>
      <button data-testid="reverse" onClick={() => setRows([...rows].reverse())}>
        Reverse
      </button>
      <button data-testid="again" onClick={() => setRenders(renders + 1)}>
        Render again
      </button>
      <button data-testid="close" onClick={() => setUid(null)}>
        Close
      </button>
      <output data-testid="renders">{renders}</output>
      <table>
        <tbody>
          {rows.map((row) => (
            <tr key={row} data-testid={`row-${row}`}>
              <td>
                <button data-testid={`open-${row}`} onClick={() => setUid(row)}>
                  {row}
                </button>
              </td>
              <td>
                <locked-by-cell entity-type={ENTITY} entity-uid={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {second && (
        <lock-provider config={SECOND}>
          <locked-by-cell data-testid="second" entity-type={ENTITY} entity-uid={uids[0]} />
        </lock-provider>
      )}
      {uid && (
        <>
          <LeaseState uid={uid} />
          <lock-guard
            entity-type={ENTITY}
            entity-uid={uid}
            release-on-leave={String(releasesOnLeave)}
            onlock-acquired={(event) => note(`acquired ${event.ref.entityUid}`)}
            onlock-held={(event) => note(`held ${event.lock?.holderName}`)}
            onlock-lost={(event) => note(`lost ${typedNote(event)}`)}
            onlock-released={() => note('released')}
          >
            <form onSubmit={(event) => event.preventDefault()}>
              <input name="note" data-testid="note" />
              <button>Approve {renders}</button>
            </form>
          </lock-guard>
        </>
      )}
      <ol data-testid="log">
        {log.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ol>
    </main>
  );
}

/** The client without elements: in strict mode React opens, closes and opens again. */
function LeaseState({ uid }: { readonly uid: string }) {
  const [state, setState] = useState('');
  useEffect(() => {
    const { lease, close } = defaultClient().openLease({ entityType: ENTITY, entityUid: uid });
    setState(lease.view.state);
    const unsubscribe = lease.subscribe((view) => setState(view.state));
    return () => {
      unsubscribe();
      close();
    };
  }, [uid]);
  return <output data-testid="lease">{state}</output>;
}
