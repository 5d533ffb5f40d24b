import { html } from 'lit';
import type { ApprovalRequest } from '../approval-request.ts';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { driverAppWrites } from '../driver-app.ts';
import { RequestClient } from '../request-client.ts';
import type { BusinessForm } from './business-form.ts';
import { annasPage, guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';

/** The request of the demo's own API that a visit plays with. */
const opened = new WeakMap<StoryStage, ApprovalRequest>();

/** A program is never blocked, and never drops a person's lock. */
export const timeAutomation: Story = {
  id: 'time-automation',
  group: 'Time and tabs',
  title: 'Automation writes meanwhile',
  about:
    'Anna is editing, and the driver app writes the same request: automation is never blocked by a lock. Her form stays open, keeps what she typed, and says who has changed the record; Reload is her decision, and fetches the amount and the note.',
  actions: [
    {
      label: 'The driver app writes',
      run: async (stage) => {
        const { id } = requestOf(stage);
        await driverAppWrites(new RequestClient(stage.owner('driver-app')), id);
        stage.say(`let the driver app write ${id}`);
      },
    },
  ],
  begin: async (stage) => {
    const requests = await new RequestClient(stage.owner('anna')).list();
    // The last one: the story of the two people begins with the first.
    const request = requests.filter(({ status }) => status === 'open').at(-1);
    if (request === undefined) throw new Error('All requests are decided. Start the demo anew.');
    opened.set(stage, request);
  },
  render: (stage) => {
    const request = requestOf(stage);
    const load = async () => {
      const { amount, note } = await new RequestClient(stage.owner('anna')).get(request.id);
      fill('amount', String(amount));
      fill('note', note);
      stage.say(`loaded ${request.id} anew`);
    };
    const reload = (event: HTMLElementEventMap['lock-reload']) => event.waitUntil(load());
    const ref = { entityType: 'ApprovalRequest', entityUid: request.id };
    return html`<div @lock-reload=${reload}>${annasPage(stage, guardedForm(ref, formOf(request)))}</div>`;
  },
  source: () => `${guardHtml(APPROVAL)}
<script>
  const guard = document.querySelector('lock-guard');
  guard.addEventListener('lock-reload', (event) => {
    event.waitUntil(
      fetch('/requests/REQ-2041')
        .then((answer) => answer.json())
        .then(({ note }) => (guard.querySelector('[name=note]').value = note)),
    );
  });
</script>`,
};

function requestOf(stage: StoryStage): ApprovalRequest {
  const request = opened.get(stage);
  if (request === undefined) throw new Error('The story has not begun.');
  return request;
}

function formOf({ id, customer, subject, amount, currency, note }: ApprovalRequest): BusinessForm {
  return {
    ...APPROVAL,
    title: `Approval request ${id}`,
    fields: [
      { name: 'customer', label: 'Customer', value: customer },
      { name: 'amount', label: `Amount in ${currency}`, value: String(amount), kind: 'number' },
      { name: 'subject', label: 'Subject', value: subject, wide: true },
      { name: 'note', label: 'Note', value: note, kind: 'area' },
    ],
  };
}

function fill(name: string, value: string): void {
  const field = storyGuard().querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`);
  if (field !== null) field.value = value;
}
