import { DAY_MS } from '../../core/domain/day.ts';
import { type CodeLists, kindCode, typeCode } from '../codes.ts';
import type { Manifest } from '../manifest-format.ts';
import type { SealedKeys } from '../keys.ts';
import { MAX_DAYS, MAX_REPORTER, OTHER_KIND, packContent, REPORT_TAG_BYTES } from '../rows.ts';
import { fromHex } from '../encoding.ts';
import { ELEMENT_BYTES } from '../group/group.ts';
import type { ReporterEntry } from '../reporters.ts';
import type { Pace } from './pace.ts';
import { SOURCE_BYTES } from './points.ts';
import { Records, sortRecords } from './records.ts';
import { SealedPublicationError } from './versions.ts';

/** One sealed identifier of a report that queries count. */
export interface SourceRow {
  /** E = k0 · H1(hash): 64 lowercase hex characters. */
  readonly element: string;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  readonly kind: string;
  /** Offence type. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  readonly disputeOpen: boolean;
  /** Milliseconds, UTC. */
  readonly createdAt: number;
}

/** What scoring needs to know about a reporter. */
export interface SourceReporter {
  /** Chance that a report of this reporter is right, 0 to 1. */
  readonly precision: number;
  readonly established: boolean;
  readonly verified: boolean;
}

/** What a publication is made of. The engine implements it. */
export interface SealedSource {
  /**
   * Returns the rows that queries count now, in pages. Each report once, in any order. Elements are of the sealing key
   * of `keys`, also if the operator replaces it meanwhile.
   */
  readRows(keys: SealedKeys): AsyncIterable<readonly SourceRow[]>;
  /** Returns the number of identifiers without an element. */
  countUnsealed(): Promise<number>;
  /** Returns the present standings by reporter id, at least of the reporters that have rows. */
  readReporters(): Promise<ReadonlyMap<string, SourceReporter>>;
}

/** How clients score. Part of the manifest. */
export type PublishedRules = CodeLists & Pick<Manifest, 'model' | 'matchKinds'>;

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
      days: Math.min(MAX_DAYS, Math.max(0, Math.floor(row.createdAt / DAY_MS))),
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

/**
 * Returns numbers for the reporters, 0 to 65,535. A reporter with a number in `known` keeps it. Numbers ascend like ids
 * as long as there is room: a model breaks ties by the reporter, so a client then breaks them as the service does.
 * Throws RangeError for more than 65,536 reporters.
 *
 * @param reporterIds 16 lowercase hex characters each.
 */
export function numberReporters(
  known: ReadonlyMap<string, number>,
  reporterIds: Iterable<string>,
): ReadonlyMap<string, number> {
  const ids = [...new Set([...known.keys(), ...reporterIds])].sort();
  if (ids.length > MAX_REPORTER + 1)
    throw new RangeError(`the sealed look-up expected at most ${MAX_REPORTER + 1} reporters, got ${ids.length}`);
  const numbers = new Map(known);
  const taken = new Set(known.values());
  const mosts = highestNumbers(known, ids);
  let free = 0;
  let before = -1;
  for (const [at, id] of ids.entries()) {
    if (!known.has(id)) {
      // Near the first digits of the id, so that there is room between two neighbours for later ones.
      const wanted = Math.max(Number.parseInt(id.slice(0, 4), 16), before + 1);
      let number = Math.min(wanted, mosts[at]!);
      if (number <= before || taken.has(number)) {
        while (taken.has(free)) free++;
        number = free;
      }
      numbers.set(id, number);
      taken.add(number);
    }
    before = Math.max(before, numbers.get(id)!);
  }
  return numbers;
}

/**
 * Returns for each id the highest number that leaves room for the new ids after it, up to the next id with a number.
 */
function highestNumbers(known: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const mosts: number[] = [];
  let next = MAX_REPORTER + 1;
  for (let at = ids.length - 1; at >= 0; at--) {
    next = known.get(ids[at]!) ?? next - 1;
    mosts[at] = next;
  }
  return mosts;
}
