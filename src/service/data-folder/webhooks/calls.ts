import { randomBytes } from 'node:crypto';
import { toAuditNote } from '../../../core/domain/audit.ts';
import { unwrap } from '../../../index.ts';
import { DataFolderError } from '../errors.ts';
import type { Place } from '../upkeep-calls.ts';
import { headersOf, webhookSecret } from './message.ts';
import { isAccepted, post } from './post.ts';
import { validateWebhookUrl } from './url.ts';

const TIMEOUT_MS = 10_000;

/** Returns the calls about webhooks. */
export function createWebhookCalls({ store, secret }: Place) {
  return {
    async addWebhook(request: {
      readonly url: string;
      readonly reporterId: string | null;
      readonly toPrivate: boolean;
      readonly by: string;
    }) {
      const { url, reporterId, toPrivate, by } = request;
      validateWebhookUrl(url, toPrivate);
      const note = unwrap(toAuditNote(by, Date.now));
      for (;;) {
        const webhookId = randomBytes(8).toString('hex');
        const added = await store.addWebhook({ webhookId, url, reporterId, createdAt: note.atMs }, note);
        if (added !== 'taken') return { webhookId, signingSecret: webhookSecret(secret, webhookId) };
      }
    },

    listWebhooks: () => store.listWebhooks(),

    async removeWebhook({ webhookId, by }: { readonly webhookId: string; readonly by: string }) {
      if ((await store.removeWebhook({ webhookId }, unwrap(toAuditNote(by, Date.now)))) === 'unknown')
        throw new DataFolderError(UNKNOWN);
    },

    // A receiver that accepts the test can get entries again.
    async testWebhook(
      request: { readonly webhookId: string; readonly toPrivate: boolean; readonly by: string },
      signal?: AbortSignal,
    ) {
      const { webhookId, toPrivate, by } = request;
      const webhook = (await store.listWebhooks()).find((one) => one.webhookId === webhookId);
      if (!webhook) throw new DataFolderError(UNKNOWN);
      const signing = webhookSecret(secret, webhookId);
      const nowMs = Date.now();
      const body = JSON.stringify({ type: 'test', timestamp: new Date(nowMs).toISOString(), data: { webhookId } });
      const message = { id: `msg_${randomBytes(16).toString('hex')}`, body };
      const settings = { toPrivate, timeoutMs: TIMEOUT_MS, signal: signal ?? new AbortController().signal };
      const delivery = await post(new URL(webhook.url), body, headersOf(message, signing, nowMs), settings);
      const isResumed = isAccepted(delivery) && webhook.endedAt !== null;
      if (isResumed) {
        const { position } = webhook;
        await store.moveWebhook(
          { webhookId, position, failures: 0, failingSince: null, nextAt: 0, endedAt: null },
          unwrap(toAuditNote(by, Date.now)),
        );
      }
      return { delivery, isResumed };
    },
  };
}

const UNKNOWN = 'no webhook has this id; redflag webhooks list shows the ids';
