import { expect, it } from 'vitest';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import type { Store } from '../../src/core/store/store.ts';
import { id } from './stored.ts';

/** Webhooks. The store has two reporters and nothing else. */
export function webhookContract(storeOf: () => Store): void {
  const note = { actor: 'Ada', atMs: 5 };
  const webhook = (n: number, reporterId: string | null = null) => ({
    webhookId: id(n),
    url: `https://shop${n}.example/hooks?a=“b”`,
    reporterId,
    createdAt: n,
  });
  const fresh = { failures: 0, failingSince: null, nextAt: 0, endedAt: null };

  it('keeps webhooks, each from the entry of the log that adds it', async () => {
    const store = storeOf();
    expect(await store.addWebhook(webhook(1), note)).toBe('added');
    expect(await store.addWebhook(webhook(2, id(2)), note)).toBe('added');
    expect(await store.addWebhook(webhook(2), note)).toBe('taken');
    expect(await store.addWebhook(webhook(3, id(9)), note)).toBe('unknown-reporter');
    expect(await store.listWebhooks()).toEqual([
      { ...webhook(1), ...fresh, position: 1 },
      { ...webhook(2, id(2)), ...fresh, position: 2 },
    ]);
    expect(await store.removeWebhook({ webhookId: id(2) }, note)).toBe('removed');
    expect(await store.removeWebhook({ webhookId: id(2) }, note)).toBe('unknown');
    expect(await store.listWebhooks()).toMatchObject([{ webhookId: id(1) }]);
    expect(
      (await store.listAudit({ after: 0, limit: 9 }))
        .filter(isSoundEntry)
        .map(({ action, reporterId, subject }) => [action, reporterId, subject]),
    ).toEqual([
      ['webhook-added', null, id(1)],
      ['webhook-added', id(2), id(2)],
      ['webhook-removed', id(2), id(2)],
    ]);
    expect(await store.check()).toEqual([]);
  });

  it('moves a webhook on, and never back', async () => {
    const store = storeOf();
    await store.addWebhook(webhook(1));
    const failing = { webhookId: id(1), position: 7, failures: 3, failingSince: 50, nextAt: 90, endedAt: null };
    expect(await store.moveWebhook(failing)).toBe('moved');
    expect(await store.listWebhooks()).toEqual([{ ...webhook(1), ...failing }]);
    expect(await store.moveWebhook({ ...failing, position: 6, failures: 0 })).toBe('behind');
    expect(await store.moveWebhook({ ...failing, endedAt: 99 })).toBe('moved');
    expect(await store.listWebhooks()).toEqual([{ ...webhook(1), ...failing, endedAt: 99 }]);
    expect(await store.moveWebhook({ ...failing, webhookId: id(2) })).toBe('unknown');
    expect(await store.check()).toEqual([]);
  });
}
