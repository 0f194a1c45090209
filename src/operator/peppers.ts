import { toAuditNote } from '../core/domain/audit.ts';
import { unwrap } from '../core/domain/refusal.ts';
import type { WithContext } from '../core/engine/context.ts';
import type { PepperStatus } from '../core/engine/peppers.ts';

/** The peppers under which identifiers are stored. */
export interface Peppering {
  /** Returns the fingerprints of the store's peppers. Rejects with PepperError if the engine has other peppers. */
  pepperStatus(): Promise<PepperStatus>;
  /**
   * Applies all given peppers, and then the new `pepper`, to the stored hashes. Other operations continue meanwhile. To
   * continue an interrupted rotation, repeat the call. Returns the number of moved identifiers. Rejects with RangeError
   * if the store uses every pepper already and no rotation is unfinished. `by` is the person who rotates, for the audit
   * log (default `engine`): for another name than 1 to 80 code points, rejects with RefusedError.
   */
  rotatePepper(request?: { readonly pepper?: string | Uint8Array; readonly by?: string | undefined }): Promise<number>;
}

/** Returns the upkeep of the peppers of an engine. */
export function createPeppering({ context }: WithContext): Peppering {
  const { peppers, effects } = context;
  const { giveTurn, clock } = effects;
  return context.secretCheck.guard<Peppering>({
    pepperStatus: () => peppers.status(),
    rotatePepper: async ({ pepper, by } = {}) => peppers.rotate(pepper, giveTurn, unwrap(toAuditNote(by, clock))),
  });
}
