import { HASHES } from '../byte-hashes.ts';
import { fromHex } from '../encoding.ts';
import { joinBytes, toAscii } from '../group/hash-to-group.ts';
import { MAX_REPORTER, REPORT_TAG_BYTES } from '../rows.ts';

const REPORT = /* @__PURE__ */ toAscii('redflag sealed report');
const REPORTER = /* @__PURE__ */ toAscii('redflag sealed reporter');

/** The names of reports and reporters in the rows of one epoch. Those of two epochs have nothing in common. */
export interface EpochNames {
  /** Returns the tag of a report; undefined if the id is not hex of at least its length. */
  tagOf(reportId: string): Uint8Array | undefined;
  /**
   * Returns the number of a reporter, 0 to 65,535, by its id: 16 lowercase hex characters. Throws RangeError for more
   * than 65,536 reporters.
   */
  numberOf(reporterId: string): number;
}

/**
 * Returns the names of an epoch. `secretKey` is that of its evaluations, which a replacement of the sealing key does
 * not change. A number that is taken moves on to the next free one, so number the reporters in a fixed order.
 */
export function createEpochNames(secretKey: Uint8Array): EpochNames {
  const digest = (label: Uint8Array, id: Uint8Array): Uint8Array =>
    HASHES.sha512(joinBytes([label, secretKey, id]), REPORT_TAG_BYTES);
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  return {
    tagOf(reportId) {
      const id = fromHex(reportId);
      return id && id.length >= REPORT_TAG_BYTES ? digest(REPORT, id) : undefined;
    },
    numberOf(reporterId) {
      const known = numbers.get(reporterId);
      if (known !== undefined) return known;
      if (taken.size > MAX_REPORTER)
        throw new RangeError(`the sealed look-up expected at most ${MAX_REPORTER + 1} reporters`);
      const [high, low] = digest(REPORTER, fromHex(reporterId)!) as unknown as [number, number];
      let number = (high << 8) | low;
      while (taken.has(number)) number = (number + 1) & MAX_REPORTER;
      numbers.set(reporterId, number);
      taken.add(number);
      return number;
    },
  };
}
