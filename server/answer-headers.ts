import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * What suits answers that are data and never a page: no type is guessed, nothing is loaded or framed, no address is
 * passed on, and other sites' pages cannot embed them. Collected once, from helmet, which knows today's names.
 */
const HEADERS = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    hsts: { maxAge: 31_536_000, includeSubDomains: false },
    // Of documents alone, or of browsers that are gone.
    crossOriginOpenerPolicy: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  }),
);

const TLS_ALONE = 'strict-transport-security';

/**
 * Puts the security headers on an answer of Rowlock's. What the application has set already stays. HSTS comes only on
 * answers over TLS (RFC 6797 section 7.2), as Express' `request.secure` has it: behind a proxy set "trust proxy".
 */
export function putAnswerHeaders(response: ServerResponse): void {
  const { req: request } = response;
  const isSecure =
    'secure' in request ? request.secure === true : 'encrypted' in request.socket && request.socket.encrypted;
  for (const [name, value] of HEADERS) {
    if (response.hasHeader(name) || (name === TLS_ALONE && isSecure !== true)) continue;
    response.setHeader(name, value);
  }
  response.removeHeader('X-Powered-By');
}

function headersOf(put: ReturnType<typeof helmet>): readonly (readonly [name: string, value: string])[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  put(response.req, response, () => {});
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
