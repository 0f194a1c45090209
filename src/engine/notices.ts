/**
 * A failure that does not change an answer, for the operator's log. `error` may hold a database driver's message: do
 * not show it to clients.
 */
export type EngineNotice =
  /**
   * A report, deletion, dispute or erasure is stored, but the standings were not updated. The next epoch repairs the
   * standings. A retry of the same report repairs them too.
   */
  | { readonly event: 'standings-not-updated'; readonly error: unknown }
  /**
   * The standings of a new day could not be computed. The previous standings stay in use until the next day or until
   * `recomputeTrust()`.
   */
  | { readonly event: 'epoch-failed'; readonly error: unknown }
  /** A query was answered, but its link was not saved. The link returns 404 until the same set is queried again. */
  | { readonly event: 'link-not-saved'; readonly error: unknown }
  /** The secret found a stored key, but its fingerprint could not be saved. The engine retries at its next start. */
  | { readonly event: 'secret-fingerprint-not-saved'; readonly error: unknown };
