import { build } from 'esbuild';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { tokenFor } from '../../support/test-tokens.ts';

/** The names of the people in the stories. */
const NAMES: Readonly<Record<string, string>> = { anna: 'Anna Berger', ben: 'Ben Okafor' };

/** Serves the page of the application, on an origin of its own, and hands out tokens. */
export interface PageServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** How many tokens a user was given. */
  tokensOf(user: string): number;
  stop(): Promise<void>;
}

/** A form for one record, a grid that lists it, or both; which is in the address. */
function html(query: URLSearchParams): string {
  const entity = `entity-type="ApprovalRequest" entity-uid="${query.get('request') ?? ''}"`;
  const form = `<lock-guard ${entity}>
    <form><textarea aria-label="Note"></textarea><button>Save</button></form>
  </lock-guard>`;
  const grid = `<table><tr><td>${query.get('request') ?? ''}</td><td><locked-by-cell ${entity}></locked-by-cell></td></tr></table>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Approvals</title>
    <link rel="icon" href="data:,">${query.get('show') === 'grid' ? grid : form}
    <script type="module" src="/page.js"></script>`;
}

/** Bundles the page with what is built in dist/, as an application would with the package. */
export async function startPageServer(): Promise<PageServer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  const script = outputFiles[0]?.text ?? '';
  const tokens = new Map<string, number>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const say = (type: string, text: string) => response.setHeader('content-type', type).end(text);
    if (pathname === '/page.js') say('text/javascript', script);
    else if (pathname !== '/token') say('text/html', html(searchParams));
    else {
      const oid = searchParams.get('user') ?? '';
      tokens.set(oid, (tokens.get(oid) ?? 0) + 1);
      const expiresInS = Number(searchParams.get('seconds'));
      void tokenFor({ oid, name: NAMES[oid] ?? oid, expiresInS }).then((token) => say('text/plain', token));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokensOf: (user) => tokens.get(user) ?? 0,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
