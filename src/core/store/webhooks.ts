import type { AuditNote } from '../domain/audit.ts';
import type { Webhook, WebhookProgress } from '../domain/webhook.ts';

/** The part of a store that keeps webhooks. The promises of `Store` hold. */
export interface WebhookStore {
  /** Adds a webhook that gets the entries of the audit log from now on. `taken`: the id is in use. Draw another one. */
  addWebhook(
    webhook: Pick<Webhook, 'webhookId' | 'url' | 'reporterId' | 'createdAt'>,
    note?: AuditNote,
  ): Promise<'added' | 'unknown-reporter' | 'taken'>;
  /** Removes a webhook. Nothing is delivered to it any more. */
  removeWebhook(removal: { readonly webhookId: string }, note?: AuditNote): Promise<'removed' | 'unknown'>;
  /** Stores how far a webhook is. `behind`: it is farther already, and nothing changes. Records only a resumption. */
  moveWebhook(progress: WebhookProgress, note?: AuditNote): Promise<'moved' | 'behind' | 'unknown'>;
  /** Returns all webhooks, oldest first. Exports omit them. */
  listWebhooks(): Promise<Webhook[]>;
}
