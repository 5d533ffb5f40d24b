// The composition root of the catalogue: which backend, which elements, which stories.
import '../components/define.ts';
import '../components/define-lock-list.ts';
import { ApprovalOffice } from './approval-office.ts';
import { sayCannotStart } from './cannot-start.ts';
import { SourcePanel } from './catalogue/source-panel.ts';
import { StoryCatalogue } from './catalogue/story-catalogue.ts';
import { StoryVisit } from './catalogue/story-visit.ts';
import { WirePanel } from './catalogue/wire-panel.ts';
import { restoreColorScheme } from './color-scheme.ts';
import { startDemoBackend } from './demo-backend.ts';
import { EventLog } from './event-log.ts';
import { readPageSettings } from './page-settings.ts';
import { ALL_STORIES } from './stories/all-stories.ts';
import { UserDesk } from './user-desk.ts';

restoreColorScheme();
customElements.define('event-log', EventLog);
customElements.define('user-desk', UserDesk);
customElements.define('approval-office', ApprovalOffice);
customElements.define('source-panel', SourcePanel);
customElements.define('wire-panel', WirePanel);
customElements.define('story-visit', StoryVisit);
customElements.define('story-catalogue', StoryCatalogue);

const catalogue = document.querySelector<StoryCatalogue>('story-catalogue');
try {
  const backend = await startDemoBackend(readPageSettings(location.search).backend);
  if (catalogue !== null) catalogue.setting = { stories: ALL_STORIES, backend };
} catch (error) {
  sayCannotStart(catalogue, error);
}
