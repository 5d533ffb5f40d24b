/** Something that a person did at their desk, in words: "saved REQ-2041". Bubbles. */
export class DeskActivity extends Event {
  readonly text: string;

  constructor(text: string) {
    super('desk-activity', { bubbles: true, composed: true });
    this.text = text;
  }
}

declare global {
  interface HTMLElementEventMap {
    'desk-activity': DeskActivity;
  }
}
