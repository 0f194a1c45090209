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
const MAX_RETRY_MS = 3_600_000;
/** Entries per read, and entries of others after which the position is stored all the same. */
const PAGE = 200;
const GONE = 410;

type Page = readonly (AuditEntry | DamagedEntry)[];
const NONE = { due: [], page: [] } as const;
const DEFAULTS = { pollMs: 1_000, timeoutMs: 10_000, retryMs: 5_000, giveUpMs: 5 * 86_400_000 };

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
  const sender = new Sender(store, secret, onNotice, settings);
  const looping = sender.run();
  return {
    async stop() {
      sender.abort();
      await looping;
    },
  };
}

class Sender {
  readonly #store: Store;
  readonly #secret: string;
  readonly #notice: PrintNotice;
  readonly #settings: Required<SenderSettings>;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** Entries up to which a webhook has nothing to deliver. Some of these positions are not stored. */
  readonly #seen = new Map<string, number>();
  /** Progress that the store did not take. It counts, so that no entry is sent again, and no retry is early. */
  readonly #unsaved = new Map<string, WebhookProgress>();
  /** Damaged entries of which a notice was sent. */
  readonly #damaged = new Set<number>();
  readonly #slots = createSlots(AT_ONCE);
  /** The page that was read last. Webhooks at the same entry read it together. */
  #read = { after: -1, page: Promise.resolve<Page>([]) };

  constructor(store: Store, secret: string, onNotice: PrintNotice, settings: SenderSettings) {
    this.#store = store;
    this.#secret = secret;
    this.#notice = onNotice;
    this.#settings = { ...DEFAULTS, ...settings };
  }

