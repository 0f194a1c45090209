/** A receiver of entries of the audit log. Its signing secret follows from the operator's secret and the id. */
export interface Webhook {
  /** 16 lowercase hex characters. */
  readonly webhookId: string;
  /** Address that receives the entries by POST. */
  readonly url: string;
  /** The reporter whose entries it gets, 16 lowercase hex characters; null for the operator, who gets all entries. */
  readonly reporterId: string | null;
  /** Milliseconds UTC, like all times here. */
  readonly createdAt: number;
  /** `seq` of the last entry that needs no delivery any more. */
  readonly position: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** When the first of these failed; null without failures. */
  readonly failingSince: number | null;
  /** No attempt before this time. */
  readonly nextAt: number;
  /** When deliveries stopped: the receiver answered 410, or failed for too long. Null while the webhook works. */
  readonly endedAt: number | null;
}

/** What changes with each delivery. */
export type WebhookProgress = Pick<
  Webhook,
  'webhookId' | 'position' | 'failures' | 'failingSince' | 'nextAt' | 'endedAt'
>;
