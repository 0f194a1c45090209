import { createSeries } from '../../core/domain/series.ts';
import { findBreak, linksOf, markOf, type Head, type Mark } from '../history.ts';
import { signMark } from '../manifest.ts';

/** What {@link createHistorySigner} needs. */
export interface HistorySignerParts {
  /** Ed25519 secret key, 32 bytes. */
  readonly signingKey: Uint8Array;
  /** pk0, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** What was saved last; {@link NOTHING_SIGNED} at first. */
  readonly last: Mark;
  /** Resolves when the mark is durable. */
  readonly save: (mark: Mark) => Promise<void>;
}

/** Signs one history. */
export interface HistorySigner {
  /**
   * Returns the signature of the last manifest of a history. Undefined if the history does not continue the last one
   * that was signed, or has another manifest for its sequence. Rejects, and signs nothing, if it cannot be saved.
   */
  sign(head: Head): Promise<Uint8Array | undefined>;
}

/** Saves before it signs: after a crash, it may have signed what it has saved, and nothing else. */
export function createHistorySigner({ signingKey, publicKey, last, save }: HistorySignerParts): HistorySigner {
  let known = last;
  const inSeries = createSeries();
  const sign = async (head: Head): Promise<Uint8Array | undefined> => {
    const mark = markOf(head);
    if (findBreak(mark, linksOf(head.history), known) !== undefined) return undefined;
    if (mark.sequence !== known.sequence) await save(mark);
    known = mark;
    return signMark(signingKey, publicKey, mark);
  };
  return { sign: (head) => inSeries(() => sign(head)) };
}
