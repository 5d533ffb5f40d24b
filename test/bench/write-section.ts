import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const HEAD = `# Benchmarks

Written by \`npm run bench <name> -- --write\`, every word of it. Two programs are compared by running both in one run, in turn; absolute times say more about the machine than about a program. Each section begins with the machine and what ours is behind in. What a whole office needs: [sizing.md](sizing.md).
`;

/** What every section must say, so that its numbers can be judged; whatever is faster or slower in it. */
const NEEDED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['the day', /Measured on \d{4}-\d{2}-\d{2}/],
  ['the CPU', /\d+ cores of \S/],
  ['the memory', /[\d.]+ GiB of memory/],
  ["Node's version", /Node v\d+\.\d+/],
  ['where ours is behind', /In nothing measured here is ours behind|Ours is behind \(/],
];

/**
 * Puts a bench's findings, in Markdown, in its own section of a file, which is made when it is not there. The other
 * benches' sections stay as they are; the page's head is put right. Throws an Error that names what a report leaves out.
 */
export async function writeSection(
  file: string,
  name: string,
  title: string,
  markdown: string,
): Promise<void> {
  const missing = NEEDED.filter(([, pattern]) => !pattern.test(markdown)).map(([what]) => what);
  if (missing.length > 0) throw new Error(`The report of ${name} does not say: ${missing.join(', ')}.`);
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end of bench ${name} -->`];
  const text = withHead(existsSync(file) ? readFileSync(file, 'utf8') : '');
  const section = `${begin}\n\n## ${title}\n\n${markdown}\n\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const whole =
    from < 0 || to < from
      ? `${text}\n${section}\n`
      : text.slice(0, from) + section + text.slice(to + end.length);
  writeFileSync(file, await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

/** The page with the present head: whatever stands before its first section is replaced. */
export function withHead(page: string): string {
  const first = page.indexOf('<!-- bench ');
  return first < 0 ? HEAD : `${HEAD}\n${page.slice(first)}`;
}
