// The page's composition root: which backend, which elements. Everything else is in the modules it names.
import '../components/define.ts';
import { restoreColorScheme } from './color-scheme.ts';
import { DemoApp } from './demo-app.ts';
import { EventLog } from './event-log.ts';
import { readPageSettings } from './page-settings.ts';
import { demoTokenSource } from './token-source.ts';
import { UserDesk } from './user-desk.ts';

restoreColorScheme();
customElements.define('event-log', EventLog);
customElements.define('user-desk', UserDesk);
customElements.define('demo-app', DemoApp);

const settings = readPageSettings(location.search);
const serverMissing = settings.backend === 'live' && !(await hasServer());
const backend = serverMissing ? 'mock' : settings.backend;
const tokensFor = backend === 'mock' ? await startMock() : demoTokenSource;

const app = document.querySelector<DemoApp>('demo-app');
if (app !== null) app.page = { settings: { ...settings, backend }, tokensFor, serverMissing };

/** Whether somebody hands out tokens here: a page that is served as plain files has no such desk. */
async function hasServer(): Promise<boolean> {
  return demoTokenSource('anna')().then(
    () => true,
    () => false,
  );
}

/** Loaded only where it is needed: msw is larger than the rest of the page. */
async function startMock() {
  const { startDemoMock } = await import('./mock-backend.ts');
  return startDemoMock();
}
