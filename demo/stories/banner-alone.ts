import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Story } from '../catalogue/story.ts';
import { annasPage, guardedForm, guardHtml } from './guarded-form.ts';
import { APPROVAL, CUSTOMER } from './sample-forms.ts';
import { scriptedBackend } from './scripted-backend.ts';
import { benLetsGo, benOpens, benTakesOver } from './story-actions.ts';

/** In the page's header, away from the form. */
export const bannerFor: Story = {
  id: 'banner-for',
  group: 'Banner',
  title: 'Elsewhere on the page',
  about:
    'A banner may stand anywhere: for names the guard that it speaks for, here from a bar above the form. The guard’s own banner is hidden by an empty slot. Let Ben take over and go.',
  actions: [benTakesOver, benLetsGo],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage) =>
    annasPage(
      stage,
      html`<div class="story-bar">
          <span class="story-bar-title">Nordfracht approvals</span>
          <lock-banner for="story-guard"></lock-banner>
        </div>
        ${guardedForm(stage.ref(), APPROVAL, {}, html`<span slot="banner" hidden></span>`)}`,
    ),
  source: () => `<header>
  Nordfracht approvals
  <lock-banner for="request"></lock-banner>
</header>
${guardHtml(APPROVAL, { id: 'request' }, '  <span slot="banner" hidden></span>\n')}`,
};

/** Without a form. */
export const bannerWatch: Story = {
  id: 'banner-watch',
  group: 'Banner',
  title: 'Without a form',
  about:
    'On a page that only shows a record, a banner with entity-type and entity-uid says who is editing it, and claims nothing. Let Ben open the customer and let go. While it is free, the banner takes no room.',
  actions: [benOpens, benLetsGo],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage) => {
    const { entityType, entityUid } = stage.ref();
    return annasPage(
      stage,
      html`<lock-banner entity-type=${entityType} entity-uid=${entityUid}></lock-banner>
        <dl class="story-facts">
          ${CUSTOMER.fields.map(
            ({ label, value }) =>
              html`<div>
                <dt>${label}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
        </dl>`,
    );
  },
  source: () => `<lock-banner entity-type="Customer" entity-uid="C-1188"></lock-banner>
<dl>
${CUSTOMER.fields.map(({ label, value }) => `  <dt>${label}</dt><dd>${value}</dd>`).join('\n')}
</dl>`,
};

const REFUSAL = 'Only a team leader may take over from Ben Okafor.';

/** Who may, and who may not. */
export const bannerTakeOver: Story = {
  id: 'banner-take-over',
  group: 'Banner',
  title: 'Take-over allowed or not',
  about:
    'The server says with every answer whether this user may take over (canTakeOver). Allowed: the button asks first, then the record is Anna’s. Not offered: there is no button. Refused: the rule changed in between, the server says why, and nothing has changed. A scripted backend plays all three.',
  controls: [
    {
      kind: 'choice',
      name: 'server',
      label: 'The server says',
      options: ['allowed', 'not offered', 'refused'],
      initial: 'allowed',
    },
  ],
  render: (stage, { server }) =>
    html`${guard([stage, server], () =>
      keyed(
        server,
        html`<lock-provider
          data-user="anna"
          .config=${scriptedBackend({
            answer: () => ({ outcome: 'held', canTakeOver: server !== 'not offered' }),
            ...(server === 'refused' && { refusal: REFUSAL }),
          })}
          >${guardedForm(stage.ref(), APPROVAL)}</lock-provider
        >`,
      ),
    )}`,
  source:
    () => `<!-- The rule is the server's: lockable('ApprovalRequest', { canTakeOver: (taker) => isTeamLeader(taker) }) -->
${guardHtml(APPROVAL)}`,
};
