// npm run analyze: describes the elements to tools, in dist/: custom-elements.json, the custom data of VS Code, and
// types for the templates of frameworks.
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { elementManifest } from './element-manifest.mjs';
import { elementTypes } from './element-types.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const manifest = elementManifest();

mkdirSync(`${DIST}frameworks`, { recursive: true });
writeFileSync(`${DIST}custom-elements.json`, `${JSON.stringify(manifest, null, 2)}\n`);
for (const [name, text] of Object.entries(elementTypes(manifest))) {
  writeFileSync(`${DIST}frameworks/${name}`, text);
  writeFileSync(`${DIST}frameworks/${name.replace('.d.ts', '.js')}`, 'export {};\n');
}
generateVsCodeCustomElementData(manifest, {
  outdir: DIST,
  htmlFileName: 'vscode.html-custom-data.json',
  cssFileName: 'vscode.css-custom-data.json',
  hideLogs: true,
});
