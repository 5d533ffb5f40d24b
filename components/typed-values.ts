/** A form's contents by field name; a name that occurs more than once has an array. */
export type TypedValues = Readonly<Record<string, string | readonly string[]>>;

// Nothing secret leaves the form, and nothing that nobody typed (hidden fields carry tokens).
const LEFT_OUT =
  '[data-lock-private], [autocomplete*=password], [autocomplete^=cc-], [autocomplete=one-time-code], ' +
  ':disabled:not(fieldset), button, output, lock-banner, :is([type=checkbox], [type=radio]):not(:checked), ' +
  'input:is([type=password], [type=file], [type=hidden], [type=submit], [type=reset], [type=button])';

/**
 * Collects what stands in the named fields inside `root`, open shadow roots included: native controls, custom elements
 * with a `name` and a text `value`, and `[contenteditable][data-lock-name]`. Unchecked boxes and disabled fields are
 * left out, as in `FormData`.
 */
export function typedValues(root: Element): TypedValues {
  const values: Record<string, string | string[]> = {};
  const collect = (node: Element): void => {
    if (node.matches(LEFT_OUT)) return;
    const name = node.getAttribute('data-lock-name') ?? node.getAttribute('name');
    for (const value of name ? valuesOf(node) : []) {
      const known = values[name ?? ''];
      values[name ?? ''] = known === undefined ? value : [...[known].flat(), value];
    }
    const slotted = node instanceof HTMLSlotElement ? node.assignedElements() : [];
    for (const child of slotted.length > 0 ? slotted : (node.shadowRoot ?? node).children) collect(child);
  };
  collect(root);
  return values;
}

function valuesOf(field: Element): readonly string[] {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value);
  if (field instanceof HTMLElement && field.isContentEditable) return [field.innerText];
  const value = 'value' in field ? field.value : undefined;
  return typeof value === 'string' ? [value] : [];
}
