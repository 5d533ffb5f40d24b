import type { Log } from '../core/index.ts';

/**
 * What gives somebody access wherever it stands: signed tokens (three base64url parts, the first of which is a JSON
 * object), what follows a scheme in an `Authorization` header, and the secrets of hub addresses.
 */
const SECRETS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[hidden]'],
  [/\b(Bearer|Basic) +[\w.~+/-]+=*/gi, '$1 [hidden]'],
  [/([?&](?:access_token|id)=)[^&\s"']+/gi, '$1[hidden]'],
];

/**
 * A log without tokens. Rowlock puts none into its messages, but reasons come from elsewhere: a function of the
 * application's own that fails may name the very request it failed on.
 */
export function redactingLog(log: Log): Log {
  const at =
    (level: keyof Log): Log[keyof Log] =>
    (message, details) =>
      log[level](hidden(message), details && withoutSecrets(details));
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function withoutSecrets(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? hidden(value) : value]),
  );
}

function hidden(text: string): string {
  return SECRETS.reduce((sofar, [pattern, shown]) => sofar.replace(pattern, shown), text);
}
