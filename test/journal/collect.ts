import type { Journal } from '../../src/stores/journal/journal.ts';
import type { JournalMedium } from '../../src/stores/journal/medium.ts';
import type { JournalNotice, OpenJournalOptions } from '../../src/stores/journal/open.ts';
import { openJournal } from '../../src/stores/journal/open.ts';

/** An opened journal and all that it handed out, as text. */
export interface Collected {
  readonly journal: Journal;
  readonly snapshot: string | undefined;
  readonly records: readonly string[];
  readonly notices: readonly JournalNotice[];
}

/** Opens a journal and keeps what it hands out. */
export async function openAndCollect(
  medium: JournalMedium,
  more: Pick<OpenJournalOptions, 'durableBytes'> = {},
): Promise<Collected> {
  const records: string[] = [];
  const notices: JournalNotice[] = [];
  let snapshot: string | undefined;
  const journal = await openJournal({
    medium,
    ...more,
    onSnapshot: (bytes) => void (snapshot = text(bytes)),
    onRecord: (bytes) => void records.push(text(bytes)),
    onNotice: (notice) => void notices.push(notice),
  });
  return { journal, snapshot, records, notices };
}

/** One character a byte, so that unequal bytes are unequal text. */
export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

export function bytesOf(value: string): Uint8Array {
  return new Uint8Array(Buffer.from(value, 'latin1'));
}
