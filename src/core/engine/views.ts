import { refuse, type Outcome } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';

/** Views that read reports at the same time. The others wait, so that light requests get their turn. */
const MAX_READING = 2;
/** Views with different names that wait to read. Further ones are refused at once. */
const MAX_WAITING = 32;
const RETRY_SECONDS = 2;
/** Maximum size of all kept views, in bytes of JSON. In memory, they may take four times as much. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** What an entry costs beside its reports. */
const ENTRY_BYTES = 1_000;

/** A view that was answered, and what makes it the answer to the next one. */
export interface CachedView {
  /** The identifiers of the link, without protected ones. */
  readonly identifiersKey: string;
  /** What the store returned for them. */
  readonly reportIds: readonly string[];
  /** The store's stamp before it was asked; undefined if other processes may write to the store. */
  readonly stamp: number | undefined;
  readonly reports: readonly PublicReport[];
  /** Size of the reports in JSON. */
  readonly bytes: number;
}

/** Keeps the last views in memory, and bounds how many are made at once. */
export interface Views {
  get(linkHash: string): CachedView | undefined;
  /** Returns a function that keeps a view, unless {@link forget} is called meanwhile. Call it before you read. */
  keeper(): (linkHash: string, view: CachedView) => void;
  /** Forgets all views. Call it after reports were erased, so that memory has no copy of them. */
  forget(): void;
  /** Returns how many views read reports now, and how many wait to do so. */
  load(): { readonly reading: number; readonly waiting: number };
  /**
   * Runs a view that reads reports, now or later. Views of one name that wait are read once, and have one outcome.
   * Refuses with `overloaded` if too many others wait.
   */
  inTurn<T>(name: string, read: () => Promise<Outcome<T>>): Promise<Outcome<T>>;
}

interface WaitingView {
  readonly begin: () => void;
  readonly outcome: Promise<Outcome<unknown>>;
}

export function createViews(giveTurn: () => Promise<void>, keptBytes = KEPT_BYTES): Views {
  // A Map iterates in insertion order, and each use reinserts its entry.
  const kept = new Map<string, CachedView>();
  let bytes = 0;
  let forgotten = 0;
  let reading = 0;
  /** By name, in the order of asking. */
  const waiting = new Map<string, WaitingView>();

  const run = async <T>(read: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    try {
      return await read();
    } finally {
      // A view that ends passes its place on, so `reading` stays as it is.
      const [next] = waiting;
      if (next === undefined) reading--;
      else {
        const [name, { begin }] = next;
        // Who asks from now on may have seen a write that this view does not read.
        waiting.delete(name);
        begin();
      }
    }
  };

  const drop = (linkHash: string): void => {
    bytes -= sizeOf(kept.get(linkHash));
    kept.delete(linkHash);
  };

  return {
    get(linkHash) {
      const view = kept.get(linkHash);
      if (view === undefined) return undefined;
      kept.delete(linkHash);
      kept.set(linkHash, view);
      return view;
    },
    keeper() {
      const before = forgotten;
      return (linkHash, view) => {
        drop(linkHash);
        if (forgotten !== before || sizeOf(view) > keptBytes) return;
        kept.set(linkHash, view);
        bytes += sizeOf(view);
        for (const oldest of kept.keys()) {
          if (bytes <= keptBytes) break;
          drop(oldest);
        }
      };
    },
    forget() {
      kept.clear();
      bytes = 0;
      forgotten++;
    },
    load: () => ({ reading, waiting: waiting.size }),
    async inTurn<T>(name: string, read: () => Promise<Outcome<T>>) {
      if (reading < MAX_READING) {
        reading++;
        return run(read);
      }
      const known = waiting.get(name);
      if (known !== undefined) return known.outcome as Promise<Outcome<T>>;
      if (waiting.size >= MAX_WAITING) return refuse({ reason: 'overloaded', retryAfterSeconds: RETRY_SECONDS });
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      // Without a turn, views that wait would follow each other before any other request.
      const outcome = begun.then(giveTurn).then(() => run(read));
      waiting.set(name, { begin, outcome });
      return outcome;
    },
  };
}

function sizeOf(view: CachedView | undefined): number {
  return view ? view.bytes + ENTRY_BYTES : 0;
}
