// Writes the languages as scripts for pages without modules: dist/cdn/locales/<language>.js, to stand behind rowlock.js.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MODULES = fileURLToPath(new URL('../dist/components/locales/', import.meta.url));
const SCRIPTS = fileURLToPath(new URL('../dist/cdn/locales/', import.meta.url));

mkdirSync(SCRIPTS, { recursive: true });
for (const file of existsSync(MODULES) ? readdirSync(MODULES) : []) {
  if (!file.endsWith('.js')) continue;
  const language = basename(file, '.js');
  const module = /** @type {Record<string, unknown>} */ (await import(pathToFileURL(MODULES + file).href));
  const [tag, messages] = [language, module[language]].map((part) => JSON.stringify(part));
  writeFileSync(`${SCRIPTS}${file}`, `Rowlock.registerMessages(${tag},${messages});\n`);
}
