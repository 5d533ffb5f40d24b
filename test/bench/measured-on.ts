import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** What was measured with, beside Node: `{ Redis: '7.0.15', ws: '8.18.0' }`. */
export type Versions = Readonly<Record<string, string>>;

/** When and on what a bench ran, for the sentence "Measured on …": numbers of another machine are other ones. */
export function measuredOn(versions: Versions): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown CPU';
  return [
    new Date().toISOString().slice(0, 10),
    `${cpus().length} cores of ${model}`,
    `${(totalmem() / 1_024 ** 3).toFixed(1)} GiB of memory`,
    `${type()} ${release()}`,
    `Node ${process.version}`,
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
  ].join(', ');
}

/** The versions of these packages, as they are installed. Throws for one that is not. */
export function packageVersions(...names: readonly string[]): Versions {
  return Object.fromEntries(
    names.map((name) => {
      const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
      return [name, (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version];
    }),
  );
}
