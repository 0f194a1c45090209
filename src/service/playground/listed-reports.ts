import type { DatedReport } from '../../store.ts';
import type { Store } from '../../index.ts';

/** A report in the list of the page. */
export interface ListedReport {
  readonly reportId: string;
  readonly reporter: string;
  readonly type: string;
  readonly severity: number;
  readonly text: string;
  readonly createdAt: number;
  readonly kinds: readonly string[];
}

export interface ListedReports {
  /** The newest, newest first. */
  readonly shown: readonly ListedReport[];
  /** Number of all reports. */
  readonly total: number;
}

const SHOWN = 30;
const PAGE = 1000;

/** Returns the newest reports of a store. */
export async function listReports(store: Store): Promise<ListedReports> {
  let newest: DatedReport[] = [];
  let total = 0;
  for (let after: DatedReport | undefined, page: DatedReport[]; ; after = page.at(-1)) {
    page = await store.readReports({ from: 0, after, limit: PAGE });
    total += page.length;
    newest = [...newest, ...page].slice(-SHOWN);
    if (page.length < PAGE) break;
  }
  const ids = newest.map(({ reportId }) => reportId);
  const kinds = new Map<string, Set<string>>();
  for (const { reportId, kind } of await store.findIdentifiers(ids))
    kinds.set(reportId, (kinds.get(reportId) ?? new Set()).add(kind));
  const found = await store.findReports(ids);
  return {
    total,
    shown: found.map((report) => ({ ...report, kinds: [...(kinds.get(report.reportId) ?? [])].sort() })),
  };
}
