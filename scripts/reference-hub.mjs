import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ENTITY_CHANGED, LOCK_OPERATIONS, RESYNC, SUBSCRIBE, UNSUBSCRIBE } from '../core/index.ts';
import { cell, code, table } from './reference-markdown.mjs';

/** @typedef {import('./reference-types.mjs').TypeTexts} TypeTexts */
/** @typedef {import('./reference-names.mjs').PublicNames} PublicNames */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * What is said on the hub of entity changes: the protocol's own table, held to the names in the code; its groups; and
 * SignalR's messages from their types.
 *
 * @param {PublicNames} sources
 * @param {TypeTexts} types
 */
export function hubSections(sources, types) {
  return [
    `## Methods and messages of the hub of changes\n\n${methodTable()}`,
    `## Operations of a change\n\n${LOCK_OPERATIONS.map(code).join(', ')} are changes of locks: [\`LockChange\`](#lockchange). Every other operation is the application’s own: [\`DataChange\`](#datachange).`,
    `## Groups\n\n${table(
      ['group', 'who is in it', 'hears'],
      [
        [
          'of a tenant',
          `a connection that has not called ${code(SUBSCRIBE)} yet`,
          'every change of the tenant',
        ],
        [
          'of a tenant and a type',
          `a connection that named the type in ${code(SUBSCRIBE)}`,
          'the changes of that type',
        ],
      ],
    )}\n\nThe tenant is that of the connection’s principal. No call of a client changes it.`,
    `## Messages of the protocol\n\nSignalR’s own, in both directions.\n\n${messageTable(sources, types)}`,
  ];
}

/** The rows of core/PROTOCOL.md. Throws where they and the code have different names. */
function methodTable() {
  const protocol = readFileSync(`${ROOT}core/PROTOCOL.md`, 'utf8');
  const rows = protocol
    .split('\n')
    .filter((line) => /^\| (?:server → client|client → server) /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim()),
    );
  const named = rows.map(([, message = '']) => /^`(\w+)\(/.exec(message)?.[1] ?? message).sort();
  const known = [ENTITY_CHANGED, RESYNC, SUBSCRIBE, UNSUBSCRIBE].sort();
  if (named.join() !== known.join()) {
    throw new Error(
      `core/PROTOCOL.md names the hub's messages ${named.join(', ')}; the code has ${known.join(', ')}.`,
    );
  }
  return table(['direction', 'message', 'means'], rows);
}

/**
 * @param {PublicNames} sources
 * @param {TypeTexts} types
 */
function messageTable({ names, checker }, types) {
  const message = names.get('HubMessage');
  if (message === undefined) throw new Error('HubMessage is not exported any more.');
  const shapes = /** @type {ts.UnionType} */ (checker.getDeclaredTypeOfSymbol(message.symbol)).types;
  return table(
    ['type', 'message', 'fields', 'meaning'],
    shapes.map((shape) => {
      const fields = shape.getProperties().filter(({ name }) => name !== 'type');
      const [type] = shape.getProperty('type')?.declarations ?? [];
      return [
        type !== undefined && ts.isPropertySignature(type) ? code(type.type?.getText() ?? '') : '',
        code(shape.symbol.name),
        fields
          .map((field) => code(`${field.name}${field.flags & ts.SymbolFlags.Optional ? '?' : ''}`))
          .join(', '),
        cell(types.about(shape.symbol)),
      ];
    }),
  );
}
