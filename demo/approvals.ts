// The composition root of the approvals page: which backend, which elements. Everything else is in the modules it names.
import '../components/define.ts';
import { ApprovalOffice } from './approval-office.ts';
import { sayCannotStart } from './cannot-start.ts';
import { restoreColorScheme } from './color-scheme.ts';
import { DemoApp } from './demo-app.ts';
import { startDemoBackend } from './demo-backend.ts';
import { EventLog } from './event-log.ts';
import { readPageSettings } from './page-settings.ts';
import { UserDesk } from './user-desk.ts';

restoreColorScheme();
customElements.define('event-log', EventLog);
customElements.define('user-desk', UserDesk);
customElements.define('approval-office', ApprovalOffice);
customElements.define('demo-app', DemoApp);

const settings = readPageSettings(location.search);
const app = document.querySelector<DemoApp>('demo-app');
try {
  const backend = await startDemoBackend(settings.backend);
  if (app !== null) app.page = { settings, backend };
} catch (error) {
  sayCannotStart(app, error);
}
