/** The routes of the bench's server: ours, and the least that does the same work in Redis. */
export const HTTP_ROUTES = {
  'bare claim': { method: 'POST', path: (uid: string) => `/bare/${uid}/claim`, outcome: 'acquired' },
  claim: {
    method: 'POST',
    path: (uid: string) => `/api/locks/ApprovalRequest/${uid}/claim`,
    outcome: 'acquired',
  },
  'bare write': { method: 'PUT', path: (uid: string) => `/bare/${uid}`, outcome: 'written' },
  'guarded write': { method: 'PUT', path: (uid: string) => `/guarded/${uid}`, outcome: 'written' },
  'guarded write, quiet': { method: 'PUT', path: (uid: string) => `/quiet/${uid}`, outcome: 'written' },
} as const;

export type HttpRouteName = keyof typeof HTTP_ROUTES;
export const HTTP_ROUTE_NAMES = Object.keys(HTTP_ROUTES) as readonly HttpRouteName[];

/** Who calls. There are no tokens: what an identity costs is the application's affair. */
export const USER_HEADER = 'x-user';
export const HTTP_TENANT = 'http';

/** What the server tells the bench: once its port, and its CPU time, user and system, whenever it is asked. */
export type ServerNews = { readonly port: number } | { readonly cpuUs: number };
