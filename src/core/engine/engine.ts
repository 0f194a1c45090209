import { createRandom } from '../crypto/random.ts';
import { refuseUnknown } from '../domain/options.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import { createLink } from '../protocol/link.ts';
import type { EngineContext } from './context.ts';
import { createContext, SETTING_NAMES, type ServiceOptions } from './create-context.ts';
import type { Effects } from './effects.ts';
import { createReporters, type Reporters } from './reporters.ts';
import type { QueryResult } from '../domain/verdict.ts';
import type { ReportReceipt } from '../domain/report.ts';
import type { Authentication } from './authenticate.ts';
import type { SealableQuery } from './query.ts';
import type { SealableReport } from './report.ts';
import { createService, type Service, type ServiceRules } from './service.ts';

/**
 * The operations of the service, and the reporters and keys that they need. `createOperator` of `redflag/operator` adds
 * what an operator does.
 */
export interface Engine extends Service, Reporters {
  /** As {@link Service.report}; with a sealing key, also of sealed identifiers. */
  report(request: SealableReport & Authentication): Promise<Outcome<ReportReceipt>>;
  /** As {@link Service.query}; with a sealing key, also of sealed identifiers. */
  query(request: SealableQuery & Authentication): Promise<Outcome<QueryResult>>;
  /** Returns what clients may know about the service: address, offence types and bounds. Never refused. */
  describe(): Promise<Outcome<ServiceRules>>;
  /**
   * Verifies that the store belongs to the given secret, peppers and sealing key, and loads the standings. The first
   * operation does the same; call `ready` at startup to detect an error, and so that no client waits. Rejects with
   * SecretError for another secret, with PepperError for other peppers, and with SealError for another sealing key, or
   * none, if the store is sealed.
   */
  ready(): Promise<void>;
  /** Returns figures for monitoring. Reads nothing from the store. */
  load(): EngineLoad;
  /** Waits for running writes and closes the store. */
  close(): Promise<void>;
  /** What features such as `createOperator` build on. Its content changes without notice. */
  readonly context: EngineContext;
}

/** Figures for monitoring. */
export interface EngineLoad {
  /** Requests to the viewer that read reports now, and that wait to do so. */
  readonly views: { readonly reading: number; readonly waiting: number };
  /** Day of the standings in use (ms UTC). Undefined before the first request, or if the model has no standings. */
  readonly standingsEpochAt: number | undefined;
}

/** Options of {@link createEngine}. */
export interface EngineOptions extends Omit<ServiceOptions, keyof Effects> {
  /** Public base address of the service, e.g. `https://reports.example`. Links begin with it (protocol 4.4). */
  readonly publicUrl: string;
  /**
   * Returns milliseconds since 1970 (UTC); default: the machine's clock. Clocks of processes that share a store may
   * differ by up to ten minutes.
   */
  readonly clock?: () => number;
  /**
   * Returns milliseconds that never go back, for request limits; default: `performance.now`, and in a shared store the
   * store's clock. For tests: processes that share a store need one source.
   */
  readonly monotonic?: () => number;
  /**
   * Returns fresh bytes; default: the platform's cryptographic source. With a fixed clock and {@link
   * createSeededRandom}, the same calls return the same results.
   */
  readonly random?: (byteCount: number) => Uint8Array;
  /** Resolves after the given time; default: `setTimeout`. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const waitForTimer = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Node needs `unref`. A browser's timer is a number. */
function startTimer(milliseconds: number, task: () => void): () => void {
  const timer: ReturnType<typeof setTimeout> & { unref?: () => unknown } = setTimeout(task, milliseconds);
  timer.unref?.();
  return () => clearTimeout(timer);
}

/**
 * Returns an engine that uses a store. Throws TypeError or RangeError for an invalid option. Operations return refusals
 * as values. The engine owns the store: `close` closes both.
 */
export function createEngine(options: EngineOptions): Engine {
  const { publicUrl, clock, monotonic, random, wait, ...settings } = options;
  refuseUnknown(settings, SETTING_NAMES);
  const context = createContext({
    ...settings,
    clock: clock ?? Date.now,
    monotonic: monotonic ?? (() => performance.now()),
    storeTime: monotonic,
    random: random ?? createRandom(),
    wait: wait ?? waitForTimer,
    later: startTimer,
    giveTurn: () => waitForTimer(0),
    linkTo: createLink(publicUrl),
  });
  const { secretCheck, peppers, standings, store, usage, views, bounds } = context;
  const rules: ServiceRules = {
    publicUrl,
    offenceTypes: [...context.offenceTypes],
    bounds: { identifiers: bounds.identifiers, textCharacters: bounds.textCharacters },
  };
  return {
    ...createService(context),
    ...createReporters(context),
    context,
    describe: async () => accept(rules),
    async ready() {
      await secretCheck.ready();
      await peppers.status();
      await standings?.current();
    },
    load: () => ({ views: views.load(), standingsEpochAt: standings?.epochAt() }),
    async close() {
      await standings?.idle();
      await usage.save();
      await store.close();
    },
  };
}
