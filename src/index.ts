import { createAdministration, type Administration } from './admin/administration.ts';
import { createContext, type ServiceOptions } from './engine/create-context.ts';
import { createService, type Service } from './engine/service.ts';
import { createLink } from './protocol/link.ts';

export type { Administration } from './admin/administration.ts';
export type { Identifier } from './domain/identifier.ts';
export type { Outcome, RateLimit, Refusal, RefusalReason } from './domain/refusal.ts';
export { RefusedError, unwrap } from './domain/refusal.ts';
export type { PublicReport, ReportDraft, ReportReceipt } from './domain/report.ts';
export { OFFENCE_TYPES } from './domain/report.ts';
export type { IssuedKey, KeyInfo, Reporter } from './domain/reporter.ts';
export type { QueryResult, Verdict } from './domain/verdict.ts';
export { createSeededRandom } from './engine/seeded-random.ts';
export type { Service } from './engine/service.ts';
export type { Store } from './store/store.ts';
export { StoreUnavailableError } from './store/store.ts';

/** The four operations of the service and the operator's work with reporters and keys. */
export interface Engine extends Service, Administration {
  /** Waits for running writes and closes the store. */
  close(): Promise<void>;
}

/** Options of {@link createEngine}. */
export interface EngineOptions extends Omit<ServiceOptions, 'linkTo' | 'clock' | 'random'> {
  /** Where the service's base is reachable, e.g. `https://reports.example`; links begin with it (spec 4.4). */
  readonly publicUrl: string;
  /** Milliseconds since the epoch; the machine's clock unless given. */
  readonly clock?: () => number;
  /** Fresh bytes; the platform's cryptographic source unless given. With a fixed clock and {@link createSeededRandom} the same calls give the same bytes. */
  readonly random?: (byteCount: number) => Uint8Array;
}

/**
 * An engine over a store. Throws TypeError or RangeError when an option is wrong; afterwards expected failures are values.
 * The store belongs to the engine from here on.
 */
export function createEngine(options: EngineOptions): Engine {
  const context = createContext({
    ...options,
    clock: options.clock ?? Date.now,
    random: options.random ?? ((byteCount) => globalThis.crypto.getRandomValues(new Uint8Array(byteCount))),
    linkTo: createLink(options.publicUrl),
  });
  return { ...createService(context), ...createAdministration(context), close: () => context.store.close() };
}
