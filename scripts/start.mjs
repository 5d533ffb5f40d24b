// npm start: an up-to-date build, then the demo server in this very process (it reads PORT, REDIS_URL, …).
import { buildIfStale } from './build.mjs';

try {
  buildIfStale();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
// A variable, because the type checker must not ask for a file that only exists after the build.
const server = new URL('../dist/demo/server.js', import.meta.url).href;
await import(server);
