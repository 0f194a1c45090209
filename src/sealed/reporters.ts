import { nameOf, requireBoolean, requireWhole } from '../core/domain/options.ts';
import type { Standing } from '../core/scoring/evidence.ts';
import { parseCanonicalJson, toCanonicalJson } from './canonical-json.ts';
import { SealedFormatError } from './errors.ts';
import { precisionOf, stepOf } from './precision-steps.ts';
import { MAX_REPORTER } from './rows.ts';

/** What a scoring model needs to know about a reporter. The table has no names, and the step of each precision. */
export interface ReporterEntry extends Standing {
  /** Number of the reporter in the rows, 0 to 65,535. */
  readonly number: number;
}

type Row = readonly [number, number, boolean, boolean];

const FORMAT = 'redflag-sealed-reporters/2';

/**
 * Returns the bytes of the reporters' table: JSON of `{"format", "reporters": [[number, step, established, verified],
 * …]}`, without spaces, ascending by number. A step stands for a sixteenth of all precisions. Throws TypeError or
 * RangeError for a wrong entry, also for a number that appears twice.
 */
export function encodeReporters(entries: readonly ReporterEntry[]): Uint8Array {
  const sorted = [...entries].sort((left, right) => left.number - right.number);
  for (const [at, { number, precision, established, verified }] of sorted.entries()) {
    requireWhole('number', number, at === 0 ? 0 : sorted[at - 1]!.number + 1, MAX_REPORTER);
    if (typeof precision !== 'number') throw new TypeError(`"precision" expected a number, got ${nameOf(precision)}`);
    if (!(precision >= 0 && precision <= 1)) throw new RangeError(`"precision" expected 0 to 1, got ${precision}`);
    requireBoolean('established', established);
    requireBoolean('verified', verified);
  }
  const reporters = sorted.map((one) => [one.number, stepOf(one.precision), one.established, one.verified]);
  return new TextEncoder().encode(toCanonicalJson({ format: FORMAT, reporters }));
}

/**
 * Returns the entries of a table by number. Throws `SealedFormatError` with `malformed` unless the bytes are what
 * {@link encodeReporters} returns for them. Verify the checksum of the manifest first.
 */
export function parseReporters(bytes: Uint8Array): ReadonlyMap<number, ReporterEntry> {
  try {
    const { reporters } = parseCanonicalJson(bytes) as unknown as { readonly reporters: readonly Row[] };
    const entries = reporters.map(toEntry);
    const canonical = encodeReporters(entries);
    if (canonical.length === bytes.length && canonical.every((byte, at) => byte === bytes[at]))
      return new Map(entries.map((entry) => [entry.number, entry]));
  } catch {
    // Fall through: all that is not canonical has one error.
  }
  throw new SealedFormatError('malformed', "the reporters' table expected its canonical JSON, got other bytes");
}

function toEntry([number, step, established, verified]: Row): ReporterEntry {
  return { number, precision: precisionOf(step), established, verified };
}
