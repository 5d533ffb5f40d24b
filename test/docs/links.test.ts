import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { PAGES, ROOT, anchorsOf, proseOf, textOf } from './markdown-pages.ts';

interface Link {
  readonly from: string;
  readonly target: string;
}

const anchors = new Map<string, ReadonlySet<string>>();

function linksOf(page: string, text: string): readonly Link[] {
  // What is code is no link: `locks[0](x)`.
  const prose = proseOf(text).replaceAll(/`[^`\n]*`/g, (code) => '`'.padEnd(code.length, ' '));
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  const others = [...prose.matchAll(/^\[[^\]]+\]: (\S+)/gm), ...prose.matchAll(/<(https?:[^>\s]+)>/g)];
  const html = [...prose.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)];
  return [...inline, ...others, ...html].map(({ index, 1: target = '' }) => ({
    from: `${page}:${prose.slice(0, index).split('\n').length}`,
    target,
  }));
}

/** What is wrong with a link; undefined = nothing. */
function faultOf(page: string, target: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return faultOfAddress(target);
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), decodeURIComponent(path)));
  if (file.startsWith('..')) return 'leaves the repository';
  if (!existsSync(ROOT + file)) return `${file} does not exist`;
  if (anchor === undefined) return undefined;
  if (!file.endsWith('.md')) return 'an anchor in what is no page';
  const known = anchors.get(file) ?? anchorsOf(textOf(file));
  anchors.set(file, known);
  return known.has(anchor) ? undefined : `${file} has no heading #${anchor}`;
}

function faultOfAddress(target: string): string | undefined {
  if (!URL.canParse(target)) return 'is no address';
  const { protocol, hostname } = new URL(target);
  if (protocol === 'mailto:') return undefined;
  const isHere = ['localhost', '127.0.0.1'].includes(hostname);
  return protocol === 'https:' || isHere ? undefined : 'is not https';
}

describe('the links of the documentation', () => {
  const links = PAGES.flatMap((page) => linksOf(page, textOf(page)).map((link) => ({ page, ...link })));

  it('lead to files and headings that exist', () => {
    assert.equal(links.length > 500, true, `only ${links.length} links were found`);
    const faults = links.flatMap(({ page, from, target }) => {
      const fault = faultOf(page, target);
      return fault === undefined ? [] : [`${from}: ${target} ${fault}`];
    });
    assert.deepEqual(faults, []);
  });

  it('leave the repository for known hosts alone, by https', (context) => {
    const hosts = new Set(
      links.flatMap(({ target }) =>
        /^https?:/.test(target) && URL.canParse(target) ? [new URL(target).host] : [],
      ),
    );
    context.diagnostic(`hosts, not asked: ${[...hosts].sort().join(', ')}`);
    console.log(`hosts, not asked: ${[...hosts].sort().join(', ')}`);
    assert.equal(hosts.size > 0, true, 'no host was found');
  });

  it('are kept by the comments and texts of the sources, too', () => {
    const sources = [
      'core',
      'server',
      'components',
      'conformance',
      'mocks',
      'demo',
      'scripts',
      'lua',
    ].flatMap((folder) =>
      readdirSync(ROOT + folder, { recursive: true })
        .map((file) => `${folder}/${String(file)}`)
        .filter((file) => /\.(?:ts|mjs|lua)$/.test(file)),
    );
    let count = 0;
    const faults = sources.flatMap((file) => {
      const named = readFileSync(ROOT + file, 'utf8').matchAll(
        /(?<![\w/$}.])((?:docs|core)\/[\w./-]+\.md|[A-Z]{6,}\.md)(#[\w-]+)?/g,
      );
      return [...named].flatMap(([, path = '', anchor = '']) => {
        count += 1;
        const fault = faultOf('README.md', path + anchor);
        return fault === undefined ? [] : [`${file}: ${path}${anchor} ${fault}`];
      });
    });
    assert.deepEqual(faults, []);
    assert.equal(count > 5, true, `only ${count} pages are named in sources`);
  });
});
