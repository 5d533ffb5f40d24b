import type { ApprovalRequest } from './approval-request.ts';
import type { RequestClient } from './request-client.ts';

const SURCHARGE = 45;
const ETA_LINE = /\n?ETA \d\d:\d\d \(driver app\)\.$/;

/**
 * What the drivers' app does on its own while people edit: adds waiting time to the amount and reports the ETA in the
 * note. It holds no lock and is stopped by none.
 */
export async function driverAppWrites(client: RequestClient, id: string): Promise<ApprovalRequest> {
  const { amount, note } = await client.get(id);
  const line = `ETA ${eta(Date.now())} (driver app).`;
  const before = note.replace(ETA_LINE, '');
  return client.save(id, {
    amount: Math.round((amount + SURCHARGE) * 100) / 100,
    note: before === '' ? line : `${before}\n${line}`,
  });
}

/** Two hours and twenty minutes from now, as `16:40`. */
function eta(nowMs: number): string {
  const at = new Date(nowMs + 140 * 60_000);
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}
