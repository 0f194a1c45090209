/**
 * What an operator should know, for the log: a failure that does not change an answer, or a key that may be misused.
 * `error` may hold a database driver's message: do not show it to clients.
 */
export type EngineNotice =
  /**
   * A report, deletion, dispute or erasure is stored, but the standings were not updated. The next epoch repairs the
   * standings. A retry of the same report repairs them too. Or a row of a store that processes share is damaged: the
   * standings stay as they were until it is restored.
   */
  | { readonly event: 'standings-not-updated'; readonly error: unknown }
  /**
   * The standings of a new day could not be computed. The previous standings stay in use until the next day or until
   * `recomputeTrust()`.
   */
  | { readonly event: 'epoch-failed'; readonly error: unknown }
  /** A query was answered, but its link was not saved. The link returns 404 until the same set is queried again. */
  | { readonly event: 'link-not-saved'; readonly error: unknown }
  /**
   * A person's request for a dispute was answered, but could not be read or stored. The answer does not tell, because
   * only identifiers with reports need a write.
   */
  | { readonly event: 'dispute-request-lost'; readonly error: unknown }
  /** The secret found a stored key, but its fingerprint could not be saved. The engine retries at its next start. */
  | { readonly event: 'secret-fingerprint-not-saved'; readonly error: unknown }
  /**
   * The last uses of keys and the numbers of identifiers of about a minute were not saved and are lost. Or the use of
   * an ended key, or an unusual usage, is not in the audit log.
   */
  | { readonly event: 'usage-not-saved'; readonly error: unknown }
  /**
   * A request had a key that was revoked or has ended. It was refused. Once per key, day (UTC) and process. A program
   * may still have the old key, or a thief has it.
   */
  | { readonly event: 'ended-key-used'; readonly keyId: string; readonly reporterId: string }
  /**
   * A reporter repeated a claim that was found wrong. The report was accepted and does not count: it has an upheld
   * dispute of `engine`. If it is right, open a dispute about it and reject that. Sent for the 1st, 10th, 100th …
   * such report of a reporter, day (UTC) and process; `reports` is this number.
   */
  | {
      readonly event: 'repeated-claim';
      readonly reporterId: string;
      readonly reportId: string;
      readonly reports: number;
    }
  /**
   * On this day (UTC), a reporter has asked about at least 1,000 identifiers and three times as many as on its busiest
   * day of the 28 days before (`usual`). Once per reporter and day, and only if queries came on 7 of these days.
   */
  | {
      readonly event: 'unusual-usage';
      readonly reporterId: string;
      readonly identifiers: number;
      readonly usual: number;
    }
  /**
   * Accusations of a day (UTC) that an operator should look at; no score changes. The search runs when the standings of
   * the next day are computed, and also covers up to six earlier days without such a computation. Each is sent once,
   * by one process. docs/operating.md says what the four events mean.
   */
  | {
      readonly event: 'silent-together' | 'always-together' | 'accusation-burst' | 'unusual-accusations';
      /** The day of the accusations, `YYYY-MM-DD`. */
      readonly day: string;
      /** The first of these reports on the day, 16 lowercase hex characters. */
      readonly reportId: string;
      /** The accusers, sorted; at most 10. */
      readonly reporterIds: readonly string[];
      /** Number of the reports, those of further accusers included. */
      readonly reports: number;
      /** Number of findings of this kind on the day. At most 10 of them are sent, those with the most reports. */
      readonly ofDay: number;
    }
  /** The accusations of the last days were not searched, or not all findings were recorded and sent. */
  | { readonly event: 'accusations-not-searched'; readonly error: unknown };
