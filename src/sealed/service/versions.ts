import { HASHES, type ByteHashes } from '../byte-hashes.ts';
import { RedflagError } from '../../core/domain/redflag-error.ts';
import type { EpochKey, SealedKeys } from '../keys.ts';
import { joinBytes, toAscii } from '../group/hash-to-group.ts';
import { MAX_VERSION } from '../rows.ts';

const LABEL = /* @__PURE__ */ toAscii('redflag sealed version');

/** No publication is possible now. The message is for the operator and contains no submitted value. */
export class SealedPublicationError extends RedflagError {
  /** @internal */
  static override readonly kind = 'SealedPublicationError';
}

/**
 * Returns the keys with a sequence that is used up. Throws {@link SealedPublicationError} if it is not above all that
 * were used with these keys.
 */
export function useSequence(keys: SealedKeys, sequence: number): SealedKeys {
  if (sequence > (keys.sequence ?? -1)) return { ...keys, sequence };
  throw new SealedPublicationError('another process publishes with the same sealed keys; stop it');
}

/**
 * Returns the number of a publication within its epoch, 0 to 65,535: minutes since the epoch's start, or more after
 * many publications within a minute. Each sequence is used once, so each epoch uses each number once. Throws
 * {@link SealedPublicationError} outside of the range.
 */
export function ordinalOf(sequence: number, { number, firstSequence }: EpochKey): number {
  const ordinal = sequence - firstSequence;
  if (ordinal >= 0 && ordinal <= MAX_VERSION) return ordinal;
  throw new SealedPublicationError(
    ordinal < 0
      ? 'the sequence of the publication is before its epoch; check the clock'
      : `the epoch has no versions left, because the clock was ahead; run redflag sealed destroy ${number}`,
  );
}

/**
 * Returns the version of a row that the publication with this ordinal writes: (ordinal + a secret of the row) mod
 * 65,536. So no version of a row is used twice in an epoch, without a count of each row that could be lost. To all who
 * have not evaluated the identifier, the version says nothing about when the row was written.
 */
export function versionAt(
  epoch: number,
  element: Uint8Array,
  index: number,
  ordinal: number,
  hashes: ByteHashes = HASHES,
): number {
  const numbers = new Uint8Array(8);
  const view = new DataView(numbers.buffer);
  view.setUint32(0, epoch);
  view.setUint32(4, index);
  const secret = hashes.sha512(joinBytes([LABEL, numbers, element]));
  return (ordinal + ((secret[0]! << 8) | secret[1]!)) & MAX_VERSION;
}
