import { eachNamedField } from './named-fields.ts';
import { valuesOf } from './typed-values.ts';

/** What stands in each named field, in their order; a name whose boxes are all unchecked has an empty list. */
export type FieldValues = Readonly<Record<string, readonly string[]>>;

/** Collects them, as `typedValues` does. */
export function fieldValues(root: Element): FieldValues {
  const values: Record<string, string[]> = {};
  eachNamedField(root, (name, field) => {
    values[name] = [...(values[name] ?? []), ...valuesOf(name, field)];
  });
  return values;
}

/**
 * Puts values into the fields of these names as a person would have done, with the events that frameworks listen to.
 * Answers whether all of them found a place.
 */
export function putBackValues(root: Element, values: FieldValues): boolean {
  const left = new Map(Object.entries(values).map(([name, list]) => [name, [...list]]));
  eachNamedField(root, (name, field) => {
    const texts = left.get(name);
    if (texts !== undefined) putBack(field, texts);
  });
  const now = fieldValues(root);
  return Object.entries(values).every(([name, list]) => isSame(list, now[name]));
}

/** Whether two lists hold the same texts. */
export function isSame(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Takes from `texts` what belongs into this one of the fields of its name. */
function putBack(field: Element, texts: string[]): void {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
    const isWanted = texts.includes(field.value);
    if (field.checked !== isWanted) field.click();
    return;
  }
  if (field instanceof HTMLSelectElement) {
    for (const option of field.options) option.selected = texts.includes(option.value);
  } else if ('checked' in field && field.localName.includes('-')) {
    field.checked = texts.length > 0;
  } else {
    const text = texts.shift();
    if (text === undefined) return;
    if (field instanceof HTMLElement && field.isContentEditable) field.innerText = text;
    // By the prototype: React puts a property of its own before it, to tell what it has set itself.
    else Reflect.set(Object.getPrototypeOf(field) as object, 'value', text, field);
  }
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
