import { html, type TemplateResult } from 'lit';

/** Comment, tag with its attributes; whatever is between them is text. */
const PIECES = /<!--[^]*?-->|<\/?[\w-]+(?:"[^"]*"|'[^']*'|[^"'>])*>/g;
/** Name of the tag or attribute, quoted value. */
const PARTS = /(<\/?[\w-]+|\/?>)|("[^"]*"|'[^']*')|([^"'<>]+)/g;

/** HTML as text, with its tags, values and comments in colours. For reading: it accepts what is no HTML as well. */
export function highlightHtml(source: string): readonly (TemplateResult | string)[] {
  const shown: (TemplateResult | string)[] = [];
  let end = 0;
  for (const { 0: piece, index } of source.matchAll(PIECES)) {
    shown.push(source.slice(end, index));
    if (piece.startsWith('<!--')) shown.push(html`<span class="code-comment">${piece}</span>`);
    else for (const part of piece.matchAll(PARTS)) shown.push(coloured(part));
    end = index + piece.length;
  }
  shown.push(source.slice(end));
  return shown;
}

function coloured([all, tag, value]: RegExpExecArray): TemplateResult | string {
  if (tag !== undefined) return html`<span class="code-tag">${tag}</span>`;
  return value === undefined ? all : html`<span class="code-value">${value}</span>`;
}
