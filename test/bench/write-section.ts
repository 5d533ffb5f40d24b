import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const HEAD = `# Benchmarks

Written by \`npm run bench <name> -- --write\`. Two programs are compared by running both in one run, in turn; absolute times say more about the machine than about a program.
`;

/**
 * Puts a bench's findings, in Markdown, in its own section of a file, which is made when it is not there. The other
 * benches' sections stay as they are.
 */
export async function writeSection(
  file: string,
  name: string,
  title: string,
  markdown: string,
): Promise<void> {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end of bench ${name} -->`];
  const text = existsSync(file) ? readFileSync(file, 'utf8') : HEAD;
  const section = `${begin}\n\n## ${title}\n\n${markdown}\n\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const whole =
    from < 0 || to < from
      ? `${text}\n${section}\n`
      : text.slice(0, from) + section + text.slice(to + end.length);
  writeFileSync(file, await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' }));
}
