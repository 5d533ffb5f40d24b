/**
 * What can be made to go wrong. One failure at a time; each says what the page meets, and the rest goes on working.
 *
 * | failure | the lock API | the hub |
 * | --- | --- | --- |
 * | `unavailable` | answers, but its store says nothing: outcome `unknown`, empty lists, writes proceed | works |
 * | `error` | HTTP 503, as from a gateway | works |
 * | `network` | the request fails | works |
 * | `hang` | swallows the request and never answers | works |
 * | `hub-down` | works | connections break without a word, new ones get HTTP 503 |
 * | `offline` | the request fails | connections break without a word, new ones fail |
 */
export type MockFailure = 'unavailable' | 'error' | 'network' | 'hang' | 'hub-down' | 'offline';

/** The failures under which no hub connection lives. */
export function breaksHub(failure: MockFailure | null): boolean {
  return failure === 'hub-down' || failure === 'offline';
}
