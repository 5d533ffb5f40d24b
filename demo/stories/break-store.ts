import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Story, StoryAction, StoryStage } from '../catalogue/story.ts';
import { annasForm, annasPage, guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { APPROVAL, ORDER } from './sample-forms.ts';
import { benLetsGo } from './story-actions.ts';

const group = 'When things break';
const isWell: (label: string) => StoryAction = (label) => ({
  label,
  run: (stage) => {
    stage.fail(null);
    stage.say('works again');
  },
});
/** Does now what the page does by itself a little later. */
const asksAtOnce: StoryAction = { label: 'Ask again at once', run: () => storyGuard().claimNow() };

/** The store is away, the server is not. */
export const breakRedis: Story = {
  id: 'break-redis',
  group,
  title: 'Redis is away',
  about:
    'The server answers, but its Redis does not: nobody can say who has the record, so the form is open, with a notice. The page asks again every ten seconds or so. Bring Redis back and wait, or ask at once: the notice goes.',
  needsMock: true,
  actions: [isWell('Redis is back'), asksAtOnce],
  begin: (stage) => stage.fail('unavailable'),
  render: (stage) => annasForm(stage, APPROVAL),
  source: () => guardHtml(APPROVAL),
};

/** No answer at all. */
export const breakSlow: Story = {
  id: 'break-slow',
  group,
  title: 'An answer that does not come',
  about:
    'Let the server go silent, then open the order: its claim is on its way, and nothing comes back. After claim-timeout, three seconds by default, the form opens with a notice: the page fails open, too. Answers that come again are heard up to 15 s later, when the page asks anew.',
  needsMock: true,
  controls: [
    {
      kind: 'number',
      name: 'timeout',
      label: 'claim-timeout, ms',
      initial: 3_000,
      min: 500,
      max: 10_000,
      step: 500,
    },
  ],
  actions: [
    {
      label: 'Open it while nothing answers',
      run: (stage) => {
        stage.fail('hang');
        stage.say('hears no answer from the server any more');
        storyGuard().claimNow();
      },
    },
    isWell('Answers come again'),
  ],
  render: (stage, { timeout }) => {
    const claimTimeout = Number(timeout);
    // Each time for a record of its own: the last one has been claimed already.
    const form = () => guardedForm(stage.ref(claimTimeout), ORDER, { claimTimeout, claim: 'manual' });
    return annasPage(stage, html`${keyed(claimTimeout, form())}`);
  },
  source: ({ timeout }) => guardHtml(ORDER, { 'claim-timeout': timeout === 3_000 ? false : Number(timeout) }),
};

/** News do not come, answers do. */
export const breakHub: Story = {
  id: 'break-hub',
  group,
  title: 'The hub is gone',
  about:
    'Ben has the request, and Anna waits. Break the hub, then let Ben go: no news come, so the page asks every 15 s or so instead, and her form asks to be loaded anew, since writes may have been missed. With the hub back, news come at once again.',
  needsMock: true,
  actions: [
    {
      label: 'The hub goes away',
      run: (stage) => {
        stage.fail('hub-down');
        stage.say('has no hub any more');
      },
    },
    benLetsGo,
    isWell('The hub is back'),
  ],
  begin: (stage) => stage.hold('ben', stage.ref()),
  render: (stage) => annasForm(stage, APPROVAL),
  source: () => guardHtml(APPROVAL),
};

const breaks = (label: string, failure: 'error' | 'network' | 'offline'): StoryAction => ({
  label,
  run: (stage: StoryStage) => {
    stage.fail(failure);
    stage.say(`breaks the lock API: ${failure}`);
    storyGuard().claimNow();
  },
});

/** The server itself fails. */
export const breakApi: Story = {
  id: 'break-api',
  group,
  title: 'The server fails',
  about:
    'Anna is editing. Let the API answer 503, or not at all, or take the whole network away: her lease goes on, so she may, too, and the banner says until when. Nothing is blocked because of an outage. Mend it, and ask at once instead of waiting for the next try.',
  needsMock: true,
  actions: [
    breaks('Answer 503', 'error'),
    breaks('No answer', 'network'),
    breaks('No network', 'offline'),
    isWell('Mend it'),
    asksAtOnce,
  ],
  render: (stage) => annasForm(stage, ORDER),
  source: () => guardHtml(ORDER),
};
