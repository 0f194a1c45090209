import { record } from './audit.ts';
import { AUDIT, WEBHOOK } from './catalogue.ts';
import { toBytes } from './columns.ts';
import { change, exists, find, put, read } from './rows.ts';
import { sql } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { pick } from './table.ts';

const LAST = pick(AUDIT, 'seq');

/** Webhooks. The audit log is their outbox. */
export const WEBHOOK_WORK = {
  *addWebhook(webhook, note) {
    const { webhookId, reporterId } = webhook;
    yield { lock: [`webhook/${webhookId}`] };
    if (reporterId !== null && !(yield* exists('reporter WHERE reporter_id = ?', toBytes(reporterId))))
      return 'unknown-reporter';
    if (yield* exists('webhook WHERE webhook_id = ?', toBytes(webhookId))) return 'taken';
    yield* record(note, { action: 'webhook-added', reporterId, subject: webhookId });
    const [last] = yield* read(LAST, 'ORDER BY seq DESC LIMIT 1');
    const beginning = { position: last?.seq ?? 0, failures: 0, failingSince: null, nextAt: 0, endedAt: null };
    yield* put(WEBHOOK, [{ ...webhook, ...beginning }]);
    return 'added';
  },

  *removeWebhook({ webhookId }, note) {
    yield { lock: [`webhook/${webhookId}`] };
    const [webhook] = yield* find(WEBHOOK, 'webhookId', [webhookId]);
    if (!webhook) return 'unknown';
    yield* sql('DELETE FROM webhook WHERE webhook_id = ?', toBytes(webhookId));
    yield* record(note, { action: 'webhook-removed', reporterId: webhook.reporterId, subject: webhookId });
    return 'removed';
  },

  *moveWebhook({ webhookId, ...to }, note) {
    yield { lock: [`webhook/${webhookId}`] };
    const [old] = yield* find(WEBHOOK, 'webhookId', [webhookId]);
    if (!old) return 'unknown';
    // Another process has delivered more meanwhile.
    if (old.position > to.position) return 'behind';
    yield* change(
      WEBHOOK,
      { webhookId },
      {
        position: [old.position, to.position],
        failures: [old.failures, to.failures],
        failingSince: [old.failingSince, to.failingSince],
        nextAt: [old.nextAt, to.nextAt],
        endedAt: [old.endedAt, to.endedAt],
      },
    );
    if (old.endedAt !== null && to.endedAt === null)
      yield* record(note, { action: 'webhook-resumed', reporterId: old.reporterId, subject: webhookId });
    return 'moved';
  },

  listWebhooks: () => read(WEBHOOK, 'ORDER BY created_at, webhook_id'),
} satisfies Partial<StoreWork>;
