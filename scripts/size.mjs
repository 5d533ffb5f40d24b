// npm run size: what a page loads. Fails when the script tag's bundle is over its budget.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildIfStale } from './build.mjs';

const CDN = fileURLToPath(new URL('../dist/cdn/', import.meta.url));
const BUDGET = { file: 'rowlock.js', gzip: 28_000 };

buildIfStale();
console.log('file                               raw     gzip   brotli');
for (const file of readdirSync(CDN).filter((name) => /\.m?js$/.test(name))) {
  const code = readFileSync(CDN + file);
  console.log(
    `${file.padEnd(29)} ${[code.length, gzip(code), brotliCompressSync(code).length].map(column).join(' ')}`,
  );
}

console.log(`\n${BUDGET.file} by package  (gzip: what the file would lose without it)`);
for (const { name, raw, saved } of contributions(BUDGET.file)) {
  console.log(`${name.padEnd(24)} ${column(raw)} ${column(saved)}`);
}

const size = gzip(readFileSync(CDN + BUDGET.file));
const verdict = size <= BUDGET.gzip ? `${String(BUDGET.gzip - size)} bytes left` : 'OVER THE BUDGET';
console.log(`\nbudget ${String(BUDGET.gzip)} bytes gzip, used ${String(size)}: ${verdict}`);
process.exitCode = size <= BUDGET.gzip ? 0 : 1;

/**
 * Attributes every byte of a bundle to a package by its source map.
 *
 * @param {string} file
 */
function contributions(file) {
  if (!existsSync(`${CDN}${file}.map`)) throw new Error(`${file} has no source map`);
  const code = readFileSync(CDN + file, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${CDN}${file}.map`, 'utf8')));
  const owners = code.split('\n').flatMap((line, row) => {
    return [...Array.from({ length: line.length }, (_, at) => packageOf(map.findEntry(row, at))), 'bundle'];
  });
  const whole = gzip(code);
  return [...new Set(owners)]
    .map((name) => {
      const rest = Array.from(owners, (owner, at) => (owner === name ? '' : code.charAt(at))).join('');
      return { name, raw: owners.filter((owner) => owner === name).length, saved: whole - gzip(rest) };
    })
    .sort((one, other) => other.saved - one.saved);
}

/** @param {object} entry */
function packageOf(entry) {
  const source = 'originalSource' in entry ? String(entry.originalSource) : '';
  const vendor = /node_modules\/((?:@[^/]+\/)?[^/]+)/g;
  const name = [...source.matchAll(vendor)].at(-1)?.[1];
  if (name !== undefined) return name;
  return /(?:^|\/)(core|components)\//.exec(source)?.[1] ?? 'bundle';
}

/** @param {string | Buffer} code */
function gzip(code) {
  return gzipSync(code, { level: 9 }).length;
}

/** @param {number} bytes */
function column(bytes) {
  return String(bytes).padStart(8);
}
