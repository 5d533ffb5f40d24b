import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONFORMANCE_CHECKS } from '../conformance/index.ts';
import { prometheusMetrics } from '../server/metrics/index.ts';
import { defaultsOf } from './reference-defaults.mjs';
import { elementSections } from './reference-elements.mjs';
import { httpApiSections } from './reference-http-api.mjs';
import { hubSections } from './reference-hub.mjs';
import { cell, code, table } from './reference-markdown.mjs';
import { byName, publicNames } from './reference-names.mjs';
import { TypeTexts } from './reference-types.mjs';

/** @typedef {import('./reference-names.mjs').PublicName} PublicName */
/** @typedef {import('./reference-names.mjs').PublicNames} PublicNames */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HEAD = '<!-- Written by `npm run reference`. What it says comes from the sources: change it there. -->';

/**
 * The pages in the order of the index: file name, title, and what they are for.
 *
 * @type {readonly (readonly [page: string, title: string, about: string])[]}
 */
const PAGES = [
  [
    'elements',
    'Elements',
    'Attributes, properties, methods, events, slots, parts, custom properties and states.',
  ],
  [
    'client',
    'In the page',
    'The client without elements, `lockFetch`, configuration, drafts, bulk, languages.',
  ],
  [
    'server',
    'Server',
    'Everything of `rowlock/server` and `rowlock/metrics`: options, types, units, defaults.',
  ],
  ['http-api', 'HTTP API', 'Routes, parameters, bodies, answers, codes.'],
  ['hub', 'Hub', 'Methods and messages of the hub of changes; hubs of your own.'],
  ['core', 'Core', 'What travels, and the rules that server and mock share.'],
  ['mocks', 'Mock', 'The API and the hub in the browser, for tests and demos.'],
  ['conformance', 'Conformance', 'Checks of a backend from outside, and their command.'],
];

/** @typedef {{ sources: PublicNames, types: TypeTexts }} Reference */

/**
 * The sources, read for the reference.
 *
 * @returns {Reference}
 */
export function openReference() {
  const sources = publicNames();
  return { sources, types: new TypeTexts(sources, defaultsOf(sources)) };
}

/**
 * Every page of docs/reference, by its path from the root.
 *
 * @param {Reference} reference
 * @returns {ReadonlyMap<string, string>}
 */
export function referencePages({ sources, types }) {
  /** @type {Readonly<Record<string, () => readonly string[]>>} */
  const special = {
    elements: () => [
      ...elementSections(sources, types),
      ...named('## Events and classes', sources, types, 'elements'),
    ],
    server: () => [...named('## Names', sources, types, 'server'), metricsSection()],
    'http-api': () => httpApiSections(),
    hub: () => [...hubSections(sources, types), ...named('## Names', sources, types, 'hub')],
    conformance: () => [...named('## Names', sources, types, 'conformance'), ...conformanceSections()],
  };
  const pages = PAGES.map(([page, title, about]) => {
    const sections = special[page]?.() ?? named('## Names', sources, types, page);
    const text = [HEAD, `# Reference: ${title}`, cell(about), ...entryLists(sources, page), ...sections].join(
      '\n\n',
    );
    return /** @type {const} */ ([`docs/reference/${page}.md`, `${text}\n`]);
  });
  return new Map([['docs/reference/README.md', index(sources)], ...pages]);
}

/**
 * The names that are explained on a page, each with its own heading.
 *
 * @param {string} heading
 * @param {PublicNames} sources
 * @param {TypeTexts} types
 * @param {string} page
 */
function named(heading, { names }, types, page) {
  const here = [...names.values()].filter((name) => name.page === page && name.tag === null);
  const sorted = here.sort((one, other) => byName(one.name, other.name));
  return [heading, ...sorted.map((name) => types.section(name, page))];
}

/**
 * What each path of the package exports, with a link to where it is explained.
 *
 * @param {PublicNames} sources
 * @param {string} page
 */
function entryLists({ entries, names }, page) {
  return entries
    .filter((entry) => entry.page === page)
    .map(({ name, about, exported }) => {
      const links = exported.map((one) => {
        const known = /** @type {PublicName} */ (names.get(one));
        return `[${code(one)}](${known.page === page ? '' : `${known.page}.md`}#${known.anchor})`;
      });
      return `**${code(name)}**: ${cell(about)}${links.length === 0 ? '' : `\n${links.join(', ')}`}`;
    });
}

/** @param {PublicNames} sources */
function index({ entries }) {
  return `${[
    HEAD,
    '# Reference',
    'Every name, option, attribute, route and code, with types, units and defaults. Made from the sources by `npm run reference`; a test fails where it is not what they say.',
    table(
      ['page', ''],
      PAGES.map(([page, title, about]) => [`[${title}](${page}.md)`, cell(about)]),
    ),
    '## What can be imported',
    table(
      ['path', 'page', 'what'],
      entries.map(({ name, page, about }) => [
        code(name),
        page === null ? '' : `[${page}](${page}.md)`,
        cell(about),
      ]),
    ),
    '`import` names a module of the package; the two JSON files and the style sheet are read by tools or linked by pages.',
  ].join('\n\n')}\n`;
}

/** The metrics, from the registry that they are in. */
function metricsSection() {
  const metrics = prometheusMetrics();
  metrics.watch({ storeState: () => 'ok', connectionCount: () => 0, hubCounts: () => NO_COUNTS });
  const rows = /** @type {{ name: string, help: string, type: string, labelNames?: string[] }[]} */ (
    /** @type {unknown} */ (metrics.register.getMetricsAsArray())
  );
  return `## Metrics\n\n${table(
    ['metric', 'type', 'labels', 'meaning'],
    rows
      .map(({ name, type, labelNames = [], help }) => [
        code(name),
        type,
        labelNames.map(code).join(', '),
        cell(help),
      ])
      .sort(([one = ''], [other = '']) => byName(one, other)),
  )}`;
}

const NO_COUNTS = { opened: 0, closed: 0, delivered: 0, slow: 0, broken: 0, silent: 0 };

function conformanceSections() {
  const command = readFileSync(`${ROOT}conformance/main.ts`, 'utf8');
  const usage = /const USAGE = `(.*?)`;/s.exec(command)?.[1] ?? '';
  return [
    `## Command\n\n\`\`\`text\n${usage}\n\`\`\``,
    `## Checks\n\n${table(
      ['check', 'needs'],
      CONFORMANCE_CHECKS.map(({ id, needs = [] }) => [cell(id), needs.map(code).join(', ')]),
    )}`,
  ];
}
