import { randomBytes } from 'node:crypto';
import { toAuditNote } from '../../core/domain/audit.ts';
import { unwrap } from '../../index.ts';
import type { ProgramEngine } from './program-engine.ts';
import { DataFolderError } from './errors.ts';
import { findReporter } from './find-reporter.ts';
import type { Place } from './upkeep-calls.ts';
import { headersOf, webhookSecret } from './webhooks/message.ts';
import { isAccepted, post, type Delivery } from './webhooks/post.ts';
import { validateWebhookUrl } from './webhooks/url.ts';

const TIMEOUT_MS = 10_000;

export const WEBHOOK_CALLS = {
  'webhooks add': async (
    engine: ProgramEngine,
    call: { readonly url: string; readonly reporter: string | null; readonly toPrivate: boolean; readonly by: string },
    { store, secret }: Place,
  ) => {
    validateWebhookUrl(call.url, call.toPrivate);
    const note = unwrap(toAuditNote(call.by, Date.now));
    const reporter = call.reporter === null ? null : await findReporter(engine, call.reporter);
    if (reporter === undefined)
      throw new DataFolderError('no reporter has this name; redflag reporters shows the names');
    const reporterId = reporter && reporter.reporterId;
    for (;;) {
      const webhookId = randomBytes(8).toString('hex');
      const added = await store.addWebhook({ webhookId, url: call.url, reporterId, createdAt: note.atMs }, note);
      if (added !== 'taken') return { webhookId, signingSecret: webhookSecret(secret, webhookId) };
    }
  },

  'webhooks list': async (engine: ProgramEngine, _: undefined, { store }: Place) => {
    const webhooks = await store.listWebhooks();
    const reporterIds = webhooks.flatMap(({ reporterId }) => reporterId ?? []);
    const names = new Map((await engine.listReporters({ reporterIds })).map((one) => [one.reporterId, one.name]));
    return webhooks.map((webhook) => ({
      ...webhook,
      reporter: webhook.reporterId && (names.get(webhook.reporterId) ?? null),
    }));
  },

  'webhooks remove': async (
    _: ProgramEngine,
    { webhookId, by }: { readonly webhookId: string; readonly by: string },
    { store }: Place,
  ) => {
    if ((await store.removeWebhook({ webhookId }, unwrap(toAuditNote(by, Date.now)))) === 'unknown')
      throw new DataFolderError(UNKNOWN);
    return {};
  },

  // A receiver that accepts the test can get entries again.
  'webhooks test': async (
    _: ProgramEngine,
    call: { readonly webhookId: string; readonly toPrivate: boolean; readonly by: string },
    { store, secret, signal }: Place,
  ): Promise<{ readonly delivery: Delivery; readonly isResumed: boolean }> => {
    const { webhookId, toPrivate } = call;
    const webhook = (await store.listWebhooks()).find((one) => one.webhookId === webhookId);
    if (!webhook) throw new DataFolderError(UNKNOWN);
    const signing = webhookSecret(secret, webhookId);
    const nowMs = Date.now();
    const body = JSON.stringify({ type: 'test', timestamp: new Date(nowMs).toISOString(), data: { webhookId } });
    const message = { id: `msg_${randomBytes(16).toString('hex')}`, body };
    const settings = { toPrivate, timeoutMs: TIMEOUT_MS, signal };
    const delivery = await post(new URL(webhook.url), body, headersOf(message, signing, nowMs), settings);
    const isResumed = isAccepted(delivery) && webhook.endedAt !== null;
    if (isResumed) {
      const { position } = webhook;
      await store.moveWebhook(
        { webhookId, position, failures: 0, failingSince: null, nextAt: 0, endedAt: null },
        unwrap(toAuditNote(call.by, Date.now)),
      );
    }
    return { delivery, isResumed };
  },
};

const UNKNOWN = 'no webhook has this id; redflag webhooks list shows the ids';
