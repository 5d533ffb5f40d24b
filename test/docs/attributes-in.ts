/** Attributes that every element has, or that belong to somebody else. */
const ANYBODYS =
  /^(?:id|class|slot|style|dir|lang|hidden|part|role|title|key|ref|tabindex|hx-.+|data-.+|aria-.+|v-.+|…)$/;

/**
 * The attributes and listeners of Rowlock's elements in markup of any kind: HTML, JSX, Vue, Svelte, Angular, Lit. As
 * written in HTML: `:entity-uid`, `[attr.entity-uid]` and `.entityUid` are `entity-uid` (or the property), `@lock-lost`,
 * `onlock-lost` and `(lock-lost)` are `lock-lost`. An element without any has one that is empty.
 */
export function attributesIn(
  markup: string,
): readonly { readonly tag: string; readonly attribute: string }[] {
  const used: { tag: string; attribute: string }[] = [];
  for (const { index, 0: start, 1: tag = '' } of markup.matchAll(
    /<(lock-[a-z-]+|locked-by-cell)(?=[\s>/])/g,
  )) {
    used.push({ tag, attribute: '' });
    let at = index + start.length;
    while (at < markup.length) {
      const rest = markup.slice(at);
      const [found, name = ''] = /^\s*\/?>|^\s*([^\s=>]+)/.exec(rest) ?? [];
      if (found === undefined || name === '') break;
      at += found.length;
      if (markup[at] === '=') at = endOfValue(markup, at + 1);
      const attribute = plainName(name);
      if (!ANYBODYS.test(attribute) && !name.startsWith('{')) used.push({ tag, attribute });
    }
  }
  return used;
}

function plainName(name: string): string {
  return name
    .replace(/^\[attr\.([^\]]+)\]$|^\[([^\]]+)\]$|^\(([^)]+)\)$/, (_, ...found: (string | undefined)[]) =>
      found.slice(0, 3).join(''),
    )
    .replace(/^(?:v-bind:|v-on:|bind:|hx-on:|[:@.?])/, '')
    .replace(/^on:?(?=lock-)/, '')
    .replace(/(?<=[a-z])\.(?:once|stop|prevent|prop|attr)$/, '');
}

/** The end of a value: quoted, in braces (which nest), or up to a space. */
function endOfValue(markup: string, start: number): number {
  const quote = markup[start];
  if (quote === '"' || quote === "'") {
    const end = markup.indexOf(quote, start + 1);
    return end === -1 ? markup.length : end + 1;
  }
  const brace = markup.startsWith('${', start) ? start + 1 : start;
  if (markup[brace] === '{') {
    let depth = 0;
    for (let at = brace; at < markup.length; at += 1) {
      if (markup[at] === '{') depth += 1;
      if (markup[at] === '}') depth -= 1;
      if (depth === 0) return at + 1;
    }
    return markup.length;
  }
  const end = /[\s>]/.exec(markup.slice(start));
  return end === null ? markup.length : start + end.index;
}
