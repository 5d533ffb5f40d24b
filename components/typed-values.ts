/** A form's contents by field name; a name that occurs more than once has an array. */
export type TypedValues = Readonly<Record<string, string | readonly string[]>>;

// Nothing secret leaves the form, and nothing that nobody typed (hidden fields carry tokens).
const PRIVATE =
  '[data-lock-private], [autocomplete*=password], [autocomplete^=cc-], [autocomplete=one-time-code], lock-banner';
const NOT_TYPED = new Set(['password', 'file', 'hidden', 'submit', 'reset', 'button', 'image']);

/**
 * Collects what stands in the named fields inside `root`, open shadow roots included: native controls, custom elements
 * with a `name` and a text `value`, and `[contenteditable][data-lock-name]`. Unchecked boxes and disabled fields are
 * left out, as in `FormData`.
 */
export function typedValues(root: Element): TypedValues {
  const values: Record<string, string | string[]> = {};
  for (const field of fieldsIn(root)) {
    const name = field.dataset['lockName'] ?? field.getAttribute('name');
    if (name === null || name === '') continue;
    for (const value of valuesOf(field)) {
      const known = values[name];
      values[name] = known === undefined ? value : [...[known].flat(), value];
    }
  }
  return values;
}

function* fieldsIn(node: Element): Generator<HTMLElement> {
  if (node.matches(PRIVATE)) return;
  if (node instanceof HTMLElement) yield node;
  const slotted = node instanceof HTMLSlotElement ? node.assignedElements() : [];
  for (const child of slotted.length > 0 ? slotted : (node.shadowRoot ?? node).children)
    yield* fieldsIn(child);
}

function valuesOf(field: HTMLElement): readonly string[] {
  if (field.matches(':disabled')) return [];
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map((option) => option.value);
  if (field instanceof HTMLInputElement) {
    if (NOT_TYPED.has(field.type) || (/^(checkbox|radio)$/.test(field.type) && !field.checked)) return [];
  }
  if (field instanceof HTMLButtonElement || field instanceof HTMLOutputElement) return [];
  if (field.dataset['lockName'] !== undefined && field.isContentEditable) return [field.innerText];
  const value = 'value' in field ? field.value : undefined;
  return typeof value === 'string' ? [value] : [];
}
