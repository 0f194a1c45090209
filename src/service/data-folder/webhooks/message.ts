import { createHmac } from 'node:crypto';
import type { AuditEntry } from '../../../core/domain/audit.ts';

/** A message in the form of Standard Webhooks (https://www.standardwebhooks.com). */
export interface Message {
  /** The same for each attempt of one entry, and different for each entry and webhook. */
  readonly id: string;
  readonly body: string;
}

/** Returns the signing secret of a webhook, as its receiver configures it. It is stored nowhere. */
export function webhookSecret(secret: string, webhookId: string): string {
  const key = createHmac('sha256', secret).update('redflag/1 webhook').digest();
  return `whsec_${createHmac('sha256', key).update(webhookId).digest('base64')}`;
}

/**
 * Returns the message about an entry. It has ids only, and does not show how many other entries there are. The operator
 * also gets the digest, so that its receiver can find later that the log was cut off or replaced.
 */
export function messageOf(entry: AuditEntry, signing: string, isOperators: boolean): Message {
  const { action, reporterId, subject, amount, digest } = entry;
  return {
    // Not of `seq`: after the restore of a backup, other entries have the same `seq`.
    id: `msg_${createHmac('sha256', signing).update(digest).digest('hex').slice(0, 32)}`,
    body: JSON.stringify({
      type: action,
      timestamp: new Date(entry.atMs).toISOString(),
      data: { reporterId, subject, amount, ...(isOperators && { digest }) },
    }),
  };
}

/** Returns the headers of a message that is sent now. */
export function headersOf({ id, body }: Message, signing: string, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const key = Buffer.from(signing.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'redflag',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}
