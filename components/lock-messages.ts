// Whole sentences with places to fill, never fragments to be joined: word order belongs to the language.
// {name} a person, {since} and {end} times, {message} the server's own words.
const en = {
  language: 'en',
  free: 'This record is free now.',
  claiming: 'Checking whether someone is editing this record…',
  held: '{name} is editing this record.',
  heldSince: 'Since {since}.',
  heldUntil: 'Free by {end} unless {name} continues.',
  loading: 'Loading the current state of this record…',
  mine: 'You are editing this record.',
  opened: 'You can edit this record now.',
  otherWindow: 'You also have this record open in another window.',
  lost: '{name} took over this record.',
  lapsed: 'This record is no longer reserved for you.',
  keepText: 'Your text is still here and can be copied.',
  stale: 'This record has changed since you opened it.',
  reloadFirst: 'Reload it before you edit. Anything you typed can still be copied.',
  loadFailed: 'The record could not be loaded.',
  changed: 'This record was changed while you are editing it.',
  changedBy: '{name} changed this record while you are editing it.',
  deleted: 'This record was deleted while you are editing it.',
  deletedBy: '{name} deleted this record while you are editing it.',
  reconnecting: 'The connection was interrupted. Reconnecting…',
  reservedUntil: 'You can go on: the record is reserved for you until {end}.',
  unknown: 'Locking is not available at the moment.',
  goOn: 'You can go on, but someone else might be editing too.',
  error: 'This record cannot be locked.',
  reason: 'Reason: {message}',
  released: 'You are no longer editing this record.',
  you: 'You',
  takeOver: 'Take over',
  takeOverTitle: 'Take over from {name}?',
  takeOverText: '{name} can then no longer save. Agree it with them first if you can.',
  takeOverFailed: 'It could not be taken over. Reason: {message}',
  cancel: 'Cancel',
  reload: 'Reload',
  edit: 'Edit',
};

/** The texts of the elements in one language. */
export type LockMessages = Readonly<Record<keyof typeof en, string>>;
/** Names one text. */
export type LockMessageKey = keyof LockMessages;

const de: LockMessages = {
  language: 'de',
  free: 'Dieser Datensatz ist jetzt frei.',
  claiming: 'Es wird geprüft, ob jemand diesen Datensatz bearbeitet …',
  held: '{name} bearbeitet diesen Datensatz.',
  heldSince: 'Seit {since}.',
  heldUntil: 'Frei ab {end}, sofern {name} nicht weiterarbeitet.',
  loading: 'Der aktuelle Stand dieses Datensatzes wird geladen …',
  mine: 'Sie bearbeiten diesen Datensatz.',
  opened: 'Sie können diesen Datensatz jetzt bearbeiten.',
  otherWindow: 'Sie haben diesen Datensatz auch in einem anderen Fenster geöffnet.',
  lost: '{name} hat diesen Datensatz übernommen.',
  lapsed: 'Dieser Datensatz ist nicht mehr für Sie reserviert.',
  keepText: 'Ihr Text ist noch da und kann kopiert werden.',
  stale: 'Dieser Datensatz wurde geändert, seit Sie ihn geöffnet haben.',
  reloadFirst: 'Laden Sie ihn neu, bevor Sie ihn bearbeiten. Bereits Eingegebenes kann noch kopiert werden.',
  loadFailed: 'Der Datensatz konnte nicht geladen werden.',
  changed: 'Dieser Datensatz wurde geändert, während Sie ihn bearbeiten.',
  changedBy: '{name} hat diesen Datensatz geändert, während Sie ihn bearbeiten.',
  deleted: 'Dieser Datensatz wurde gelöscht, während Sie ihn bearbeiten.',
  deletedBy: '{name} hat diesen Datensatz gelöscht, während Sie ihn bearbeiten.',
  reconnecting: 'Die Verbindung wurde unterbrochen und wird wiederhergestellt …',
  reservedUntil: 'Sie können weiterarbeiten: Der Datensatz ist bis {end} für Sie reserviert.',
  unknown: 'Die Sperrfunktion ist zurzeit nicht verfügbar.',
  goOn: 'Sie können weiterarbeiten, aber jemand anderes könnte ihn gleichzeitig bearbeiten.',
  error: 'Dieser Datensatz kann nicht gesperrt werden.',
  reason: 'Grund: {message}',
  released: 'Sie bearbeiten diesen Datensatz nicht mehr.',
  you: 'Sie',
  takeOver: 'Übernehmen',
  takeOverTitle: 'Von {name} übernehmen?',
  takeOverText: '{name} kann dann nicht mehr speichern. Sprechen Sie sich nach Möglichkeit vorher ab.',
  takeOverFailed: 'Die Übernahme ist nicht gelungen. Grund: {message}',
  cancel: 'Abbrechen',
  reload: 'Neu laden',
  edit: 'Bearbeiten',
};

const languages = new Map<string, Partial<LockMessages>>([
  ['en', en],
  ['de', de],
]);

/**
 * Adds a language, or replaces single texts of one. What is left out comes from the broader language (`de` for
 * `de-AT`), then from English. Call it before the elements show something: texts already shown stay.
 */
export function registerMessages(language: string, messages: Partial<LockMessages>): void {
  const key = language.toLowerCase();
  languages.set(key, { ...languages.get(key), ...messages });
}

/** One text in a language (BCP 47, any case), its places still to be filled. */
export function lockMessage(language: string, key: LockMessageKey): string {
  for (let tag = language.toLowerCase(); tag !== ''; tag = tag.replace(/(^|-)[^-]*$/, '')) {
    const text = languages.get(tag)?.[key];
    if (text !== undefined) return text;
  }
  return en[key];
}

/** Cuts a text at its places and fills them: text and values in turn. */
export function fillMessage<T>(
  text: string,
  values: Readonly<Record<string, T>>,
): readonly (T | string | undefined)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values[part]));
}
