import { HASHES } from '../byte-hashes.ts';
import { fromHex } from '../encoding.ts';
import type { Random } from '../group/group.ts';
import { joinBytes } from '../group/hash-to-group.ts';
import { MAX_REPORTER, REPORT_TAG_BYTES } from '../rows.ts';

/** The names of reports and reporters in the rows of one publication. Those of two have nothing in common. */
export interface Names {
  /** Returns the tag of a report; undefined if the id is not hex of at least its length. */
  tagOf(reportId: string): Uint8Array | undefined;
  /** Returns the number of a reporter, 0 to 65,535. Throws RangeError for more than 65,536 reporters. */
  numberOf(reporterId: string): number;
}

/** Returns fresh names: those of a secret that is forgotten with them. */
export function createNames(random: Random): Names {
  const secret = random(32);
  const digest = (id: Uint8Array): Uint8Array => HASHES.sha512(joinBytes([secret, id]), REPORT_TAG_BYTES);
  const numbers = new Map<string, number>();
  const taken = new Set<number>();
  return {
    tagOf(reportId) {
      const id = fromHex(reportId);
      return id && id.length >= REPORT_TAG_BYTES ? digest(id) : undefined;
    },
    numberOf(reporterId) {
      const known = numbers.get(reporterId);
      if (known !== undefined) return known;
      if (taken.size > MAX_REPORTER)
        throw new RangeError(`the sealed look-up expected at most ${MAX_REPORTER + 1} reporters`);
      const [high, low] = digest(fromHex(reporterId)!) as unknown as [number, number];
      let number = (high << 8) | low;
      while (taken.has(number)) number = (number + 1) & MAX_REPORTER;
      numbers.set(reporterId, number);
      taken.add(number);
      return number;
    },
  };
}
