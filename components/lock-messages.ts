import { tellLanguageChange } from './language-changes.ts';

/** What a banner may begin with, and what goes with it: its tone, a button, more to read. */
export const BANNER_TEXTS = {
  wait: ['note', ''],
  free: ['note', 'claimNow'],
  held: ['held', '', 'since', 'until'],
  lost: ['alert', '', 'keepText', 'until'],
  changed: ['alert', 'reload', 'by', 'keepText'],
  deleted: ['alert', 'reload', 'by', 'keepText'],
  loadFailed: ['alert', 'reload'],
  reconnecting: ['note', '', 'reserved'],
  otherWindow: ['note', ''],
  unknown: ['alert', '', 'goOn', 'reason'],
  released: ['note', 'claimNow'],
  mine: ['note', ''],
  idle: ['alert', 'claimNow'],
  saveFailed: ['alert', ''],
} satisfies Record<string, BannerText>;

const OTHERS = [
  'since',
  'until',
  'keepText',
  'by',
  'reserved',
  'goOn',
  'reason',
  'you',
  'takeOver',
  'takeOverText',
  'takeOverFailed',
  'cancel',
  'reload',
  'claimNow',
  'language',
] as const;

/** See {@link BANNER_TEXTS}. A button is named as the guard's method that it calls. */
export type BannerText = readonly [
  tone: 'held' | 'alert' | 'note',
  action: '' | 'reload' | 'claimNow',
  ...details: (typeof OTHERS)[number][],
];
/** Names one text. */
export type LockMessageKey = keyof typeof BANNER_TEXTS | (typeof OTHERS)[number];
/** The texts of the elements in one language. */
export type LockMessages = Readonly<Record<LockMessageKey, string>>;

const languages = new Map<string, Partial<LockMessages>>();

// One line for each of the keys above, in their order. Whole sentences with places to fill, never fragments to be
// joined: word order belongs to the language. {name} a person, {since} and {end} times, {message} the server's words.
addLines(`Please wait…
This record is free now.
{name} is editing this record.
{name} took over this record.
This record has changed since you opened it.
This record was deleted.
This record could not be loaded.
Reconnecting…
You are editing this record in another window, too.
Locking is not available.
You are no longer editing this record.
You are editing this record.
Are you still editing this record? It will be free soon.
This record could not be saved.
Since {since}.
Free by {end} unless {name} continues.
Your text can still be copied.
By {name}.
You can go on until {end}.
You can go on, but so can others.
Reason: {message}
You
Take over
Take over from {name}? {name} can then no longer save.
Taking over has failed: {message}
Cancel
Reload
Edit
en`);

addLines(`Bitte warten …
Dieser Datensatz ist jetzt frei.
{name} bearbeitet diesen Datensatz.
{name} hat diesen Datensatz übernommen.
Dieser Datensatz wurde geändert, seit Sie ihn geöffnet haben.
Dieser Datensatz wurde gelöscht.
Dieser Datensatz konnte nicht geladen werden.
Die Verbindung wird wiederhergestellt …
Sie bearbeiten diesen Datensatz auch in einem anderen Fenster.
Sperren sind nicht verfügbar.
Sie bearbeiten diesen Datensatz nicht mehr.
Sie bearbeiten diesen Datensatz.
Bearbeiten Sie diesen Datensatz noch? Er ist bald frei.
Dieser Datensatz konnte nicht gespeichert werden.
Seit {since}.
Frei ab {end}, sofern {name} nicht weiterarbeitet.
Ihr Text kann noch kopiert werden.
Von {name}.
Sie können bis {end} weiterarbeiten.
Sie können weiterarbeiten, andere aber auch.
Grund: {message}
Sie
Übernehmen
Von {name} übernehmen? {name} kann dann nicht mehr speichern.
Die Übernahme ist fehlgeschlagen: {message}
Abbrechen
Neu laden
Bearbeiten
de`);

/**
 * Adds a language, or replaces single texts of one. What is left out comes from the broader language (`de` for
 * `de-AT`), then from English. Texts already shown follow.
 */
export function registerMessages(language: string, messages: Partial<LockMessages>): void {
  const tag = language.toLowerCase();
  languages.set(tag, { ...languages.get(tag), ...messages });
  tellLanguageChange();
}

/** One text in a language (BCP 47, any case), its places still to be filled. */
export function lockMessage(language: string, key: LockMessageKey): string {
  for (let tag = language.toLowerCase(); tag !== ''; tag = tag.replace(/(^|-)[^-]*$/, '')) {
    const text = languages.get(tag)?.[key];
    if (text !== undefined) return text;
  }
  return languages.get('en')?.[key] ?? key;
}

/** Cuts a text at its places and fills them: text and values in turn. */
export function fillMessage<T>(
  text: string,
  values: Readonly<Record<string, T>>,
): readonly (T | string | undefined)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values[part]));
}

function addLines(text: string): void {
  const lines = text.split('\n');
  const keys = [...Object.keys(BANNER_TEXTS), ...OTHERS];
  registerMessages(lines.at(-1) ?? '', Object.fromEntries(keys.map((key, index) => [key, lines[index]])));
}
