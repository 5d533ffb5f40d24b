import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a page; `line` is that of its first line of text. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Every page of documentation, by its path from the root: a new one is checked without being named anywhere. */
export const PAGES: readonly string[] = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  'core/PROTOCOL.md',
  ...readdirSync(`${ROOT}docs`, { recursive: true })
    .map((file) => `docs/${String(file)}`)
    .filter((file) => file.endsWith('.md')),
].sort();

/** The text of a page. */
export function textOf(page: string): string {
  return readFileSync(ROOT + page, 'utf8');
}

/** The fenced blocks of a page, in their order. Indented ones (in lists) lose their indentation. */
export function blocksOf(page: string, text = textOf(page)): readonly Block[] {
  const blocks: Block[] = [];
  for (const found of text.matchAll(/^( *)```([^\n`]*)\n(.*?)^\1```[ ]*$/gms)) {
    const [, indent = '', language = '', body = ''] = found;
    const line = text.slice(0, found.index).split('\n').length + 1;
    const plain = indent === '' ? body : body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    blocks.push({ page, line, language: language.trim(), text: plain });
  }
  return blocks;
}

/** The page with nothing in its fenced blocks and comments, in as many lines. */
export function proseOf(text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, '');
  return text.replaceAll(/^( *)```.*?^\1```[ ]*$/gms, blank).replaceAll(/<!--.*?-->/gs, blank);
}

/** The anchors of a page's headings, as GitHub makes them: repeated ones get a number. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}
