import type { HttpTransportType } from '@microsoft/signalr';

/** Bearer tokens of people and programs that the backend under test knows. */
export interface ConformanceTokens {
  /** A person. */
  readonly user: string;
  /** Another person of the same tenant. */
  readonly other: string;
  /** A person of another tenant. Without it, isolation is not checked. */
  readonly otherTenant?: string | undefined;
  /** A program. Without it, the rules for automation are not checked. */
  readonly automation?: string | undefined;
}

/** One guarded route of the application. */
export interface GuardedWrite {
  /** Where one record is written; `{uid}` stands for its percent-encoded uid. */
  readonly url: string;
  /** Default `PUT`. */
  readonly method?: string | undefined;
  /** A JSON text that the route accepts for a record that nobody has written before. Default `{}`. */
  readonly body?: string | undefined;
}

/** Which backend is checked, as whom, and how much of it. */
export interface ConformanceOptions {
  /** Absolute address of the API, such as `https://app.example/api`. */
  readonly api: string;
  /** Absolute address of the hub. Without it, the hub is not checked. */
  readonly hub?: string | undefined;
  /** By what the hub is asked. Default: whatever it offers. */
  readonly transport?: HttpTransportType | undefined;
  /** Who calls. */
  readonly tokens: ConformanceTokens;
  /** A type that can be locked. Records `conformance-…` of it are claimed and let go again. */
  readonly entityType: string;
  /** Another one. Without it, it is not checked that the hub tells of the wanted types alone. */
  readonly otherType?: string | undefined;
  /** Without it, enforcement is not checked. */
  readonly write?: GuardedWrite | undefined;
  /** Runs only the checks whose `id` contains this text. Default: all. */
  readonly only?: string | undefined;
  /** How long a change may be on its way to a connection, in milliseconds. Default 10,000. */
  readonly heardWithinMs?: number | undefined;
  /** What a backend lacks counts as a failure. Default false. */
  readonly isStrict?: boolean | undefined;
  /** Hears each result as it comes. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

/** What became of one check. */
export interface CheckResult {
  /** The section of the design it comes from, and its name there: `7 claim: free`. Stable. */
  readonly id: string;
  /** `skipped`: something that the check needs was lacking. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or what was lacking. */
  readonly reason?: string;
}

/** What a run came to. */
export interface ConformanceReport {
  /** In the order of the checks. */
  readonly results: readonly CheckResult[];
  /** What the backend lacks, with how that was seen. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
}

/** What a backend may lack and still be usable. */
export const CAPABILITIES = ['sessions', 'fence', 'takeOver', 'grace', 'remainingMs', 'subscribe'] as const;
/** One of the things that a backend may lack and still be usable. */
export type Capability = (typeof CAPABILITIES)[number];

/** What a check needs beyond two people: a capability, or something that only whoever runs the checks can give. */
export type CheckNeed = Capability | 'hub' | 'otherTenant' | 'automation' | 'otherType' | 'write';
