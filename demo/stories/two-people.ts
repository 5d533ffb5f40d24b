import { html } from 'lit';
import type { Story, StoryStage } from '../catalogue/story.ts';
import type { OfficeSetting } from '../approval-office.ts';
import { RequestClient } from '../request-client.ts';

/** What each visit starts with. */
const settings = new WeakMap<StoryStage, OfficeSetting>();

/** The founding one: two people, one approval request. */
export const twoPeople: Story = {
  id: 'two-people',
  group: 'Start here',
  title: 'Two people, one request',
  about:
    'Anna has a request open, and Ben has just opened the same one: his form is blocked and says why. ' +
    'Save or approve as Anna, or select another request, and his form opens by itself with the latest data. ' +
    'The driver app may write at any time.',
  async begin(stage) {
    const rows = await new RequestClient(stage.owner('anna')).list();
    settings.set(stage, {
      desks: ['anna', 'ben'],
      request: rows.find(({ status }) => status === 'open')?.id ?? null,
      ownerOf: (user) => stage.owner(user),
    });
  },
  render: (stage) => html`<approval-office .setting=${settings.get(stage) ?? null}></approval-office>`,
  source: () => `<!-- One per page: where the API is, and who is signed in. -->
<script type="module">
  import { configure } from 'rowlock';
  configure({ getToken: () => session.accessToken() });
</script>

<!-- In the grid: who has the row open. -->
<td><locked-by-cell entity-type="ApprovalRequest" entity-uid="REQ-2041"></locked-by-cell></td>

<!-- Around the form: only one person at a time. -->
<lock-guard entity-type="ApprovalRequest" entity-uid="REQ-2041">
  <form>
    <label>Amount <input name="amount" value="1840" /></label>
    <button>Save</button>
  </form>
</lock-guard>`,
};
