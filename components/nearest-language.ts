import { composedParent } from './composed-parent.ts';

/** The language of the nearest `[lang]` around a node, through shadow boundaries; `""` where nobody says. */
export function nearestLanguage(start: Node): string {
  for (let node: Node | null = start; node !== null; node = composedParent(node)) {
    if (node instanceof HTMLElement && node.lang !== '') return node.lang;
  }
  return '';
}
