import { DAY_MS } from './day.ts';

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
