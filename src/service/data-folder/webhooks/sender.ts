import { isSoundEntry, type AuditAction, type AuditEntry, type DamagedEntry } from '../../../core/domain/audit.ts';
import type { Webhook, WebhookProgress } from '../../../core/domain/webhook.ts';
import type { Store } from '../../../core/store/store.ts';
import type { PrintNotice } from '../errors.ts';
import { headersOf, messageOf, webhookSecret } from './message.ts';
import { isAccepted, post, type Delivery } from './post.ts';

/** Settings of the sender. The times are milliseconds. */
export interface SenderSettings {
  readonly toPrivate: boolean;
  /** Between two looks at the audit log. Default 1 second. */
  readonly pollMs?: number;
  /** Bound of one delivery. Default 10 seconds. */
  readonly timeoutMs?: number;
  /** Longest wait before the second attempt. Each further wait is twice as long, up to an hour. Default 5 seconds. */
  readonly retryMs?: number;
  /** A webhook that failed for so long ends. Default 5 days. */
  readonly giveUpMs?: number;
}

/** Deliveries at once. */
const AT_ONCE = 8;
const RETRY_MS_MOST = 3_600_000;
/** Entries per read, and entries of others after which the position is stored all the same. */
const PAGE = 200;
const GONE = 410;

type Page = readonly (AuditEntry | DamagedEntry)[];
const NONE = { due: [], page: [] } as const;

/**
 * Sends the entries of the audit log to the webhooks that they concern, in order for each webhook. An entry is
 * delivered when its receiver answers with 2xx; the position is stored then, so a crash may send it a second time, but
 * loses none. While the store takes no writes, progress stays in memory. One slow receiver does not delay the others.
 * On a shared store, only one process sends.
 *
 * `stop` ends running deliveries. They are sent again after the next start.
 */
