import type { TemplateResult } from 'lit';
import type { LockClient, RowlockConfig } from '../../components/client/index.ts';
import type { EntityRef } from '../../core/index.ts';
import type { MockFailure } from '../../mocks/index.ts';
import type { DemoUserKey } from '../demo-users.ts';
import type { DeskOwner } from '../user-desk.ts';

/** Something that a reader sets while a story runs. `name` is the attribute's, where it is one. */
export type StoryControl =
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly options: readonly string[];
      readonly initial: string;
    }
  | { readonly kind: 'flag'; readonly name: string; readonly label: string; readonly initial: boolean }
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly label: string;
      readonly initial: number;
      readonly min: number;
      readonly max: number;
      readonly step: number;
    }
  | { readonly kind: 'text'; readonly name: string; readonly label: string; readonly initial: string };

/** What the controls say now, by name. */
export type StoryValues = Readonly<Record<string, string | number | boolean>>;

/** Something that happens at the press of a button: "Ben takes over", "The hub goes away". */
export interface StoryAction {
  readonly label: string;
  readonly run: (stage: StoryStage) => void | Promise<void>;
}

/** What a story plays on. Each visit has records of its own, and whatever it opened ends with it. */
export interface StoryStage {
  readonly backend: 'live' | 'mock';
  /** Record `n` of this visit: nobody else has it. Lockable on the demo's server, too. */
  ref(n?: number): EntityRef;
  /** For `<lock-provider .config>`: speaks as this user, and is heard by the panel of the wire. The same each time. */
  config(user: DemoUserKey): RowlockConfig;
  /** For `<user-desk .owner>` and a `RequestClient`: this user's token and ear, for the application's own API. */
  owner(user: DemoUserKey): DeskOwner;
  /** A page of this user elsewhere: what it opens holds locks as any page does, renewals included. */
  elsewhere(user: 'anna' | 'ben'): LockClient;
  /** Resolves when `user` holds the record from elsewhere. */
  hold(user: 'anna' | 'ben', ref: EntityRef): Promise<void>;
  /** Resolves when `user` has let go of it again. */
  letGo(user: 'anna' | 'ben', ref: EntityRef): Promise<void>;
  /** Resolves when `user` has taken the record over from elsewhere. */
  takeOver(user: 'anna' | 'ben', ref: EntityRef): Promise<void>;
  /** Breaks the backend, or mends it with null. Only where `backend` is `mock`. */
  fail(failure: MockFailure | null): void;
  /** A line in the event log, beside the lock events, which are there by themselves. */
  say(text: string): void;
  /** Runs when the reader leaves the story. */
  onLeave(undo: () => void): void;
}

/** The left navigation's headings, in their order. */
export const STORY_GROUPS = [
  'Start here',
  'Guard',
  'Banner',
  'Cell and lists',
  'Grids',
  'Looks',
  'Languages',
  'When things break',
  'Time and tabs',
] as const;

/** One page of the catalogue. */
export interface Story {
  /** Its deep link: `?story=guard-held`. */
  readonly id: string;
  readonly group: (typeof STORY_GROUPS)[number];
  readonly title: string;
  /** Two or three sentences: what to see here, and what to try. */
  readonly about: string;
  readonly controls?: readonly StoryControl[];
  readonly actions?: readonly StoryAction[];
  /** It needs a backend that can be broken: on the live server, the page says so and offers the switch. */
  readonly needsMock?: boolean;
  /** What happened before the reader came. The story is drawn when this has settled. */
  readonly begin?: (stage: StoryStage) => void | Promise<void>;
  readonly render: (stage: StoryStage, values: StoryValues) => TemplateResult;
  /** The HTML to copy: what an application would write, with the values as attributes. */
  readonly source: (values: StoryValues) => string;
}
