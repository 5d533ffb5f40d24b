// The second sample goes on from the first one, in the page's own module.
declare const configure: typeof import('rowlock').configure;
declare const existingBackend: (options: {
  readonly api: string;
  readonly getToken: () => Promise<string>;
  readonly userOid: string;
  readonly renewAfterMs: number;
}) => import('rowlock/client').LockTransport;
declare const api: string;
declare const user: string;
declare const getToken: () => Promise<string>;
declare const setting: (name: string) => string;
