import { html } from 'lit';
import type { Story } from '../catalogue/story.ts';
import { annasPage, guardedForm, guardHtml } from './guarded-form.ts';
import { APPROVAL } from './sample-forms.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';

/** An editor whose toolbar and switch the guard does not reach. */
export const guardEditor: Story = {
  id: 'guard-editor',
  group: 'Guard',
  title: 'An editor with a switch of its own',
  about:
    'Rich text editors draw their toolbar elsewhere and have a read-only mode of their own. The event lock-blocking tells them. Here the comment and its toolbar stand outside the guard: let Ben take over and go, and they follow.',
  actions: [benTakesOver, benLetsGo],
  render: (stage) =>
    html`<div @lock-blocking=${follow}>
      <div class="story-editor">
        <p class="story-note" id="comment-label">Comment</p>
        <p class="story-buttons" role="toolbar" aria-labelledby="comment-label">
          ${['bold', 'italic'].map(
            (style) =>
              html`<button class="button" type="button" @click=${() => mark(style)}>
                ${style === 'bold' ? 'Bold' : 'Italic'}
              </button>`,
          )}
        </p>
        <div
          class="story-editable"
          role="textbox"
          tabindex="0"
          aria-multiline="true"
          aria-labelledby="comment-label"
          contenteditable="true"
        >
          The customer confirmed the slot by phone.
        </div>
      </div>
      ${annasPage(stage, guardedForm(stage.ref(), APPROVAL))}
    </div>`,
  source: () => `<div id="comment"></div>
${guardHtml(APPROVAL)}
<script type="module">
  import Quill from 'quill';
  const quill = new Quill('#comment', { theme: 'snow' });
  const guard = document.querySelector('lock-guard');
  guard.addEventListener('lock-blocking', (event) => {
    // Guards inside this one come by as well.
    if (event.target === guard) quill.enable(!event.blocked);
  });
  quill.enable(!guard.blocked);
</script>`,
};

/** The editor's own switch. */
function follow({ blocked, currentTarget }: HTMLElementEventMap['lock-blocking']): void {
  const editor = (currentTarget as HTMLElement).querySelector<HTMLElement>('.story-editor');
  const text = editor?.querySelector<HTMLElement>('.story-editable');
  if (!editor || !text) return;
  text.contentEditable = String(!blocked);
  text.ariaReadOnly = String(blocked);
  for (const button of editor.querySelectorAll('button')) button.disabled = blocked;
}

/** What a small editor does. */
function mark(style: string): void {
  const selection = getSelection();
  const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const text = document.querySelector('.story-editable');
  if (range === null || range.collapsed || text?.contains(range.commonAncestorContainer) !== true) return;
  const element = document.createElement(style === 'bold' ? 'strong' : 'em');
  element.append(range.extractContents());
  range.insertNode(element);
}
