import { JournalDamagedError } from './damaged.ts';
import { encodeFileHeader } from './format.ts';
import { Journal } from './journal.ts';
import type { JournalMedium } from './medium.ts';
import type { JournalReader } from './read.ts';
import { readJournal } from './read.ts';

/** Bytes at the journal's end that belonged to no acknowledged record and were cut off. */
export interface JournalNotice {
  /** `torn`: a write that a crash interrupted. `unacknowledged`: what a failed write left behind (see `durableBytes`). */
  readonly reason: 'torn' | 'unacknowledged';
  /** Where they began, and how many. */
  readonly offset: number;
  readonly bytes: number;
}

export interface OpenJournalOptions extends JournalReader {
  /** Used by this journal alone until it is closed or has failed. */
  readonly medium: JournalMedium;
  /** `Journal.durableBytes` of a failed journal on this medium: read exactly so many bytes, and cut off the rest, if need be before the next write. Without it everything is read. */
  readonly durableBytes?: number;
  /** Told after the cut. */
  onNotice?(notice: JournalNotice): void;
}

/**
 * Reads what a medium holds, in order, and gives the journal that goes on behind it. An empty medium becomes a new journal.
 *
 * Rejects, with nothing written, with `JournalDamagedError` for bytes that no crash can have left so, with `JournalVersionError` for a newer
 * format, and with what `onSnapshot`, `onRecord` or the medium throws. The medium stays open then and is the caller's to close.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const { medium, durableBytes } = options;
  const present = await medium.size();
  const size = durableBytes ?? present;
  if (present < size) throw new JournalDamagedError(present, `${size} bytes that were acknowledged`);
  // Up to `durableBytes` every byte was acknowledged, so there nothing is forgiven.
  const contents = await readJournal(medium, size, durableBytes === undefined, options);
  if (contents.end === 0) {
    const file = encodeFileHeader(false);
    // Not appended: replacing leaves either nothing or the whole header, whatever happens meanwhile.
    await medium.replace([file.bytes]);
    if (present > 0) options.onNotice?.({ reason: 'torn', offset: 0, bytes: present });
    return new Journal(medium, { ...contents, end: file.bytes.byteLength });
  }
  if (contents.end < present) {
    try {
      await medium.truncate(contents.end);
    } catch (error) {
      if (durableBytes === undefined) throw error;
      // A medium that has become read-only: what was acknowledged can still be read, and the first write cuts the rest off.
      return new Journal(medium, contents, true);
    }
    options.onNotice?.({
      reason: durableBytes === undefined ? 'torn' : 'unacknowledged',
      offset: contents.end,
      bytes: present - contents.end,
    });
  }
  return new Journal(medium, contents);
}