export function startSender(
  store: Store,
  secret: string,
  onNotice: PrintNotice,
  settings: SenderSettings,
): { stop(): Promise<void> } {
  const { toPrivate, pollMs = 1_000, timeoutMs = 10_000, retryMs = 5_000, giveUpMs = 5 * 86_400_000 } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();
  /** Entries up to which a webhook has nothing to deliver. Some of these positions are not stored. */
  const seen = new Map<string, number>();
  /** Progress that the store did not take. It counts, so that no entry is sent again, and no retry is early. */
  const unsaved = new Map<string, WebhookProgress>();
  const stateOf = (webhook: Webhook): Webhook => {
    const kept = unsaved.get(webhook.webhookId);
    const state = kept && kept.position >= webhook.position ? { ...webhook, ...kept } : webhook;
    return { ...state, position: Math.max(state.position, seen.get(webhook.webhookId) ?? 0) };
  };
  const slots = createSlots(AT_ONCE);
  const failed = (error: unknown): void => onNotice({ event: 'background-work-failed', error });

  /** Damaged entries of which a notice was sent. */
  const damaged = new Set<number>();
  const isSound = (entry: AuditEntry | DamagedEntry): entry is AuditEntry => {
    if (isSoundEntry(entry)) return true;
    if (!damaged.has(entry.seq)) onNotice({ event: 'audit-entry-damaged', seq: entry.seq });
    damaged.add(entry.seq);
    return false;
  };

  /** The page that was read last. Webhooks at the same entry read it together. */
  let read = { after: -1, page: Promise.resolve<Page>([]) };
  const readAfter = (after: number): Promise<Page> => {
    if (read.after !== after) read = { after, page: store.listAudit({ after, limit: PAGE }) };
    return read.page;
  };

  /** Stores progress. Returns false if it does not count: another process delivered more, or the webhook is removed. */
  const save = async (progress: WebhookProgress): Promise<boolean> => {
    unsaved.set(progress.webhookId, progress);
    const saved = await store.moveWebhook(progress);
    unsaved.delete(progress.webhookId);
    return saved === 'moved';
  };

  const saveUnsaved = async (): Promise<void> => {
    try {
      for (const progress of unsaved.values()) if (!running.has(progress.webhookId)) await save(progress);
    } catch (error) {
      failed(error);
    }
  };

  const deliver = ({ webhookId, url }: Webhook, entry: AuditEntry): Promise<Delivery> =>
    slots(() => {
      const signing = webhookSecret(secret, webhookId);
      const message = messageOf(entry, signing);
      const headers = headersOf(message, signing, Date.now());
      return post(new URL(url), message.body, headers, { toPrivate, timeoutMs, signal });
    });

  /** Delivers from a page on until nothing is left, or until a delivery fails. */
  const work = async (webhook: Webhook, first: Page): Promise<void> => {
    const { webhookId } = webhook;
    let { position, failures, failingSince, endedAt } = webhook;
    const move = (nextAt: number): Promise<boolean> =>
      save({ webhookId, position, failures, failingSince, nextAt, endedAt }).catch((error: unknown) => {
        failed(error);
        return true;
      });
    for (let page = first; !signal.aborted;) {
      const entry = page.find((one): one is AuditEntry => one.seq > position && isSound(one) && concerns(webhook, one));
      if (!entry) {
        position = page.at(-1)?.seq ?? position;
        seen.set(webhookId, position);
        // Store the position only after a whole page: otherwise, each entry of others would be a write.
        if (page.length < PAGE) return;
        await move(0);
        page = await readAfter(position);
        continue;
      }
      const delivery = await deliver(webhook, entry);
      if ('failed' in delivery && delivery.failed === 'aborted') return;
      const status = 'status' in delivery ? delivery.status : undefined;
      const now = Date.now();
      if (isAccepted(delivery)) {
        position = entry.seq;
        failures = 0;
        failingSince = null;
        if (!(await move(0))) return;
        continue;
      }
      failures++;
      failingSince ??= now;
      const cause = 'failed' in delivery ? delivery.failed : 'status';
      if (status === GONE || now - failingSince >= giveUpMs) {
        endedAt = now;
        onNotice({ event: 'webhook-ended', webhookId, cause, ...(status === undefined ? {} : { status }) });
      } else if (failures === 1) {
        onNotice({ event: 'webhook-failed', webhookId, cause, ...(status === undefined ? {} : { status }) });
      }
      // Jitter: receivers that failed together are not asked again together.
      const wait = Math.min(retryMs * 2 ** (failures - 1), RETRY_MS_MOST);
      await move(Math.round(now + wait * (0.5 + Math.random() / 2)));
      return;
    }
  };

  /** Returns the webhooks that may have something to deliver now, and the entries after the first position of them. */
  const findDue = async (): Promise<{ readonly due: readonly Webhook[]; readonly page: Page }> => {
    const now = Date.now();
    // Taken before the read: the row of a task that ends during the read may be older than the task's last delivery.
    const busy = new Set(running.keys());
    const active = (await store.listWebhooks())
      .map(stateOf)
      .filter(({ webhookId, endedAt, nextAt }) => endedAt === null && !isLater(nextAt, now) && !busy.has(webhookId));
    if (active.length === 0) return NONE;
    // The end of the log may have moved.
    read = { after: -1, page: read.page };
    const page = await readAfter(active.reduce((least, { position }) => Math.min(least, position), Infinity));
    const last = page.at(-1)?.seq ?? 0;
    return { due: active.filter(({ position }) => position < last), page };
  };

  const start = (webhook: Webhook, page: Page): void => {
    const { webhookId } = webhook;
    const task = work(webhook, page)
      .catch(failed)
      .finally(() => running.delete(webhookId));
    running.set(webhookId, task);
  };

  const loop = async (): Promise<void> => {
    let lease: { release(): Promise<void> } | undefined;
    while (!signal.aborted) {
      try {
        await saveUnsaved();
        let { due, page } = await findDue();
        if (store.shared && !lease && due.length > 0) {
          lease = await store.shared.lease('webhooks');
          // The process that had the lease may have delivered.
          ({ due, page } = lease ? await findDue() : NONE);
        }
        for (const webhook of due) start(webhook, page);
        // Give the lease back when nothing is under way: it holds a connection.
        if (lease && running.size === 0) {
          await lease.release();
          lease = undefined;
        }
      } catch (error) {
        failed(error);
      }
      await pause(pollMs, signal);
    }
    await Promise.all(running.values());
    await saveUnsaved();
    await lease?.release();
  };
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}

/** True for a time that is not here yet. A time beyond every wait comes from a clock that was set back since. */
function isLater(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + RETRY_MS_MOST;
}

/** Returns a function that runs at most so many tasks at once. Others wait in their order. */
function createSlots(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  const state = { free: most };
  return async (task) => {
    if (state.free > 0) state.free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else state.free++;
    }
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** What reporters get. The operator gets every action. */
const REPORTER_EVENTS: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'dispute-requested',
  'dispute-request-refused',
  'reporter-verified',
  'reporter-unverified',
  'dispute-opened',
  'dispute-upheld',
  'dispute-rejected',
  'ended-key-used',
  'key-revoked',
  'budget-set',
]);

/** True if a webhook delivers this entry. A reporter gets only entries about itself. */
function concerns(
  { reporterId }: Pick<Webhook, 'reporterId'>,
  entry: Pick<AuditEntry, 'action' | 'reporterId'>,
): boolean {
  return reporterId === null || (entry.reporterId === reporterId && REPORTER_EVENTS.has(entry.action));
}
