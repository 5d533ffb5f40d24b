// npm run build:demo: the catalogue and the approvals page as plain files in dist/demo-site, on the mock backend alone.
// They may be served below any path, by anything that serves files over https (service workers need it) or on localhost.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainModule } from './is-main-module.mjs';
import { runNodeBin } from './run-node-bin.mjs';

/** Builds into dist/demo-site, from the sources: it needs no other build before it. Throws where that fails. */
export function buildDemo() {
  rmSync(fileURLToPath(new URL('../dist/demo-site', import.meta.url)), { recursive: true, force: true });
  const code = runNodeBin('vite/bin/vite.js', ['build', '--mode', 'demo-site', '--logLevel', 'warn']);
  if (code !== 0) throw new Error(`The demo could not be built (exit code ${String(code)}).`);
}

if (isMainModule(import.meta.url)) {
  try {
    buildDemo();
    console.log('Built dist/demo-site: serve it as plain files, below any path.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
