import type { StoryAction } from '../catalogue/story.ts';

/** What Ben does in most stories, with the visit's first record. */
export const benOpens: StoryAction = {
  label: 'Ben opens it',
  run: (stage) => {
    // Where the record is Anna's, he waits for it, and nobody waits for him.
    stage.hold('ben', stage.ref()).catch(() => {});
  },
};
export const benLetsGo: StoryAction = {
  label: 'Ben lets go',
  run: (stage) => stage.letGo('ben', stage.ref()),
};
export const benTakesOver: StoryAction = {
  label: 'Ben takes over',
  run: (stage) => stage.takeOver('ben', stage.ref()),
};