  abort(): void {
    this.#stopping.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const { shared } = this.#store;
    let lease: { release(): Promise<void> } | undefined;
    while (!signal.aborted) {
      try {
        await this.#saveUnsaved();
        let { due, page } = await this.#findDue();
        if (shared && !lease && due.length > 0) {
          lease = await shared.lease('webhooks');
          // The process that had the lease may have delivered.
          ({ due, page } = lease ? await this.#findDue() : NONE);
        }
        for (const webhook of due) this.#start(webhook, page);
        // Give the lease back when nothing is under way: it holds a connection.
        if (lease && this.#running.size === 0) {
          await lease.release();
          lease = undefined;
        }
      } catch (error) {
        this.#failed(error);
      }
      await pause(this.#settings.pollMs, signal);
    }
    await Promise.all(this.#running.values());
    await this.#saveUnsaved();
    await lease?.release();
  }

  /** Returns the webhooks that may have something to deliver now, and the entries after the first position of them. */
  async #findDue(): Promise<{ readonly due: readonly Webhook[]; readonly page: Page }> {
    const now = Date.now();
    // Taken before the read: the row of a task that ends during the read may be older than the task's last delivery.
    const busy = new Set(this.#running.keys());
    const active = (await this.#store.listWebhooks())
      .map((webhook) => this.#stateOf(webhook))
      .filter(({ webhookId, endedAt, nextAt }) => endedAt === null && !isLater(nextAt, now) && !busy.has(webhookId));
    if (active.length === 0) return NONE;
    // The end of the log may have moved.
    this.#read.after = -1;
    const page = await this.#readAfter(active.reduce((least, { position }) => Math.min(least, position), Infinity));
    const last = page.at(-1)?.seq ?? 0;
    return { due: active.filter(({ position }) => position < last), page };
  }

  #stateOf(webhook: Webhook): Webhook {
    const kept = this.#unsaved.get(webhook.webhookId);
    const state = kept && kept.position >= webhook.position ? { ...webhook, ...kept } : webhook;
    return { ...state, position: Math.max(state.position, this.#seen.get(webhook.webhookId) ?? 0) };
  }

  #readAfter(after: number): Promise<Page> {
    if (this.#read.after !== after) this.#read = { after, page: this.#store.listAudit({ after, limit: PAGE }) };
    return this.#read.page;
  }

  #start(webhook: Webhook, page: Page): void {
    const { webhookId } = webhook;
    const task = this.#work(webhook, page)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#running.delete(webhookId));
    this.#running.set(webhookId, task);
  }

  /** Delivers from a page on until nothing is left, or until a delivery fails. */
  async #work(webhook: Webhook, first: Page): Promise<void> {
    const { signal } = this.#stopping;
    const { webhookId, failures, failingSince, endedAt } = webhook;
    let progress: WebhookProgress = {
      webhookId,
      position: webhook.position,
      failures,
      failingSince,
      nextAt: 0,
      endedAt,
    };
    for (let page = first; !signal.aborted;) {
      const entry = page.find(
        (one): one is AuditEntry => one.seq > progress.position && this.#isSound(one) && concerns(webhook, one),
      );
      if (!entry) {
        const position = page.at(-1)?.seq ?? progress.position;
        progress = { ...progress, position };
        this.#seen.set(webhookId, position);
        // Store the position only after a whole page: otherwise, each entry of others would be a write.
        if (page.length < PAGE) return;
        await this.#move(progress);
        page = await this.#readAfter(position);
        continue;
      }
      const delivery = await this.#deliver(webhook, entry);
      if ('failed' in delivery && delivery.failed === 'aborted') return;
      if (!isAccepted(delivery)) {
        await this.#move(this.#toFailed(progress, delivery));
        return;
      }
      progress = { ...progress, position: entry.seq, failures: 0, failingSince: null };
      if (!(await this.#move(progress))) return;
    }
  }

  #isSound(entry: AuditEntry | DamagedEntry): entry is AuditEntry {
    if (isSoundEntry(entry)) return true;
    if (!this.#damaged.has(entry.seq)) this.#notice({ event: 'audit-entry-damaged', seq: entry.seq });
    this.#damaged.add(entry.seq);
    return false;
  }

  #deliver({ webhookId, url, reporterId }: Webhook, entry: AuditEntry): Promise<Delivery> {
    const { toPrivate, timeoutMs } = this.#settings;
    return this.#slots(() => {
      const signing = webhookSecret(this.#secret, webhookId);
      const message = messageOf(entry, signing, reporterId === null);
      const headers = headersOf(message, signing, Date.now());
      return post(new URL(url), message.body, headers, { toPrivate, timeoutMs, signal: this.#stopping.signal });
    });
  }

  /** Returns the progress after a delivery that was not accepted, and sends the notice of the first one or the end. */
  #toFailed(before: WebhookProgress, delivery: Delivery): WebhookProgress {
    const { retryMs, giveUpMs } = this.#settings;
    const { webhookId } = before;
    const status = 'status' in delivery ? delivery.status : undefined;
    const cause = 'failed' in delivery ? delivery.failed : 'status';
    const now = Date.now();
    const failures = before.failures + 1;
    const failingSince = before.failingSince ?? now;
    const isEnd = status === GONE || now - failingSince >= giveUpMs;
    const about = { webhookId, cause, ...(status === undefined ? {} : { status }) };
    if (isEnd) this.#notice({ event: 'webhook-ended', ...about });
    else if (failures === 1) this.#notice({ event: 'webhook-failed', ...about });
    // Jitter: receivers that failed together are not asked again together.
    const wait = Math.min(retryMs * 2 ** (failures - 1), MAX_RETRY_MS);
    const nextAt = Math.round(now + wait * (0.5 + Math.random() / 2));
    return { ...before, failures, failingSince, nextAt, endedAt: isEnd ? now : before.endedAt };
  }

  /** Stores progress, or keeps it if the store fails. Returns false if another process delivered, or it is removed. */
  #move(progress: WebhookProgress): Promise<boolean> {
    return this.#save(progress).catch((error: unknown) => {
      this.#failed(error);
      return true;
    });
  }

  /** Returns false if the progress does not count: another process delivered more, or the webhook is removed. */
  async #save(progress: WebhookProgress): Promise<boolean> {
    this.#unsaved.set(progress.webhookId, progress);
    const saved = await this.#store.moveWebhook(progress);
    this.#unsaved.delete(progress.webhookId);
    return saved === 'moved';
  }

  async #saveUnsaved(): Promise<void> {
    try {
      for (const progress of this.#unsaved.values())
        if (!this.#running.has(progress.webhookId)) await this.#save(progress);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#notice({ event: 'background-work-failed', error });
  }
}

/** True for a time that is not here yet. A time beyond every wait comes from a clock that was set back since. */
function isLater(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + MAX_RETRY_MS;
}

/** Returns a function that runs at most so many tasks at once. Others wait in their order. */
function createSlots(size: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  const state = { free: size };
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
  'dispute-reopened',
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
