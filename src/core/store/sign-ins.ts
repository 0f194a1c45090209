import type { AuditNote } from '../domain/audit.ts';
import type { SignIn } from '../domain/reporter.ts';
import type { StoredSignIn } from './records.ts';

/** The part of a store that keeps who may sign in to the panel, and who did. The promises of `Store` hold. */
export interface SignInStore {
  /**
   * Adds a sign-in, and deletes those that have ended when it is created. A note records that a link was created.
   * `taken`: the digest is in use.
   */
  addSignIn(signIn: StoredSignIn, note?: AuditNote): Promise<'added' | 'unknown-reporter' | 'taken'>;
  /**
   * Deletes a link and adds the session that it starts. `unknown`: there is no such link, it was used before, or it
   * has ended at `atMs`.
   */
  startSession(
    start: { readonly linkDigest: string; readonly session: StoredSignIn; readonly atMs: number },
    note?: AuditNote,
  ): Promise<'started' | 'unknown'>;
  /** Returns the sign-in with this digest, even if it has ended. */
  findSignIn(digest: string): Promise<SignIn | undefined>;
  /**
   * Deletes one sign-in, or all links and sessions of a reporter (null: of the operator). A note records that all of
   * them were ended. Notes of forms stay.
   */
  endSignIns(of: { readonly digest: string } | { readonly reporterId: string | null }, note?: AuditNote): Promise<void>;
  /** True if the audit log has an entry of an operator who signed in. */
  hasOperatorSignedIn(): Promise<boolean>;
}
