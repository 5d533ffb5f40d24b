import { lockMessage, registerMessages } from './lock-messages.ts';

const KEYS = [
  'myLocks',
  'noLocks',
  'ends',
  'release',
  'releaseOne',
  'releaseAll',
  'askOne',
  'askAll',
  'released',
  'releasedAll',
  'notReleased',
  'noList',
  'tryAgain',
  'leftOutOne',
  'leftOut',
  'others',
  'unchecked',
  'notWritten',
] as const;

/** Names one text of `<lock-list>` or of `leftOutText`. */
export type ListMessageKey = (typeof KEYS)[number];

/**
 * As `registerMessages`, for the texts of `<lock-list>` and `leftOutText`. Places to fill: `{title}` a record, `{end}` a
 * time, `{count}` and `{total}` numbers, `{names}` people.
 */
export const registerListMessages: (
  language: string,
  messages: Partial<Record<ListMessageKey, string>>,
) => void = registerMessages;

/** One of these texts in a language (BCP 47), its places still to be filled. */
export const listMessage = lockMessage as (language: string, key: ListMessageKey) => string;

// One line for each of the keys above, in their order. Whole sentences, as in lock-messages.ts.
addLines(
  'en',
  `My locks
You are not editing any record.
Free by {end} unless you continue.
Release
Release {title}
Release all
Release {title}? If it is open in another window, what you typed there stays, but others can then edit the record.
Release all {count} records? Where one is open in another window, what you typed there stays, but others can then edit it.
{title} is released.
{count} records are released.
{title} could not be released. It becomes free by itself at {end}.
Your locks cannot be shown now.
Try again
1 of {total} records is being edited by {names} and is left out.
{count} of {total} records are being edited by {names} and are left out.
{count} others
{count} of {total} records could not be checked for locks.
{count} of {total} records could not be written.`,
);

addLines(
  'de',
  `Meine Sperren
Sie bearbeiten keinen Datensatz.
Frei ab {end}, sofern Sie nicht weiterarbeiten.
Freigeben
{title} freigeben
Alle freigeben
{title} freigeben? Falls der Datensatz in einem anderen Fenster offen ist, bleibt Ihr Text dort erhalten, aber andere können ihn dann bearbeiten.
Alle {count} Datensätze freigeben? Wo einer in einem anderen Fenster offen ist, bleibt Ihr Text dort erhalten, aber andere können ihn dann bearbeiten.
{title} ist freigegeben.
{count} Datensätze sind freigegeben.
{title} konnte nicht freigegeben werden. Um {end} wird der Datensatz von selbst frei.
Ihre Sperren können gerade nicht angezeigt werden.
Erneut versuchen
1 von {total} Datensätzen wird von {names} bearbeitet und ausgelassen.
{count} von {total} Datensätzen werden von {names} bearbeitet und ausgelassen.
{count} anderen
{count} von {total} Datensätzen konnten nicht auf Sperren geprüft werden.
{count} von {total} Datensätzen konnten nicht geschrieben werden.`,
);

addLines(
  'fr',
  `Mes verrous
Vous ne modifiez aucun enregistrement.
Libre à {end}, sauf si vous continuez.
Libérer
Libérer {title}
Tout libérer
Libérer {title} ? S’il est ouvert dans une autre fenêtre, votre texte y reste, mais d’autres pourront alors le modifier.
Libérer les {count} enregistrements ? Si l’un d’eux est ouvert dans une autre fenêtre, votre texte y reste, mais d’autres pourront alors le modifier.
{title} est libéré.
{count} enregistrements sont libérés.
{title} n’a pas pu être libéré. Il se libérera de lui-même à {end}.
Vos verrous ne peuvent pas être affichés pour le moment.
Réessayer
1 enregistrement sur {total} est en cours de modification par {names} et est laissé de côté.
{count} enregistrements sur {total} sont en cours de modification par {names} et sont laissés de côté.
{count} autres
Les verrous de {count} enregistrements sur {total} n’ont pas pu être vérifiés.
{count} enregistrements sur {total} n’ont pas pu être écrits.`,
);

addLines(
  'es',
  `Mis bloqueos
No está editando ningún registro.
Libre a las {end} si usted no continúa.
Liberar
Liberar {title}
Liberar todo
¿Liberar {title}? Si está abierto en otra ventana, su texto se conserva allí, pero otros podrán editar el registro.
¿Liberar los {count} registros? Si alguno está abierto en otra ventana, su texto se conserva allí, pero otros podrán editarlo.
{title} está liberado.
{count} registros están liberados.
{title} no se pudo liberar. Quedará libre por sí solo a las {end}.
Sus bloqueos no se pueden mostrar en este momento.
Reintentar
{names} está editando 1 de {total} registros, que se omite.
{names} están editando {count} de {total} registros, que se omiten.
{count} más
No se pudieron comprobar los bloqueos de {count} de {total} registros.
No se pudieron escribir {count} de {total} registros.`,
);

function addLines(language: string, text: string): void {
  const lines = text.split('\n');
  registerListMessages(language, Object.fromEntries(KEYS.map((key, index) => [key, lines[index]])));
}
