import { expect, html } from '@open-wc/testing';
import '../../components/define.ts';
import type { LockGuard } from '../../components/lock-guard.ts';
import { accessibilityTree } from './accessibility-tree.ts';
import { FakeLockClient, fixtureWith } from './fake-lock-client.ts';
import { showState, shownStates } from './shown-states.ts';
import { nextDrawing } from './user-input.ts';

const TREES: Readonly<Record<string, string>> = {
  idle: `status polite
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  claiming: `status polite
  Please wait…`,
  mine: `status polite
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  held: `status polite
  Anna is editing this record.
Since ##:##. Free by ##:## unless Anna continues.`,
  'held, take-over allowed': `status polite
  Anna is editing this record.
Since ##:##. Free by ##:## unless Anna continues.
button "Take over"`,
  'held, readonly': `status polite
  Anna is editing this record.
Since ##:##. Free by ##:## unless Anna continues.
group "⁨Anna⁩ is editing this record." disabled
  form
    textbox "Title" = A title disabled
    checkbox "Urgent" disabled checked true
    button "Approve" disabled`,
  'the question': `dialog "Take over from Anna? Anna can then no longer save." modal
  form
    Take over from Anna? Anna can then no longer save.
    button "Cancel"
    button "Take over"`,
  free: `status polite
  This record is free now.
button "Edit"`,
  lost: `status polite
  Anna took over this record.
Your text can still be copied. Free by ##:## unless Anna continues.
button "Take over"
group "⁨Anna⁩ took over this record." disabled
  form
    textbox "Title" = A title disabled
    checkbox "Urgent" disabled checked true
    button "Approve" disabled`,
  changed: `status polite
  This record has changed since you opened it.
Your text can still be copied.
button "Reload"`,
  'changed by somebody': `status polite
  This record has changed since you opened it.
By Anna. Your text can still be copied.
button "Reload"
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  deleted: `status polite
  This record was deleted.
By Anna. Your text can still be copied.
button "Reload"
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  loadFailed: `status polite
  This record could not be loaded.
button "Reload"`,
  reconnecting: `status polite
  Reconnecting…
You can go on until ##:##.
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  otherWindow: `status polite
  You are editing this record in another window, too.
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  unknown: `status polite
  Locking is not available.
You can go on, but so can others.
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  error: `status polite
  Locking is not available.
You can go on, but so can others. Reason: Type "Order" is not lockable. (type-not-lockable)
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
  released: `status polite
  You are no longer editing this record.
button "Edit"
form
  textbox "Title" = A title
  checkbox "Urgent" checked true
  button "Approve"`,
};

describe('the accessibility tree (R5, R8, F34)', () => {
  for (const state of shownStates('Anna')) {
    it(`while ${state.name}`, async () => {
      const client = new FakeLockClient();
      const guard = await fixtureWith<LockGuard>(
        client,
        html`<lock-guard
          id="guard"
          lang="en-GB"
          entity-type="Order"
          entity-uid="1"
          blocking=${state.settings?.blocking ?? 'inert'}
          claim=${state.settings?.claim ?? 'open'}
        >
          <form>
            <label>Title <input name="title" value="A title" /></label>
            <label><input type="checkbox" checked /> Urgent</label>
            <button>Approve</button>
          </form>
        </lock-guard>`,
      );
      await showState(state, guard, client);
      await nextDrawing();
      const tree = (await accessibilityTree('#guard')).replace(/\d\d:\d\d/g, '##:##');
      expect(tree).to.equal(TREES[state.name]);
    });
  }
});
