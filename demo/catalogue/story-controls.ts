import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { StoryControl, StoryValues } from './story.ts';

/** The controls of a story, as a form that nobody sends. */
export function storyControls(
  controls: readonly StoryControl[],
  values: StoryValues,
  change: (name: string, value: string | number | boolean) => void,
): TemplateResult {
  return html`<form
    class="controls"
    data-testid="controls"
    @submit=${(event: Event) => event.preventDefault()}
  >
    ${controls.map((control) => field(control, values[control.name] ?? control.initial, change))}
  </form>`;
}

function field(
  control: StoryControl,
  value: string | number | boolean,
  change: (name: string, value: string | number | boolean) => void,
): TemplateResult {
  const { name, label } = control;
  const id = `control-${name}`;
  switch (control.kind) {
    case 'flag':
      return html`<div class="control control-flag">
        <input
          id=${id}
          type="checkbox"
          .checked=${live(value === true)}
          @change=${({ target }: Event) => change(name, (target as HTMLInputElement).checked)}
        />
        <label for=${id}>${label}</label>
      </div>`;
    case 'choice':
      return html`<div class="control">
        <label for=${id}>${label}</label>
        <select id=${id} @change=${({ target }: Event) => change(name, (target as HTMLSelectElement).value)}>
          ${control.options.map(
            (option) => html`<option value=${option} .selected=${live(option === value)}>${option}</option>`,
          )}
        </select>
      </div>`;
    case 'number':
      return html`<div class="control">
        <label for=${id}>${label}</label>
        <input
          id=${id}
          type="number"
          min=${control.min}
          max=${control.max}
          step=${control.step}
          .value=${live(String(value))}
          @change=${({ target }: Event) => {
            const input = target as HTMLInputElement;
            if (input.value !== '' && input.checkValidity()) change(name, input.valueAsNumber);
          }}
        />
      </div>`;
    case 'text':
      return html`<div class="control">
        <label for=${id}>${label}</label>
        <input
          id=${id}
          type="text"
          maxlength="200"
          autocomplete="off"
          .value=${live(String(value))}
          @input=${({ target }: Event) => change(name, (target as HTMLInputElement).value)}
        />
      </div>`;
  }
}
