import { accept, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from './context.ts';
import { createContext, type ServiceOptions } from './create-context.ts';
import type { Effects } from './effects.ts';
import { createReporters, type Reporters } from './reporters.ts';
import { createService, type Service, type ServiceRules } from './service.ts';

/**
 * The operations of the service, and the reporters and keys that they need. `createOperator` of `redflag/operator` adds
 * what an operator does.
 */
export interface Engine extends Service, Reporters {
  /** Returns what clients may know about the service: address, offence types and bounds. Never refused. */
  describe(): Promise<Outcome<ServiceRules>>;
  /**
   * Verifies that the store belongs to the given secret, peppers and `conceal`, and loads the standings. The first
   * operation does the same; call `ready` at startup to detect an error, and so that no client waits. Rejects with
   * SecretError for another secret, with PepperError for other peppers, and with SealError if the store needs another
   * `conceal`.
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

/** Composes an engine. Throws TypeError or RangeError for an invalid option. */
export function composeEngine(publicUrl: string, linkStart: string, options: ServiceOptions, effects: Effects): Engine {
  const context = createContext(options, effects, linkStart);
  const { secretCheck, peppers, standings, store, usage, views, settings } = context;
  const { identifiers, textCharacters } = settings.bounds;
  const rules: ServiceRules = {
    publicUrl,
    offenceTypes: [...settings.offenceTypes],
    bounds: { identifiers, textCharacters },
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
