// Makes sure that the programs which the tests start are on this machine:
//   node scripts/ensure-tools.mjs [redis] [chromium] [nginx]      (all when none is named)
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { findChromium } from './find-chromium.mjs';
import { findExecutable } from './find-executable.mjs';
import { findNginx } from './find-nginx.mjs';
import { findRedisServer } from './find-redis-server.mjs';
import { isMainModule } from './is-main-module.mjs';

/** @typedef {'redis' | 'chromium' | 'nginx'} Tool */

/** @type {Record<Tool, { find: () => string | undefined, packages: () => string[], hint: string }>} */
const TOOLS = {
  redis: {
    find: findRedisServer,
    packages: () => ['redis-server'],
    hint: 'redis-server 6.2 or newer (Debian: apt-get install redis-server; macOS: brew install redis), or set REDIS_SERVER to its path',
  },
  chromium: {
    find: findChromium,
    // A page without any font has text of zero width, which makes elements "invisible" to the tests.
    packages: () => (hasFonts() ? ['chromium'] : ['chromium', 'fonts-dejavu-core']),
    hint: 'Chromium or Chrome (Debian: apt-get install chromium fonts-dejavu-core; macOS: brew install --cask chromium), or set CHROMIUM_PATH to its path',
  },
  nginx: {
    find: findNginx,
    packages: () => ['nginx'],
    hint: 'nginx 1.18 or newer (Debian: apt-get install nginx; macOS: brew install nginx), or set NGINX to its path',
  },
};

/**
 * Returns when every named tool is there, having installed the missing ones where that is possible (root on a
 * Debian). Throws an error that says what to install otherwise.
 *
 * @param {readonly Tool[]} tools
 */
export function ensureTools(tools) {
  const missing = tools.filter((tool) => TOOLS[tool].find() === undefined);
  if (missing.length === 0) return;
  if (canInstall()) install(missing.flatMap((tool) => TOOLS[tool].packages()));
  const absent = missing.filter((tool) => TOOLS[tool].find() === undefined);
  if (absent.length > 0) {
    throw new Error(
      `Missing on this machine:\n${absent.map((tool) => `  - ${TOOLS[tool].hint}`).join('\n')}`,
    );
  }
}

function canInstall() {
  return (
    process.getuid?.() === 0 &&
    existsSync('/etc/debian_version') &&
    findExecutable('APT_GET', ['apt-get']) !== undefined
  );
}

/** @param {readonly string[]} packages */
function install(packages) {
  console.log(`Installing ${packages.join(', ')} with apt-get…`);
  // RUNLEVEL=1 keeps a package's own service from being started: the tests start servers of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (/** @type {string[]} */ ...args) =>
    execFileSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    apt('update', '-q');
    apt('install', '-q', '-y', '--no-install-recommends', ...packages);
  } catch (cause) {
    // Not fatal here: ensureTools() looks again and then names what is still missing.
    console.error(`apt-get failed: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function hasFonts() {
  return ['/usr/share/fonts', '/usr/local/share/fonts'].some(
    (folder) =>
      existsSync(folder) &&
      readdirSync(folder, { recursive: true }).some((file) => /\.(ttf|otf|ttc|pfb)$/.test(String(file))),
  );
}

if (isMainModule(import.meta.url)) {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !(name in TOOLS));
  if (unknown.length > 0) {
    console.error(`Unknown tool ${unknown.join(', ')}: expected ${Object.keys(TOOLS).join(' or ')}`);
    process.exit(1);
  }
  const tools = /** @type {Tool[]} */ (named.length > 0 ? named : Object.keys(TOOLS));
  try {
    ensureTools(tools);
    for (const tool of tools) console.log(`${tool}: ${TOOLS[tool].find() ?? 'missing'}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
