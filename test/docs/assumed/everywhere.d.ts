// What a sample of any page may take as given: the application's own.
declare const app: import('express').Express;
declare const save: import('express').RequestHandler;
declare const httpServer: import('node:http').Server;
declare const server: import('node:http').Server;
declare const identify: import('rowlock/server').Identify;
declare const types: import('rowlock/server').RowlockOptions['types'];
declare const rowlock: import('rowlock/server').Rowlock;
declare const key: import('jose').JWTVerifyGetKey;
declare const issuer: string;
declare const audience: string;
declare const guard: import('rowlock').LockGuard;
declare const loadRecord: (uid: string) => Promise<void>;
// What script tags put on the page.
declare const Rowlock: typeof import('rowlock/define');
declare const htmx: typeof import('htmx.org').default;
