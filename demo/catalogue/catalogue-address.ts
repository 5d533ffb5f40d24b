import type { Story, StoryControl, StoryValues } from './story.ts';

/** What a page of the catalogue is about. */
export interface CataloguePlace {
  readonly story: Story;
  readonly values: StoryValues;
}

const MAX_TEXT = 200;

/**
 * Reads `?story=<id>&<control>=<value>`. An unknown story is the first one, and a value that its control could not have
 * is its initial one. Throws a RangeError without stories.
 */
export function readPlace(search: string, stories: readonly Story[]): CataloguePlace {
  const query = new URLSearchParams(search);
  const story = stories.find(({ id }) => id === query.get('story')) ?? stories[0];
  if (story === undefined) throw new RangeError('The catalogue has no stories.');
  const values = (story.controls ?? []).map((control) => [
    control.name,
    valueOf(control, query.get(control.name)),
  ]);
  return { story, values: Object.fromEntries(values) as StoryValues };
}

/** The deep link of a place, relative to the page. Names only what differs from the first look. */
export function placeHref({ story, values }: CataloguePlace, backend: string | null): string {
  const query = new URLSearchParams({ story: story.id });
  for (const { name, initial } of story.controls ?? []) {
    const value = values[name];
    if (value !== undefined && value !== initial) query.set(name, String(value));
  }
  if (backend !== null) query.set('backend', backend);
  return `?${query.toString()}`;
}

/** What the controls of a story say at first. */
export function initialValues({ controls = [] }: Story): StoryValues {
  return Object.fromEntries(controls.map(({ name, initial }) => [name, initial]));
}

function valueOf(control: StoryControl, text: string | null): string | number | boolean {
  if (text === null) return control.initial;
  switch (control.kind) {
    case 'choice':
      return control.options.includes(text) ? text : control.initial;
    case 'flag':
      return text === 'true' || (text === 'false' ? false : control.initial);
    case 'number': {
      const number = text.trim() === '' ? Number.NaN : Number(text);
      return number >= control.min && number <= control.max ? number : control.initial;
    }
    case 'text':
      return text.slice(0, MAX_TEXT);
  }
}
