// npm run reference: writes docs/reference from the sources.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openReference, referencePages } from './reference-pages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const pages = referencePages(openReference());
mkdirSync(`${ROOT}docs/reference`, { recursive: true });
for (const file of readdirSync(`${ROOT}docs/reference`)) {
  if (!pages.has(`docs/reference/${file}`)) rmSync(`${ROOT}docs/reference/${file}`);
}
for (const [path, text] of pages) writeFileSync(ROOT + path, text);
console.log(`docs/reference: ${String(pages.size)} pages`);
