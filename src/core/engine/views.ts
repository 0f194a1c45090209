import type { PublicReport } from '../domain/report.ts';
import { createTurns, type Turns } from './turns.ts';

/** Views with different names that wait to read. Further ones are refused at once. */
const MAX_WAITING = 1_024;
/** Those of one network: more than its limit lets ask at once. */
const MAX_OF_NETWORK = 64;
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
export interface Views extends Turns {
  get(linkHash: string): CachedView | undefined;
  /** Returns a function that keeps a view, unless {@link forget} is called meanwhile. Call it before you read. */
  keeper(): (linkHash: string, view: CachedView) => void;
  /** Forgets all views. Call it after reports were erased, so that memory has no copy of them. */
  forget(): void;
}

export function createViews(giveTurn: () => Promise<void>, keptBytes = KEPT_BYTES): Views {
  // A Map iterates in insertion order, and each use reinserts its entry.
  const kept = new Map<string, CachedView>();
  let bytes = 0;
  let forgotten = 0;

  const drop = (linkHash: string): void => {
    bytes -= sizeOf(kept.get(linkHash));
    kept.delete(linkHash);
  };

  return {
    ...createTurns(giveTurn, MAX_WAITING, MAX_OF_NETWORK),
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
  };
}

function sizeOf(view: CachedView | undefined): number {
  return view ? view.bytes + ENTRY_BYTES : 0;
}
