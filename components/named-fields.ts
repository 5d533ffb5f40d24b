// Nothing secret leaves the form, and nothing that nobody typed (hidden fields carry tokens).
const LEFT_OUT =
  '[data-lock-private], [autocomplete*=password], [autocomplete^=cc-], [autocomplete=one-time-code], ' +
  ':disabled:not(fieldset), button, output, lock-banner, ' +
  'input:is([type=password], [type=file], [type=hidden], [type=submit], [type=reset], [type=button])';

/**
 * Visits the named fields drawn inside `root`, in their order, open shadow roots included: native controls, custom
 * elements with a `name`, and `[data-lock-name]`. Left out are secrets, files, buttons, what is disabled, and
 * everything in `[data-lock-private]`.
 */
export function eachNamedField(root: Element, visit: (name: string, field: Element) => void): void {
  if (root.matches(LEFT_OUT)) return;
  const name = root.getAttribute('data-lock-name') ?? root.getAttribute('name');
  if (name) visit(name, root);
  const slotted = root instanceof HTMLSlotElement ? root.assignedElements() : [];
  const children = slotted.length > 0 ? slotted : (root.shadowRoot ?? root).children;
  for (const child of children) eachNamedField(child, visit);
}
