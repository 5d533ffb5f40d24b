/** One file of `lua/`: `claim.lua`, `include/clock.lua`. */
export interface LuaFile {
  readonly name: string;
  readonly source: string;
}

/** A script with its head: the contract, which other services read. */
export interface LuaVerb extends LuaFile {
  /** With its includes. */
  readonly flattened: string;
  /** What the server gives it. */
  readonly argumentNames: readonly string[];
}

/** Every status that a script may answer. */
const STATUSES = ['acquired', 'own', 'held', 'lost', 'released', 'kept', 'gone', 'busy', 'stale', 'late'];
const PUBLISHES = ['PUBLISH', 'SPUBLISH'];
/** Commands all of whose arguments are keys. */
const KEYS_ALONE = ['DEL', 'UNLINK', 'EXISTS', 'MGET', 'GET', 'PTTL'];
/** Names that hold a text, wherever they are used. */
const TEXT_NAMES = ['holder', 'record', 'session', 'channel', 'message', 'operation'];

/** The code alone. */
export function withoutComments(lua: string): string {
  return lua.replace(/--\[\[.*?\]\]/gs, '').replace(/--.*$/gm, '');
}

/**
 * What is wrong with a file by the rules that Redis, its proxies and clusters, and other Lua versions ask for: literal
 * command names, declared keys alone, no number where a text is meant, no JSON written, publishing in one place.
 */
