// npm run sizing: what an office asks of Redis, nodes and network, by the model of sizing-model.mjs.
//   npm run sizing -- --editors 500 --watchers 2000 [--tenants 4 --nodes 2 …]      --write    the table of docs/sizing.md
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainModule } from './is-main-module.mjs';
import { DEFAULT_OFFICE } from './sizing-model.mjs';
import { OFFICES, sizingTable } from './sizing-table.mjs';

const PAGE = fileURLToPath(new URL('../docs/sizing.md', import.meta.url));
const BEGIN = '<!-- npm run sizing -- --write -->';
const END = '<!-- end of the table -->';

/**
 * The page with its table as the model has it now.
 *
 * @param {string} page
 */
export async function withTable(page) {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/sizing.md: expected ${BEGIN} and ${END}`);
  const text = `${page.slice(0, from)}${BEGIN}\n\n${sizingTable(OFFICES)}\n\n${page.slice(to)}`;
  const { format, resolveConfig } = await import('prettier'); // which takes a second to load
  return await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' });
}

if (isMainModule(import.meta.url)) {
  const names = Object.keys(DEFAULT_OFFICE);
  const inputs = Object.fromEntries(
    names.map((name) => [kebab(name), { type: /** @type {const} */ ('string') }]),
  );
  try {
    const { values } = parseArgs({ options: { ...inputs, write: { type: 'boolean', default: false } } });
    if (values.write) writeFileSync(PAGE, await withTable(readFileSync(PAGE, 'utf8')));
    const office = Object.fromEntries(
      names.flatMap((name) => {
        const given = /** @type {Record<string, unknown>} */ (values)[kebab(name)];
        return given === undefined ? [] : [[name, Number(given)]];
      }),
    );
    console.log(sizingTable([office]));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`Inputs, and what they are otherwise:\n${inputList()}`);
    process.exitCode = 2;
  }
}

/** @param {string} name */
function kebab(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function inputList() {
  return Object.entries(DEFAULT_OFFICE)
    .map(([name, value]) => `  --${kebab(name)} ${String(value)}`)
    .join('\n');
}
