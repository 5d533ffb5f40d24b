import type { JWTPayload } from 'jose';
import { keyPart, type Principal } from '../core/index.ts';
import { displayName } from './display-name.ts';

/** How far the clocks of this server and the issuer may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 60;

/** So many roles of a token are kept at most: nobody has more, and a connection keeps them for hours. */
const MAX_ROLES = 100;

/** Reads something from verified claims. Anything but a text counts as nothing. */
export type ReadClaim = (claims: JWTPayload) => unknown;

/** What a verified token says of its caller, and who of them may come in. */
export interface ClaimOptions {
  /** The tenants that may come in, as {@link tenant} reads them. Default: every one that the issuer signs for. */
  readonly tenants?: readonly string[] | 'any';
  /** Client ids (`azp` or `appid`) that are automation although their tokens do not say `idtyp: "app"`. */
  readonly automationClients?: readonly string[];
  /** The isolation boundary. Default: `tid`. One organisation alone: `() => "acme"`. */
  readonly tenant?: ReadClaim;
  /** The stable id of the user. Default: `oid`. Most issuers but Entra: `({ sub }) => sub`. */
  readonly oid?: ReadClaim;
  /** What others see. Default: `name`, or else `preferred_username`. */
  readonly name?: ReadClaim;
  /** For `canTakeOver`. Default: the texts in `roles`. */
  readonly roles?: ReadClaim;
  /** The last word on a token that verifies, by a scope or an app role for instance. Default: all may come in. */
  readonly accept?: (claims: JWTPayload) => boolean;
}

/**
 * Makes the principal of verified claims. Automation is who says `idtyp: "app"` or is a listed client; everybody else is
 * a user. What it makes throws for claims that name nobody, or somebody who may not come in.
 */
export function principalReader(options: ClaimOptions): (claims: JWTPayload) => Principal {
  const {
    tenants = 'any',
    automationClients = [],
    tenant: readTenant = claimNamed('tid'),
    oid: readOid = claimNamed('oid'),
    name: readName = claimNamed('name', 'preferred_username'),
    roles: readRoles = claimNamed('roles'),
    accept = () => true,
  } = options;
  const allowed = tenants === 'any' ? null : new Set(tenants.map((tenant) => keyPart('tenants', tenant)));
  return (claims) => {
    const tenant = keyPart('tenant', text(readTenant(claims)));
    const oid = keyPart('oid', text(readOid(claims)));
    if (allowed?.has(tenant) === false) throw new Error('The tenant is not one of those allowed.');
    if (!accept(claims)) throw new Error('The application does not accept these claims.');
    const client = text(claims['azp'] ?? claims['appid']);
    const isAutomation = claims['idtyp'] === 'app' || automationClients.includes(client);
    const roles = texts(readRoles(claims));
    return {
      tenant,
      oid,
      name: displayName(readName(claims), oid),
      kind: isAutomation ? 'automation' : 'user',
      // As late as a new request with this token would still be accepted.
      expiresAtMs: (Number(claims.exp) + CLOCK_TOLERANCE_S) * 1_000,
      ...(roles.length === 0 ? {} : { roles }),
    };
  };
}

/** The first of these that there is. */
function claimNamed(...names: readonly string[]): ReadClaim {
  return (claims) => names.map((name) => claims[name]).find((claim) => claim !== undefined && claim !== null);
}

function text(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}

function texts(claim: unknown): readonly string[] {
  return Array.isArray(claim) ? claim.filter((role) => typeof role === 'string').slice(0, MAX_ROLES) : [];
}
