import { existsSync, readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { compile } from 'svelte/compiler';
import { compileTemplate, parse as parseVue } from 'vue/compiler-sfc';
import { ROOT, type Block } from './markdown-pages.ts';

const { scripts, bin } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
};

/** How blocks of a language are checked without types: what is wrong with one, or nothing. */
export const FORM_CHECKS: Readonly<Record<string, (block: Block) => Promise<readonly string[]>>> = {
  json: async ({ text }) => {
    try {
      JSON.parse(text);
      return [];
    } catch (error) {
      return [String(error)];
    }
  },
  css: async ({ text }) => {
    const { warnings } = await transform(text, { loader: 'css', logLevel: 'silent' });
    return warnings.map((warning) => warning.text);
  },
  html: async ({ text }) => htmlFaults(text),
  vue: async ({ text }) => {
    const { descriptor, errors } = parseVue(text);
    const source = descriptor.template?.content ?? '';
    const template = compileTemplate({ source, id: 'sample', filename: 'sample.vue' });
    return [...errors, ...template.errors].map(String);
  },
  svelte: async ({ text }) => {
    try {
      compile(text, { generate: 'client' });
      return [];
    } catch (error) {
      return [String(error)];
    }
  },
  http: async ({ text }) => {
    const [first = '', ...rest] = text.split('\n');
    const isFirst =
      /^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+(?: HTTP\/1\.1)?|HTTP\/[\d.]+ \d{3}.*)$/.test(first);
    const end = rest.indexOf('');
    const heads = rest.slice(0, end === -1 ? rest.length : end);
    const wrong = heads.filter((head) => !/^[\w-]+: \S/.test(head));
    return [
      ...(isFirst ? [] : [`"${first}" is no request and no status line`]),
      ...wrong.map((head) => `"${head}" is no header`),
    ];
  },
  nginx: async ({ text }) => {
    const plain = text.replaceAll(/#.*$/gm, '').replaceAll(/"[^"]*"|'[^']*'/g, '""');
    const count = (brace: string) => plain.split(brace).length;
    const lines = plain.split('\n').map((line) => line.trim());
    const open = lines.filter((line) => line !== '' && !/[;{}]$/.test(line) && !/^\S+\s+\S+.*$/.test(line));
    return [
      ...(count('{') === count('}') ? [] : ['its braces do not match']),
      ...open.map((line) => `"${line}" does not end`),
    ];
  },
  sh: async ({ text }) => shellFaults(text),
};
/** Tags that do not match. Scripts and styles are left to their own checks. */
function htmlFaults(text: string): readonly string[] {
  const plain = text
    .replace(/^\s*<!doctype html>/i, '')
    .replaceAll(/<(script|style)\b([^>]*)>.*?<\/\1>/gs, '');
  const markup = plain.replaceAll(/<\/?(?:html|head|body)\b[^>]*>/g, '');
  const { errors } = parseVue(`<template>\n${markup}\n</template>`);
  return errors.map(String);
}

/** npm scripts, files and options that a command names and that do not exist. */
function shellFaults(text: string): readonly string[] {
  const faults: string[] = [];
  const commands = text.replaceAll(/\\\n/g, ' ').split('\n');
  for (const command of commands.map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())) {
    if (command === '') continue;
    const script = /\bnpm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? '';
    const isOwn = /\bnpm run /.test(command) || /\bnpm (?:start|test)\b/.test(command);
    if (isOwn && !(script in scripts)) faults.push(`no npm script ${script}`);
    for (const [, file = ''] of command.matchAll(
      /(?:^|\s)((?:scripts|test|docs|dist|core|demo|lua)\/[\w./-]+\.\w+)/g,
    )) {
      if (!file.startsWith('dist/') && !existsSync(ROOT + file)) faults.push(`no file ${file}`);
    }
    const ours = /\b(rowlock-[\w-]+)/.exec(command)?.[1];
    if (ours === undefined || !/\bnpx /.test(command)) continue;
    const built = bin[ours];
    if (built === undefined) {
      faults.push(`no command ${ours}`);
      continue;
    }
    const source = readFileSync(ROOT + built.replace('./dist/', '').replace(/\.js$/, '.ts'), 'utf8');
    for (const [, option = ''] of command.matchAll(/\s--([\w-]+)/g)) {
      if (!new RegExp(`['"]?${option}['"]?: \\{ type`).test(source))
        faults.push(`${ours} has no option --${option}`);
    }
  }
  return faults;
}
