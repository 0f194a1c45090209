import { DAY_MS } from '../../core/domain/day.ts';
import type { Standing } from '../../core/scoring/evidence.ts';
import type { PublishedRow } from '../engine/sealed-rows.ts';
import { type CodeLists, kindCode, typeCode } from '../codes.ts';
import type { Manifest } from '../manifest-format.ts';
import type { SealedKeys } from '../keys.ts';
import { MAX_DAYS, OTHER_KIND, packContent } from '../rows.ts';
import { fromHex } from '../encoding.ts';
import { ELEMENT_BYTES } from '../group/group.ts';
import type { ReporterEntry } from '../reporters.ts';
import type { EpochNames } from './epoch-names.ts';
import type { Pace } from './pace.ts';
import { SOURCE_BYTES } from './points.ts';
import { SealedPublicationError } from './publication.ts';
import { Records, sortRecords } from './records.ts';

/** What a publication is made of. The engine implements it. */
export interface SealedSource {
  /**
   * Returns the rows that queries count now, in pages. Each report once, in any order. Elements are of the sealing key
   * of `keys`, also if the operator replaces it meanwhile.
   */
  readRows(keys: SealedKeys): AsyncIterable<readonly PublishedRow[]>;
  /** Returns the number of identifiers without an element. */
  countUnsealed(): Promise<number>;
  /** Returns the present standings by reporter id, at least of the reporters that have rows. */
  readReporters(): Promise<ReadonlyMap<string, Standing>>;
}

/** How clients score. Part of the manifest. */
export type PublishedRules = CodeLists & Pick<Manifest, 'model' | 'matchKinds'>;

/** The rows of a source, ready to be written. */
export interface ReadSource {
  /** Records of `SOURCE_BYTES`, ascending. */
  readonly records: Uint8Array;
  /** The reporters that have a row. */
  readonly reporters: readonly ReporterEntry[];
}

/**
 * Reads all rows of a source, sealed under `keys`, with the names of the epoch. Throws {@link SealedPublicationError}
 * for a row with ids or an element of a wrong length, and RangeError for more than 65,536 reporters.
 */
export async function readSource(
  source: SealedSource,
  keys: SealedKeys,
  rules: PublishedRules,
  names: EpochNames,
  pace: Pace,
): Promise<ReadSource> {
  // In the order of ids: the numbers must not depend on that of the rows. Reporters of later rows come after them.
  for (const reporterId of [...(await source.readReporters()).keys()].sort()) names.numberOf(reporterId);
  const records = new Records(SOURCE_BYTES);
  const seen = new Set<string>();
  for await (const page of source.readRows(keys)) {
    for (const row of page) {
      seen.add(row.reporterId);
      writeRecord(records.add(), row, rules, names);
      if (pace.isDue()) await pace.turn();
    }
    // Many pages in a row may be empty.
    if (pace.isDue()) await pace.turn();
  }
  return {
    records: await sortRecords(await records.join(pace), SOURCE_BYTES, pace),
    // Again: a reporter of the last rows may be new.
    reporters: toEntries(seen, names, await source.readReporters()),
  };
}

function writeRecord(record: Uint8Array, row: PublishedRow, rules: PublishedRules, names: EpochNames): void {
  const kind = kindCode(rules, row.kind);
  if (rules.matchKinds === 'exact' && kind === OTHER_KIND)
    throw new SealedPublicationError(
      'with matchKinds "exact", the sealed look-up expected each reported kind in its list',
    );
  const element = fromHex(row.element);
  const report = names.tagOf(row.reportId);
  if (element?.length !== ELEMENT_BYTES || report === undefined)
    throw new SealedPublicationError('a sealed row of the store is damaged; run redflag check');
  record.set(element);
  record.set(
    packContent({
      report,
      reporter: names.numberOf(row.reporterId),
      severity: row.severity,
      kind,
      type: typeCode(rules, row.type),
      disputed: row.disputeOpen,
      days: Math.min(MAX_DAYS, Math.max(0, Math.floor(row.createdAt / DAY_MS))),
    }),
    ELEMENT_BYTES,
  );
}

/** A reporter without a standing is left out: a client gives it that of a new key. */
function toEntries(
  reporterIds: ReadonlySet<string>,
  names: EpochNames,
  standings: ReadonlyMap<string, Standing>,
): ReporterEntry[] {
  return [...reporterIds].flatMap((id) => {
    const standing = standings.get(id);
    if (standing === undefined) return [];
    const { precision, established, verified } = standing;
    return [{ number: names.numberOf(id), precision, established, verified }];
  });
}
