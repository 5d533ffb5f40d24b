import { build } from 'esbuild';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The vendor's bundles for script tags, as they are published. */
const VENDOR_SCRIPTS = [
  '@microsoft/signalr/dist/browser/signalr.js',
  '@microsoft/signalr-protocol-msgpack/dist/browser/signalr-protocol-msgpack.js',
] as const;

/** Serves a page with the vendor's two scripts and our steps. */
export interface VendorPageServer {
  /** `http://127.0.0.1:<port>`: another origin than that of any hub. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Bundles the steps and serves the page on a free port. */
export async function startVendorPages(): Promise<VendorPageServer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  const scripts = [
    ...VENDOR_SCRIPTS.map((file) => readFileSync(require.resolve(file), 'utf8')),
    outputFiles[0]?.text ?? '',
  ];
  const tags = scripts.map((_, index) => `<script src="/${index}.js"></script>`).join('');
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>SignalR</title><link rel="icon" href="data:,">${tags}`;
  const server = createServer(({ url = '' }, response) => {
    const script = scripts[Number(/^\/(\d+)\.js$/.exec(url)?.[1])];
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript; charset=utf-8');
    response.end(script ?? page);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
