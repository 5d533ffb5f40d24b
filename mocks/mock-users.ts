import { keyPart, type Principal } from '../core/index.ts';

/** A user of the mock backend. Two entries with different tokens may stand for one person. */
export interface MockUser extends Principal {
  /** The bearer token that stands for this user. The hub takes it as `access_token` in the query. */
  readonly token: string;
}

/**
 * Who is behind a token. Answers principals without it, so that a token never travels on into a change or a log.
 * Throws for an empty or doubled token and for a tenant that cannot be part of a key.
 */
export class MockUsers {
  readonly #byToken: ReadonlyMap<string, Principal>;

  constructor(users: readonly MockUser[]) {
    this.#byToken = new Map(
      users.map(({ token, tenant, oid, name, kind }) => [
        token,
        { tenant: keyPart('tenant', tenant), oid, name, kind },
      ]),
    );
    if (this.#byToken.size !== users.length)
      throw new Error('users: expected a token of their own for each.');
    if (this.#byToken.has('')) throw new Error('users: expected a token that is not empty.');
  }

  get tenants(): ReadonlySet<string> {
    return new Set([...this.#byToken.values()].map(({ tenant }) => tenant));
  }

  byToken(token: string | null): Principal | null {
    return token === null ? null : (this.#byToken.get(token) ?? null);
  }

  /** Reads `Authorization: Bearer …` (RFC 6750 section 2.1). */
  byRequest(request: Request): Principal | null {
    const match = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '');
    return this.byToken(match?.[1] ?? null);
  }
}
