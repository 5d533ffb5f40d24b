import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import type { Story } from '../catalogue/story.ts';
import { annasPage } from './guarded-form.ts';
import { benHolds, benLetsGoOf, orderRows, type OrderRow } from './sample-rows.ts';

const FIRST = [2, 9, 260];
const MORE = [3, 4, 5];

export interface GridStory extends Pick<Story, 'id' | 'title' | 'about'> {
  readonly rows: number;
  /** Loads the grid's package and puts it there. Answers how to take it away again. */
  readonly make: (place: HTMLElement, rows: readonly OrderRow[]) => Promise<() => void>;
  readonly source: string;
}

/** A story about somebody else's grid. Its package is loaded when the story is opened, and not before. */
export function gridStory({ id, title, about, rows, make, source }: GridStory): Story {
  return {
    id,
    group: 'Grids',
    title,
    about,
    actions: [
      { label: 'Ben opens three more', run: (stage) => benHolds(stage, MORE) },
      { label: 'Ben closes all', run: (stage) => benLetsGoOf(stage, [...FIRST, ...MORE]) },
    ],
    begin: (stage) => benHolds(stage, FIRST),
    render: (stage) => {
      const mount = (place: Element | undefined) => {
        if (!(place instanceof HTMLElement)) return;
        make(place, orderRows(stage, rows)).then(
          (unmount) => stage.onLeave(unmount),
          (error: unknown) => stage.say(`could not load the grid: ${String(error)}`),
        );
      };
      // Once for each visit, however often the story is drawn.
      return html`${guard([stage], () => annasPage(stage, html`<div class="story-grid" ${ref(mount)}></div>`))}`;
    },
    source: () => source,
  };
}

/** The cell of every one of these grids. */
export function lockCell({ ref: { entityType, entityUid } }: Pick<OrderRow, 'ref'>): HTMLElement {
  const cell = document.createElement('locked-by-cell');
  Object.assign(cell, { entityType, entityUid });
  return cell;
}
