import type { WithContext } from '../../core/engine/context.ts';
import { replaceElements } from './replace-elements.ts';
import { readSealedRows, type PublishedPage, type PublishedPageRequest } from './sealed-rows.ts';
import type { SealStatus } from './seals.ts';

/**
 * Upkeep of sealed elements. Each call rejects with SealError if the store belongs to another sealing key, and with
 * RangeError if the engine has no seal.
 */
export interface Sealing {
  /**
   * Returns the state of the sealed elements. While rows are unsealed, each call counts them, which may read the whole
   * store. A row that a rotation of peppers moves meanwhile may count twice. Once the count is zero, the store
   * remembers it, and requests look for no unsealed rows any more. With several processes, it remembers this at the
   * earliest a minute after the sealing key was added.
   */
  sealStatus(): Promise<SealStatus>;
  /**
   * Replaces the elements of the previous sealing key (`seal.previous`) in the store. Other operations continue
   * meanwhile. To continue an interrupted replacement, repeat the call. With several processes, the replacement begins
   * a minute after the key was added. Returns the number of moved identifiers: 0 if nothing is to be replaced.
   */
  replaceElements(): Promise<number>;
  /**
   * Returns a page of the identifiers that queries count and that have an element, from the reports after `after`, or
   * from the oldest. `limit` is the number of reports, from 1. Leaves out what a query leaves out now: reports with an
   * upheld dispute and protected identifiers. Rejects with TypeError or RangeError for another `limit`.
   */
  readSealedRows(page: PublishedPageRequest): Promise<PublishedPage>;
}

export function createSealing({ context }: WithContext): Sealing {
  const { peppers } = context;
  return context.secretCheck.guard<Sealing>({
    async sealStatus() {
      const sealed = await peppers.sealed();
      const unsealed = await peppers.seals.countUnsealed(sealed);
      if (unsealed === 0 && sealed.hasUnsealed) peppers.forget();
      const { generation, fingerprint, hasPrevious } = sealed;
      return { generation, fingerprint, replacing: hasPrevious, unsealed };
    },
    replaceElements: () => replaceElements(context),
    readSealedRows: (page) => readSealedRows(context, page),
  });
}
