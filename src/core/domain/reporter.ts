import { DAY_MS } from './day.ts';

/** An organisation that submits reports and queries (protocol 1, 5). */
export interface Reporter {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Public name, shown with each report; 1 to 80 code points, unique. */
  readonly name: string;
  /** True if the operator knows the organisation. A verified reporter is established without a record. */
  readonly verified: boolean;
  /** True while the operator refuses all of its keys. */
  readonly suspended: boolean;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** Its own budget: identifiers in queries and reports a day, over all its keys. Null: that of the engine. */
  readonly identifiersPerDay: number | null;
  /**
   * How a person reaches the organisation: an email address, an https address or a phone number, 1 to 200 code points.
   * Shown with its reports. Null: none.
   */
  readonly contact: string | null;
}

/** What a limited key may do: only queries, or only reports and deletions. */
export type KeyScope = 'query' | 'report';

/** An API key without its secret value (protocol 5, our choice). */
export interface KeyInfo {
  /** 16 lowercase hex characters. Identifies the key without revealing its value. */
  readonly keyId: string;
  /** The reporter that the key belongs to, 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /**
   * From this time (ms, UTC) the key is refused; null if it has no end. Rotation sets it to the end of the grace time.
   * Revocation sets it to 0, which has passed on the clock of every process.
   */
  readonly endsAt: number | null;
  /** What the key may do; null if it may do everything. */
  readonly scope: KeyScope | null;
  /** The end with which the key was issued (ms, UTC); null if none. A key that replaces this one gets the same end. */
  readonly issuedUntil: number | null;
  /** Start of the UTC day on which the key was last accepted (ms, UTC); null if it never was. Saved within minutes. */
  readonly lastUsedAt: number | null;
  /** What people call the key, given when it is issued: 1 to 40 code points. Its successors get the same. */
  readonly keyName: string | null;
}

/** Which keys to return. Without a property: all. */
export interface KeyFilter {
  /** Keys of this reporter, 16 lowercase hex characters. */
  readonly reporterId?: string | undefined;
  /** The key with this id, 16 lowercase hex characters. */
  readonly keyId?: string | undefined;
}

/** A new key with its secret value, returned only when the key is created. */
export interface IssuedKey extends KeyInfo {
  /** 16 lowercase hex characters. Shown once, stored only as a digest. */
  readonly apiKey: string;
}

/** A form of the panel is refused when it is older (ms). */
export const FORM_MS = DAY_MS / 2;

/** Returns what follows the public address of the service in a sign-in link. */
export function signInPath(token: string): string {
  return `/panel/sign-in/${token}`;
}

/**
 * `link`: may start one session, once. `session`: a person who is signed in. `form`: a form of the panel that was sent;
 * it must not take effect again.
 */
export type SignInKind = 'link' | 'session' | 'form';

/** A person who may sign in to the panel, or who is signed in. */
export interface SignIn {
  /** What it is for. */
  readonly kind: SignInKind;
  /** The reporter for which the person acts, 16 lowercase hex characters; null for the operator. */
  readonly reporterId: string | null;
  /** Name of the person, 1 to 80 code points. The audit log records it as the actor. */
  readonly name: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** From this time (ms, UTC) it is refused. */
  readonly endsAt: number;
}