export function luaFileFaults({ name, source }: LuaFile): readonly string[] {
  const code = withoutComments(source);
  const faults: string[] = [];
  const check = (isGood: boolean, fault: string) => {
    if (!isGood) faults.push(fault);
  };
  const calls = [...code.matchAll(/redis\.(p?call)\('([A-Z]+)'(?=[,)])/g)].map(
    ({ 0: start, 1: way, 2: command, index }) => ({
      way,
      command: command ?? '',
      args: splitTopLevel(bracketed(code, index + start.indexOf('('))).slice(1),
    }),
  );
  check(
    count(code, /\bredis\b/g) === calls.length,
    'redis: used otherwise than redis.call(’NAME’, …) in upper case',
  );
  for (const { way, command, args } of calls) {
    const isPublish = PUBLISHES.includes(command);
    check(
      (way === 'pcall') === isPublish,
      `${command}: by ${way ?? ''}; a publication, and it alone, may fail`,
    );
    check(!isPublish || name === 'include/publish.lua', `${command}: publishing is include/publish.lua's`);
    const keys =
      command === 'TIME' || isPublish ? [] : KEYS_ALONE.includes(command) ? args : args.slice(0, 1);
    for (const key of keys) check(/^KEYS\[\d\]$/.test(key), `${command}: ${key} is no declared key`);
    check(command === 'TIME' || isPublish || keys.length > 0, `${command}: no key`);
    for (const arg of args) check(isText(arg), `${command}: ${arg} may be a number`);
  }
  for (const [table, ...after] of code.matchAll(/\b(?:KEYS|ARGV)\b(.{0,3})/gs)) {
    check(/^\[\d\]/.test(after[0] ?? ''), `${table}: not by its number`);
  }
  for (const { left, right } of joins(code)) {
    check(isText(left), `${left} ..: may be a number`);
    check(isText(right), `.. ${right}: may be a number`);
  }
  check(
    !/\btostring\b|\btable\.concat\b|\bstring\.rep\b/.test(code),
    'a number may be made a text by other means',
  );
  for (const [, how] of code.matchAll(/string\.format\(([^,)]*)/g))
    check(how === "'%.0f'", `format ${how ?? ''}`);
  check(!/:format\(|\.format\b(?!\()/.test(code), 'string.format: called otherwise');
  check(
    count(code, /\bcjson\b/g) === count(code, /\bpcall\(cjson\.decode, /g),
    'cjson: but for pcall(cjson.decode, …)',
  );
  check(!/'lock|\{' *\.\./.test(code), 'makes a key name');
  check(!/\b(load|loadstring|dofile|require|setfenv|getfenv|rawset|_G|unpack)\b/.test(code), 'dynamic code');
  check(!/^\s*function /m.test(code), 'a global function');
  const locals = localsOf(code);
  for (const [, names = ''] of code.matchAll(
    /^\s*(?:(?:else)?if .* then |else )?((?:local )?[a-z_, ]+) = /gim,
  )) {
    if (names.startsWith('local ')) continue;
    for (const each of names.split(',')) check(locals.has(each.trim()), `${each.trim()}: a global`);
  }
  return faults;
}

/** What is wrong with a script of its own: its head says something else than its body, or it does not publish last. */
export function luaVerbFaults({ source, flattened, argumentNames }: LuaVerb): readonly string[] {
  const head = /^--\[\[(.*?)\]\]/s.exec(source)?.[1] ?? '';
  const own = withoutComments(source);
  const code = withoutComments(flattened);
  const section = (label: string) =>
    new RegExp(`^ {2}${label} (.*?)(?=^ {2}\\w|(?![\\s\\S]))`, 'ms').exec(head)?.[1] ?? '';
  const declared = (label: string) =>
    [...section(label).matchAll(/(?:^|\s)(\d+) (?=[a-z])/g)].map(([, number]) => Number(number));
  const used = (table: string) =>
    [
      ...new Set([...code.matchAll(new RegExp(`\\b${table}\\[(\\d+)\\]`, 'g'))].map(([, at]) => Number(at))),
    ].sort((a, b) => a - b);
  const faults: string[] = [];
  const same = (what: string, one: readonly unknown[], other: readonly unknown[]) => {
    if (one.join() !== other.join())
      faults.push(`${what}: ${one.join()} in the head, ${other.join()} in the body`);
  };
  same('KEYS', declared('KEYS'), used('KEYS'));
  same('ARGV', declared('ARGV'), used('ARGV'));
  same(
    'what the server gives',
    declared('ARGV'),
    argumentNames.map((_, at) => at + 1),
  );
  const statuses = /status: ([a-z |]+)/.exec(section('Reply'))?.[1]?.split('|') ?? [];
  same(
    'statuses',
    statuses.map((status) => status.trim()).sort(),
    STATUSES.filter((each) => own.includes(`'${each}'`)).sort(),
  );

  const replies = [...own.matchAll(/return \{ (.*) \}/g)].map(
    ([, values]) => splitTopLevel(values ?? '').length,
  );
  const promised = splitTopLevel(/\{ (.*) \}/.exec(section('Reply'))?.[1] ?? '').length;
  if (replies.some((length) => length !== promised))
    faults.push(`Reply: ${replies.join()} values, ${promised} in the head`);

  if (count(code, /'TIME'/g) !== 1 || count(own, /\bclock\(\)/g) !== 1)
    faults.push('the clock: not read once');
  const refusal = own.indexOf("if isLate(ARGV[3], now) then return { 'late'");
  if (refusal < 0 || /\bredis\b|\b(?!clock|tonumber|isLate)\w+\(/.test(own.slice(0, refusal)))
    faults.push('the deadline: something is done before it is looked at');

  const published = [...own.matchAll(/^ *publish\(.*\)\n(.*)$/gm)];
  if (published.length === 0) faults.push('publishes nothing');
  if (published.length !== count(own, /\bpublish\(/g)) faults.push('publish: not a line of its own');
  for (const [, next = ''] of published)
    if (!/^ *return \{ [^\n]* \}$/.test(next) || /\w\(/.test(next))
      faults.push(`publish: not last, but for ${next.trim()}`);
  return faults;
}

/** A literal, a declared key or argument, `whole(…)`, a text by its name, or such texts joined. */
function isText(expression: string): boolean {
  const text = expression.trim();
  const parts = splitAtJoins(text);
  if (parts.length > 1) return parts.every(isText);
  return (
    /^('[^']*'|-?\d+|(KEYS|ARGV)\[\d\])$/.test(text) ||
    TEXT_NAMES.includes(text) ||
    (text.startsWith('whole(') && bracketed(text, 5).length === text.length - 'whole()'.length)
  );
}

/** Both sides of each `..`. */
function joins(code: string): readonly { readonly left: string; readonly right: string }[] {
  return code
    .replace(/\n\s*\.\./g, ' ..')
    .split('\n')
    .flatMap((line) => {
      const parts = splitAtJoins(line);
      return parts
        .slice(1)
        .map((right, at) => ({ left: lastOperand(parts[at] ?? ''), right: firstOperand(right) }));
    });
}

/** What stands before a `..`: back to the bracket, comma or sign that it hangs on. */
function lastOperand(text: string): string {
  let depth = 0;
  let quoted = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text[at] ?? '';
    if (sign === "'") quoted = !quoted;
    if (quoted) continue;
    if (sign === ')' || sign === ']') depth += 1;
    if (sign === '(' || sign === '[') depth -= 1;
    if (depth < 0 || (depth === 0 && /[,={]/.test(sign))) return text.slice(at + 1).trim();
    if (depth === 0 && /\s/.test(sign) && text.slice(at).trim() !== '') return text.slice(at).trim();
  }
  return text.trim();
}

/** What stands behind it. */
function firstOperand(text: string): string {
  const [operand = ''] = /^\s*('[^']*'|[\w.]+)/.exec(text) ?? [];
  const rest = text.slice(operand.length);
  if (rest.startsWith('(') || rest.startsWith('[')) {
    return `${operand.trim()}${rest[0] ?? ''}${bracketed(rest, 0)}${rest.startsWith('(') ? ')' : ']'}`;
  }
  return operand.trim() === '' ? text.trim() : operand.trim();
}

/** What stands in the brackets that open at `open`; quoted ones do not count. */
function bracketed(code: string, open: number): string {
  let depth = 0;
  let quoted = false;
  for (let at = open; at < code.length; at += 1) {
    const sign = code[at] ?? '';
    if (sign === "'") quoted = !quoted;
    if (quoted) continue;
    if (/[([{]/.test(sign)) depth += 1;
    if (/[)\]}]/.test(sign)) depth -= 1;
    if (depth === 0) return code.slice(open + 1, at);
  }
  return code.slice(open + 1);
}

function splitTopLevel(list: string): readonly string[] {
  return split(list, ',', true).map((part) => part.trim());
}

/** At every `..` outside quotes. */
function splitAtJoins(text: string): readonly string[] {
  return split(text, '..', false);
}

function split(text: string, separator: string, topLevelAlone: boolean): readonly string[] {
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === "'") quoted = !quoted;
    if (!quoted && /[([{]/.test(sign)) depth += 1;
    if (!quoted && /[)\]}]/.test(sign)) depth -= 1;
    if (!quoted && (depth === 0 || !topLevelAlone) && text.startsWith(separator, at)) {
      parts.push('');
      at += separator.length - 1;
    } else parts.push((parts.pop() ?? '') + sign);
  }
  return parts;
}

/** Every name that is declared local: by `local`, as a parameter, or by `for`. */
function localsOf(code: string): ReadonlySet<string> {
  const lists = [
    ...code.matchAll(/\blocal (?!function)([\w, ]+?)(?: =|$)/gm),
    ...code.matchAll(/function \w+\(([\w, ]*)\)/g),
    ...code.matchAll(/\bfor ([\w, ]+?) (?:=|in)\b/g),
  ];
  return new Set(lists.flatMap(([, names = '']) => names.split(',')).map((each) => each.trim()));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
