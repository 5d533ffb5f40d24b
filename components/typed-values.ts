import { eachNamedField } from './named-fields.ts';

/** A form's contents by field name; a name that occurs more than once has an array. */
export type TypedValues = Readonly<Record<string, string | readonly string[]>>;

/** Collects what stands in the named fields inside `root`. Unchecked boxes are left out, as in `FormData`. */
export function typedValues(root: Element): TypedValues {
  const values: Record<string, string | string[]> = {};
  eachNamedField(root, (name, field) => {
    for (const value of valuesOf(name, field)) {
      const known = values[name];
      values[name] = known === undefined ? value : [...[known].flat(), value];
    }
  });
  return values;
}

/** What one field holds: nothing, a value, or several. Of a custom element, its `value`, or what it told its form. */
export function valuesOf(name: string, field: Element): readonly string[] {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value);
  if (field instanceof HTMLElement && field.isContentEditable) return [field.innerText];
  const { type, checked, value } = field as Partial<Record<'type' | 'checked' | 'value', unknown>>;
  const isCustom = field.localName.includes('-');
  if (checked === false && (isCustom || /checkbox|radio/.test(String(type)))) return [];
  const form = isCustom && typeof value !== 'string' ? field.closest('form') : null;
  const values = form ? new FormData(form).getAll(name) : [value].flat();
  return values.filter((part) => /string|number/.test(typeof part)).map(String);
}
