import { isCode } from '../core/domain/identifier.ts';
import type { PublicReport } from '../core/domain/report.ts';
import type { WithContext } from '../core/engine/context.ts';

/** Maximum number of reports of one call. */
const MAX_REPORTS = 1_000;

/** Reports by their id, for an operator who decides a dispute. */
export interface FindReports {
  /**
   * Returns the live reports among these, newest first. Leaves out unknown and deleted ones. Rejects with RangeError
   * for more than 1,000 ids.
   */
  findReports(request: { readonly reportIds: readonly string[] }): Promise<readonly PublicReport[]>;
}

/** Returns the search for reports of an engine. */
export function createFindReports({ context }: WithContext): FindReports {
  const { store } = context;
  return context.secretCheck.guard<FindReports>({
    async findReports({ reportIds }) {
      if (reportIds.length > MAX_REPORTS) throw new RangeError(`"reportIds" expected at most ${MAX_REPORTS} ids`);
      const known = [...new Set(reportIds)].filter(isCode);
      return known.length === 0 ? [] : store.findReports(known);
    },
  });
}
