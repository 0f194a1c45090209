import { kindCode, typeCode } from '../codes.ts';
import { fromHex } from '../encoding.ts';
import { ELEMENT_BYTES } from '../group/group.ts';
import type { SealedKeys } from '../keys.ts';
import type { ReporterEntry } from '../reporters.ts';
import { OTHER_KIND, packContent, REPORT_TAG_BYTES } from '../rows.ts';
import type { Pace } from './pace.ts';
import { SOURCE_BYTES } from './points.ts';
import { Records, sortRecords } from './records.ts';
import { numberReporters } from './reporter-numbers.ts';
import type { PublishedRules, SealedSource, SourceReporter, SourceRow } from './source.ts';
import { SealedPublicationError } from './versions.ts';

const MAX_SECONDS = 0xffff_ffff;

/** The rows of a source, ready to be written. */
export interface ReadSource {
  /** Records of `SOURCE_BYTES`, ascending. */
  readonly records: Uint8Array;
  /** Number of each reporter, by id. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The reporters that have a row. */
  readonly reporters: readonly ReporterEntry[];
}

/**
 * Reads all rows of a source, sealed under `keys`. `known` are the reporters' numbers so far in this epoch. Throws
 * {@link SealedPublicationError} for a row with ids or an element of a wrong length, and RangeError for more than
 * 65,536 reporters.
 */
export async function readSource(
  source: SealedSource,
  keys: SealedKeys,
  rules: PublishedRules,
  known: ReadonlyMap<string, number>,
  pace: Pace,
): Promise<ReadSource> {
  const standings = await source.readReporters();
  let numbers = numberReporters(known, standings.keys());
  const records = new Records(SOURCE_BYTES);
  const seen = new Set<string>();
  for await (const page of source.readRows(keys)) {
    // Reporters that were added after the standings were read.
    if (page.some(({ reporterId }) => !numbers.has(reporterId)))
      numbers = numberReporters(
        numbers,
        page.map(({ reporterId }) => reporterId),
      );
    for (const row of page) {
      seen.add(row.reporterId);
      writeRecord(records.add(), row, rules, numbers.get(row.reporterId)!);
      if (pace.isDue()) await pace.turn();
    }
    // Many pages in a row may be empty.
    if (pace.isDue()) await pace.turn();
  }
  return {
    records: await sortRecords(await records.join(pace), SOURCE_BYTES, pace),
    numbers,
    // Again: a reporter of the last rows may be new.
    reporters: toEntries(seen, numbers, await source.readReporters()),
  };
}

function writeRecord(record: Uint8Array, row: SourceRow, rules: PublishedRules, reporter: number): void {
  const kind = kindCode(rules, row.kind);
  if (rules.matchKinds === 'exact' && kind === OTHER_KIND)
    throw new SealedPublicationError(
      'with matchKinds "exact", the sealed look-up expected each reported kind in its list',
    );
  const element = fromHex(row.element);
  const report = fromHex(row.reportId);
  if (element?.length !== ELEMENT_BYTES || report === undefined || report.length < REPORT_TAG_BYTES)
    throw new SealedPublicationError('a sealed row of the store is damaged; run redflag check');
  record.set(element);
  record.set(
    packContent({
      // The first bytes of the id: a model breaks ties by the report's id, and the tag has the same order.
      report: report.subarray(0, REPORT_TAG_BYTES),
      reporter,
      severity: row.severity,
      kind,
      type: typeCode(rules, row.type),
      disputed: row.disputeOpen,
      seconds: Math.min(MAX_SECONDS, Math.max(0, Math.floor(row.createdAt / 1000))),
    }),
    ELEMENT_BYTES,
  );
}

/** A reporter without a standing is left out: a client gives it that of a new key. */
function toEntries(
  reporterIds: ReadonlySet<string>,
  numbers: ReadonlyMap<string, number>,
  standings: ReadonlyMap<string, SourceReporter>,
): ReporterEntry[] {
  return [...reporterIds].flatMap((id) => {
    const standing = standings.get(id);
    if (standing === undefined) return [];
    const { precision, established, verified } = standing;
    return [{ number: numbers.get(id)!, precision, established, verified }];
  });
}
