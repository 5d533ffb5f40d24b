import { a11ySnapshot } from '@web/test-runner-commands';

interface Node {
  readonly role: string;
  readonly name: string;
  readonly value?: unknown;
  readonly disabled?: unknown;
  readonly checked?: string;
  readonly modal?: unknown;
  readonly live?: unknown;
  readonly atomic?: unknown;
  readonly children?: readonly Node[];
}

/** Inside of these, the name says what there is to read. */
const NAMED_BY_CONTENT = /^(button|textbox|checkbox)$/;

/** What assistive technology meets in an element, one line for each thing, indented as it is nested. */
export async function accessibilityTree(selector: string): Promise<string> {
  // Its typing knows no answer.
  const snapshot: unknown = await (a11ySnapshot as (payload: object) => Promise<unknown>)({ selector });
  return linesOf(snapshot as Node).join('\n');
}

function linesOf(node: Node): readonly string[] {
  const { role, name, value, disabled, checked, modal, live, atomic, children = [] } = node;
  // A label is in the name of its control.
  const shownOf = role === 'LabelText' ? children.filter(({ role }) => role !== 'StaticText') : children;
  const within = NAMED_BY_CONTENT.test(role) ? [] : mergeTexts(shownOf).flatMap(linesOf);
  if (/^(none|generic|LabelText|paragraph|time)$/.test(role)) return within;
  const shown = /^textbox$/.test(role) ? [`= ${String(value)}`] : [];
  const more = [
    ...(disabled === true ? ['disabled'] : []),
    ...(checked === undefined ? [] : [`checked ${checked}`]),
    ...(modal === true ? ['modal'] : []),
    ...(typeof live === 'string' && atomic === true ? [live] : []),
  ];
  const quoted = role === 'StaticText' ? name.trim().replace(/\.(?=\w)/g, '. ') : `${role} "${name}"`;
  const line = [quoted, ...shown, ...more].join(' ').replace(/ ""/, '');
  return [line, ...within.map((text) => `  ${text}`)];
}

/** The pieces of one sentence, which are apart because a name or a time is marked up, as that sentence. */
function mergeTexts(nodes: readonly Node[]): readonly Node[] {
  const texts = nodes.flatMap((node) =>
    /^(time|paragraph)$/.test(node.role) ? (node.children ?? []) : [node],
  );
  return texts.reduce<readonly Node[]>((merged, node) => {
    const last = merged.at(-1);
    return node.role === 'StaticText' && last?.role === 'StaticText'
      ? [...merged.slice(0, -1), { ...last, name: last.name + node.name }]
      : [...merged, node];
  }, []);
}
