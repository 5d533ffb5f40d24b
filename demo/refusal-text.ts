import { formatMoment } from './page-locale.ts';
import { RequestRefused } from './request-client.ts';

const KEPT = 'What you typed is still here.';

/** Says in the form's words why a write was refused, and what is left to do. `what` is "Not saved", "Not approved". */
export function refusalText(what: string, error: unknown): string {
  if (!(error instanceof RequestRefused)) return `${what}: something went wrong in this page. ${KEPT}`;
  switch (error.code) {
    case 'entity-locked':
      return `${what}: ${error.lock?.holderName || 'Somebody else'} is editing this request. ${KEPT}`;
    case 'write-in-progress':
      return `${what}: the same request is being written in another window of yours, or by your first click.`;
    case 'stale-fence':
      return `${what}: somebody else had this request open since you did. ${KEPT} Check it against the latest state.`;
    case 'already-decided': {
      const { decidedBy, status, decidedAtUtc } = error.request ?? {};
      const when = typeof decidedAtUtc === 'string' ? ` on ${formatMoment(decidedAtUtc)}` : '';
      return `${what}: ${decidedBy ?? 'Somebody else'} already ${status ?? 'decided'} this request${when}.`;
    }
    case 'version-conflict':
      return `${what}: the request changed meanwhile. ${KEPT} Check it against the latest state and try again.`;
    case 'bad-request':
      return `${what}: ${error.message}`;
    case 'no-answer':
      return `${what}: the server cannot be reached. ${KEPT} Try again in a moment.`;
    default:
      return `${what}: ${error.message} ${KEPT}`;
  }
}
