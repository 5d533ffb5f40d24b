import { readFileSync } from 'node:fs';
import type { LockKeys } from './lock-keys.ts';

/** How scripts tell the other nodes. `off` = no lock change is published: pages learn of locks by asking. */
export type PublishMode = 'plain' | 'sharded' | 'off';

/** What every script takes, in this order. */
const COMMON_ARGUMENTS = ['holderOid', 'sessionId', 'deadlineMs', 'publish', 'channel'] as const;

/** What each takes after that. The order is the one in the script's head; a test holds the two together. */
export const SCRIPT_ARGUMENTS = {
  claim: [...COMMON_ARGUMENTS, 'leaseMs', 'record'],
  renew: [...COMMON_ARGUMENTS, 'leaseMs', 'record', 'expectedRecord', 'callerFence'],
  release: [...COMMON_ARGUMENTS, 'which', 'graceMs', 'record', 'expectedRecord'],
  'hold-write': [...COMMON_ARGUMENTS, 'leaseMs', 'record', 'fence'],
  'take-over': [...COMMON_ARGUMENTS, 'leaseMs', 'record', 'fromHolderOid'],
} as const;

export type ScriptName = keyof typeof SCRIPT_ARGUMENTS;
export const SCRIPT_NAMES = Object.keys(SCRIPT_ARGUMENTS) as readonly ScriptName[];

export type ScriptArguments<Name extends ScriptName> = Readonly<
  Record<(typeof SCRIPT_ARGUMENTS)[Name][number], string | number>
>;

/** The reply of every script, as its head says. */
export interface ScriptReply {
  readonly status: string;
  /** The stored text, ours or another writer's; null where there is no lock. */
  readonly record: string | null;
  readonly leftMs: number;
  /** Microseconds of Redis' clock. */
  readonly at: number;
  readonly fence: number;
  readonly fenceBefore: number;
  readonly otherSessions: number;
}

export interface LuaScript {
  /** Self-contained: includes are resolved. */
  readonly lua: string;
  /** Counted from the head, so that it cannot drift from the script. */
  readonly numberOfKeys: number;
}

/** What `defineCommand` needs of a connection: a client of one Redis or of a cluster. */
export interface ScriptHost {
  defineCommand(name: string, definition: { lua: string; numberOfKeys: number }): void;
}

// Sources and dist/ both have lua/ next to server/: the same address works from either.
const FOLDER = new URL('../../lua/', import.meta.url);
const INCLUDE = /^-- @include ([a-z0-9-]+)[ \t]*$/gm;

/** Reads one script of `lua/`. Throws where a file is missing or the head names no keys. */
export function loadScript(name: string): LuaScript {
  const lua = expand(readText(`${name}.lua`), new Set());
  const keys = /^ {2}KEYS +(.+)$/m.exec(lua)?.[1];
  if (keys === undefined) throw new Error(`lua/${name}.lua: expected a line "KEYS  1 …" in its head.`);
  return { lua, numberOfKeys: (keys.match(/\d+ \w+/g) ?? []).length };
}

/**
 * Makes the scripts known to a connection and answers one typed call for them all. ioredis sends EVALSHA, and the text
 * where Redis does not have it (first use, SCRIPT FLUSH, failover).
 */
export function lockScripts(
  redis: ScriptHost,
): <Name extends ScriptName>(
  name: Name,
  keys: LockKeys,
  args: ScriptArguments<Name>,
) => Promise<ScriptReply> {
  for (const name of SCRIPT_NAMES) redis.defineCommand(commandOf(name), loadScript(name));
  // defineCommand adds methods that no type can know of.
  const commands = redis as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown>>;
  return async (name, keys, args) => {
    const { lock, index, fence, sessions } = keys;
    const values = SCRIPT_ARGUMENTS[name].map((argument) => args[argument as keyof typeof args]);
    return readReply(name, await commands[commandOf(name)]?.(lock, index, fence, sessions, ...values));
  };
}

function commandOf(name: ScriptName): string {
  return `rowlock:${name}`;
}

function readReply(name: ScriptName, reply: unknown): ScriptReply {
  const [status, record, ...numbers] = Array.isArray(reply) ? (reply as unknown[]) : [];
  const [leftMs, at, fence, fenceBefore, otherSessions] = numbers.map(Number);
  if (
    typeof status !== 'string' ||
    leftMs === undefined ||
    at === undefined ||
    fence === undefined ||
    fenceBefore === undefined ||
    otherSessions === undefined
  ) {
    throw new Error(`lua/${name}.lua: expected the reply that its head describes.`);
  }
  return {
    status,
    record: typeof record === 'string' ? record : null,
    leftMs,
    at,
    fence,
    fenceBefore,
    otherSessions,
  };
}

function readText(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8');
}

/** Puts each included file in place of its line, once per script. The build does the same to what it ships. */
function expand(text: string, seen: Set<string>): string {
  return text.replace(INCLUDE, (_line, name: string) => {
    if (seen.has(name)) return '';
    seen.add(name);
    return expand(readText(`include/${name}.lua`).trimEnd(), seen);
  });
}
