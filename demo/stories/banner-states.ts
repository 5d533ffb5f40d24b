import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { keyed } from 'lit/directives/keyed.js';
import type { EntityChange, EntityRef } from '../../core/index.ts';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { DEMO_USERS } from '../demo-users.ts';
import { guardedForm, guardHtml, storyGuard } from './guarded-form.ts';
import { ORDER } from './sample-forms.ts';
import { lockOf, scriptedBackend, type ScriptedBackend } from './scripted-backend.ts';

interface BannerState {
  readonly backend: ScriptedBackend;
  readonly wait?: string;
  readonly idleAfter?: number;
  /** What the page does when the lock has come. */
  readonly acquired?: () => void;
}

const acquired = () => ({ outcome: 'acquired' }) as const;
const { ben } = DEMO_USERS;

/** News of the record's data, from Ben. */
const written = (operation: string) => (ref: EntityRef) => [
  { ...ref, operation, at: Date.now() * 1_000, by: ben.principal } satisfies EntityChange,
];
const takenOver = (ref: EntityRef): readonly EntityChange[] => {
  const lock = lockOf(ref, 'ben');
  return [{ ...ref, operation: 'TakenOver', lock, fence: lock.fence, at: lock.at }];
};

const HELD: BannerState = { backend: { answer: () => ({ outcome: 'held' }) } };

/** How each of them comes about. */
const STATES: Readonly<Record<string, BannerState>> = {
  held: HELD,
  'held, take-over allowed': { backend: { answer: () => ({ outcome: 'held', canTakeOver: true }) } },
  free: { backend: { answer: () => ({ outcome: 'held', lock: null }) }, wait: 'off' },
  lost: { backend: { answer: acquired, then: takenOver }, wait: 'off' },
  changed: { backend: { answer: acquired, then: written('Updated') } },
  deleted: { backend: { answer: acquired, then: written('Deleted') } },
  released: { backend: { answer: acquired }, acquired: () => void storyGuard().release() },
  'another window': { backend: { answer: () => ({ outcome: 'acquired', otherSessions: 1 }) } },
  idle: { backend: { answer: acquired }, idleAfter: 3_000 },
  unknown: { backend: { answer: () => ({ outcome: 'unknown' }) } },
  waiting: { backend: { answer: () => null } },
};

/** One after the other, without waiting for each to happen. */
export const bannerStates: Story = {
  id: 'banner-states',
  group: 'Banner',
  title: 'Every state',
  about:
    'Choose what has happened, and read what the banner says and offers. A scripted backend plays it, so the wire panel stays silent here. "idle" comes after 1.5 s, and "waiting" becomes "unknown" after 3 s, as for any claim that is not answered.',
  controls: [
    { kind: 'choice', name: 'state', label: 'State', options: Object.keys(STATES), initial: 'held' },
  ],
  render: (stage, { state }) => {
    const name = String(state);
    // Another backend makes the guard claim anew: one for each state, not one for each drawing.
    return html`${guard([stage, name], () => keyed(name, page(stage, STATES[name] ?? HELD)))}`;
  },
  source: () => guardHtml(ORDER),
};

function page(stage: StoryStage, { backend, wait, idleAfter, acquired: act }: BannerState): TemplateResult {
  const settings = { ...(wait && { wait }), ...(idleAfter && { idleAfter }) };
  const changed = ({ state }: HTMLElementEventMap['lock-statechange']) => {
    if (state === 'mine') act?.();
  };
  return html`<lock-provider
    data-user="anna"
    .config=${scriptedBackend(backend)}
    @lock-statechange=${changed}
  >
    ${guardedForm(stage.ref(), ORDER, settings)}
  </lock-provider>`;
}
