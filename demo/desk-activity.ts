import type { DemoUserKey } from './demo-users.ts';

/** Something that a user of the demo did, in words: "saved REQ-2041". Bubbles. */
export class DeskActivity extends Event {
  readonly user: DemoUserKey;
  readonly text: string;
  /** What went over the wire for it, for those who read along. */
  readonly call: string | undefined;

  constructor(user: DemoUserKey, text: string, call?: string) {
    super('desk-activity', { bubbles: true, composed: true });
    this.user = user;
    this.text = text;
    this.call = call;
  }
}

declare global {
  interface HTMLElementEventMap {
    'desk-activity': DeskActivity;
  }
}
