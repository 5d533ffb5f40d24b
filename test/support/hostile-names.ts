/** A name that somebody chose to do harm with, and how others may see it: as text, in one line, bounded. */
export interface HostileName {
  readonly what: string;
  readonly name: string;
  /** As our servers store and show it. */
  readonly shown: string;
}

const MARKUP = [
  '<img src=x onerror="globalThis.harmed = true">',
  '<script>globalThis.harmed = true</script>',
  '"><svg onload=globalThis.harmed=true>',
  'javascript:globalThis.harmed=true',
  '${globalThis.harmed = true}',
  '{name} {end} {{constructor}}',
  "&lt;b&gt; &amp; ' onfocus=harmed autofocus x='",
  '<!-- </bdi></div></template><style>*{display:none}</style>',
];

export const HOSTILE_NAMES: readonly HostileName[] = [
  ...MARKUP.map((name) => ({ what: name.slice(0, 24), name, shown: name })),
  {
    what: 'bidi controls (U+202A–202E, U+2066–2069)',
    name: '\u202aA\u202bn\u202cn\u202d \u202eL\u2066e\u2067e\u2068\u2069',
    shown: 'Ann Lee',
  },
  { what: 'zero-width characters', name: 'A\u200bn\u2060n\ufeff\u00ad Lee\u200b', shown: 'Ann Lee' },
  { what: 'nothing but zero-width characters', name: '\u200b\u200d\u2060\u3164 \ufeff', shown: '' },
  { what: 'control characters', name: 'A\u0000n\u001b[31mn\u007f\u0085 Lee', shown: 'An[31mn Lee' },
  { what: 'newlines', name: 'Ann\r\n Lee\u2028\u2029\v', shown: 'Ann Lee' },
  { what: 'lone surrogates', name: '\ud800Ann\udc00 Lee\udfff', shown: 'Ann Lee' },
  { what: '10 kB', name: 'Ann'.repeat(3_500), shown: 'Ann'.repeat(67).slice(0, 200) },
  { what: '10 kB of emoji', name: '😀'.repeat(2_600), shown: '😀'.repeat(200) },
];
