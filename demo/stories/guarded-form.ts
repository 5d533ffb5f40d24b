import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { LockGuard } from '../../components/index.ts';
import type { EntityRef } from '../../core/index.ts';
import type { StoryStage } from '../catalogue/story.ts';
import { drawForm, formHtml, type BusinessForm } from './business-form.ts';

/** What a story sets on its guard; what is absent is the element's own default. */
export interface GuardSettings {
  /** Where a story has two. */
  readonly id?: string;
  readonly blocking?: string;
  readonly claim?: string;
  readonly wait?: string;
  readonly idleAfter?: number;
  readonly claimTimeout?: number;
  readonly lang?: string;
}

const GUARD_ID = 'story-guard';

/** Anna's page: the elements inside speak as her. */
export function annasPage(stage: StoryStage, content: unknown): TemplateResult {
  return html`<lock-provider .config=${stage.config('anna')}>${content}</lock-provider>`;
}

/** A form in its guard. `before` is put into the guard ahead of the form, such as a banner of its own. */
export function guardedForm(
  ref: EntityRef,
  form: BusinessForm,
  settings: GuardSettings = {},
  before: unknown = nothing,
): TemplateResult {
  const { id = GUARD_ID, blocking, claim, wait, idleAfter, claimTimeout, lang } = settings;
  return html`<lock-guard
    id=${id}
    entity-type=${ref.entityType}
    entity-uid=${ref.entityUid}
    blocking=${ifDefined(blocking)}
    claim=${ifDefined(claim)}
    wait=${ifDefined(wait)}
    idle-after=${ifDefined(idleAfter)}
    claim-timeout=${ifDefined(claimTimeout)}
    lang=${ifDefined(lang)}
    >${before}${drawForm(form)}</lock-guard
  >`;
}

/** The usual story: Anna's form of the visit's first record. */
export function annasForm(stage: StoryStage, form: BusinessForm, settings?: GuardSettings): TemplateResult {
  return annasPage(stage, guardedForm(stage.ref(), form, settings));
}

/** The story's guard that the page shows; throws where there is none, which a story's action has to hear. */
export function storyGuard(): LockGuard {
  const guard = document.querySelector<LockGuard>(`#${GUARD_ID}`);
  if (guard === null) throw new Error(`There is no #${GUARD_ID} on the page.`);
  return guard;
}

/** The HTML of a form in its guard. Attributes that are `''`, false or undefined are left out. */
export function guardHtml(
  form: BusinessForm,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  before = '',
): string {
  return `<lock-guard entity-type="${form.entityType}" entity-uid="${form.entityUid}"${attributesHtml(attributes)}>
${before}${formHtml(form)}
</lock-guard>`;
}

/** Attributes as they stand in a tag, each with a space before it. */
export function attributesHtml(
  attributes: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== '' && value !== false && value !== undefined)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${value}"`))
    .join('');
}
