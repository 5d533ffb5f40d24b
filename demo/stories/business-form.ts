import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/** A field of a form as an office has it. `wide` takes the whole line. */
export interface BusinessField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly kind?: 'text' | 'number' | 'date' | 'email' | 'area' | 'choice';
  readonly options?: readonly string[];
  readonly wide?: boolean;
}

/** A form that stories show and print: both come from here, so that what is copied is what was seen. */
export interface BusinessForm {
  /** The type and uid that the printed HTML names. On the stage, each visit has a record of its own. */
  readonly entityType: string;
  readonly entityUid: string;
  readonly title: string;
  readonly fields: readonly BusinessField[];
  /** The first one submits. */
  readonly buttons: readonly string[];
}

/** The form as the stage shows it. Nothing is sent: these records exist in the story alone. */
export function drawForm({ title, fields, buttons }: BusinessForm): TemplateResult {
  return html`<form
    class="story-form"
    aria-label=${title}
    @submit=${(event: Event) => event.preventDefault()}
  >
    <p class="story-form-title">${title}</p>
    <div class="story-fields">${fields.map(drawField)}</div>
    <div class="story-buttons">
      ${buttons.map(
        (text, index) =>
          html`<button class="button" type=${index === 0 ? 'submit' : 'button'}>${text}</button>`,
      )}
    </div>
  </form>`;
}

function drawField({ name, label, value, kind = 'text', options = [], wide }: BusinessField): TemplateResult {
  return html`<label class=${wide || kind === 'area' ? 'story-field story-field-wide' : 'story-field'}>
    <span>${label}</span>
    ${
      kind === 'area'
        ? html`<textarea name=${name} rows="2" .defaultValue=${live(value)}></textarea>`
        : kind === 'choice'
          ? html`<select name=${name}>
              ${options.map((option) => html`<option ?selected=${option === value}>${option}</option>`)}
            </select>`
          : html`<input name=${name} type=${kind} value=${value} autocomplete="off" />`
    }
  </label>`;
}

/** The same form as HTML, indented by `indent` spaces. */
export function formHtml({ fields, buttons }: BusinessForm, indent = 2): string {
  const lines = [
    '<form>',
    ...fields.map((field) => `  <label>${field.label} ${fieldHtml(field)}</label>`),
    ...buttons.map((text, index) => `  <button${index === 0 ? '' : ' type="button"'}>${text}</button>`),
    '</form>',
  ];
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

function fieldHtml({ name, value: text, kind = 'text', options = [] }: BusinessField): string {
  const value = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  if (kind === 'area') return `<textarea name="${name}">${value}</textarea>`;
  const type = kind === 'text' ? '' : ` type="${kind}"`;
  if (kind !== 'choice') return `<input name="${name}"${type} value="${value}" />`;
  const tags = options.map((option) => `<option${option === text ? ' selected' : ''}>${option}</option>`);
  return `<select name="${name}">${tags.join('')}</select>`;
}
