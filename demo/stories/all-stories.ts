import type { Story } from '../catalogue/story.ts';
import { guardHeld } from './guard-held.ts';
import { twoPeople } from './two-people.ts';

/** The catalogue's stories, in the order of its navigation. */
export const ALL_STORIES: readonly Story[] = [twoPeople, guardHeld];
