import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A folder in which `rowlock` is installed from the tarball that would be published. */
export interface PackedPackage {
  /** Files put here import `rowlock` as an application does. */
  readonly folder: string;
  readonly tarball: string;
  remove(): Promise<void>;
}

/**
 * Packs what is in dist/. The folder lies inside the repository, so that other packages are found in its node_modules
 * without asking a registry; that ours names all it needs is for another test to say.
 */
export async function packPackage(name: string): Promise<PackedPackage> {
  const folder = `${ROOT}.cache/packed/${name}-${process.pid}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(`${folder}/node_modules/rowlock`, { recursive: true });
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: ROOT });
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[];
  const tarball = `${folder}/${filename}`;
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', `${folder}/node_modules/rowlock`]);
  return { folder, tarball, remove: () => rm(folder, { recursive: true, force: true }) };
}
