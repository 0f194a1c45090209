import type { StoreCounts } from '../../core/domain/store-counts.ts';
import type { AnswerEvent } from '../../core/http/exchange.ts';

/** Hours for which requests are counted. */
const HOURS = 24;
const HOUR_MS = 3_600_000;

/** The requests of one hour. */
export interface HealthHour {
  /** Start of the hour (ms, UTC). */
  readonly startsAt: number;
  /** Number of requests by what they ask for and what became of them. Those without a request are left out. */
  readonly counts: readonly (Pick<AnswerEvent, 'action' | 'outcome'> & { readonly requests: number })[];
}

/** What the operator's page shows about the service. */
export interface HealthFigures {
  /** Version of the program; undefined if it was not given. */
  readonly version: string | undefined;
  /** When counting began (ms, UTC): the start of this process. */
  readonly startedAt: number;
  /** The last 24 hours, oldest first. The last one is not over. */
  readonly hours: readonly HealthHour[];
  /** Rows of the store; undefined if they are not known. */
  readonly rows: StoreCounts | undefined;
}

/**
 * Counts the requests of this process for the panel: of the last 24 hours, in memory. Actions and outcomes are closed
 * lists, so the memory is bounded.
 */
export interface PanelHealth {
  /** Counts an answered request. Pass it to the option `onAnswer` of the listener. */
  answered(event: Pick<AnswerEvent, 'action' | 'outcome'>): void;
  /** Returns the figures of now. */
  figures(): Promise<HealthFigures>;
}

/** Options of {@link createPanelHealth}. */
export interface PanelHealthOptions {
  /** Version of the program, to show. */
  readonly version?: string;
  /** Returns the rows of the store, such as `() => store.count()`. Called for each visit of the first page. */
  readonly rows?: () => StoreCounts | undefined | Promise<StoreCounts | undefined>;
  /** Returns milliseconds since 1970 (UTC); default: the machine's clock. */
  readonly clock?: () => number;
}

/** Returns a {@link PanelHealth} that has counted nothing yet. */
export function createPanelHealth({ version, rows, clock = Date.now }: PanelHealthOptions = {}): PanelHealth {
  const startedAt = clock();
  /** By start of the hour, oldest first. */
  const hours = new Map<number, Map<string, number>>();
  const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;

  return {
    answered({ action, outcome }) {
      const startsAt = hourOf(clock());
      let counts = hours.get(startsAt);
      if (!counts) {
        hours.set(startsAt, (counts = new Map()));
        // Also with a clock that is set back: the hours that were begun first are forgotten.
        for (const oldest of hours.keys()) {
          if (hours.size <= HOURS) break;
          hours.delete(oldest);
        }
      }
      const name = `${action} ${outcome}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },

    async figures() {
      const last = hourOf(clock());
      return {
        version,
        startedAt,
        rows: await rows?.(),
        hours: Array.from({ length: HOURS }, (_, at) => {
          const startsAt = last - (HOURS - 1 - at) * HOUR_MS;
          const counts = [...(hours.get(startsAt) ?? [])].map(([name, requests]) => {
            const [action, outcome] = name.split(' ') as [AnswerEvent['action'], AnswerEvent['outcome']];
            return { action, outcome, requests };
          });
          return { startsAt, counts };
        }),
      };
    },
  };
}
