import { randomBytes } from 'node:crypto';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import type { StoredRow } from '../../src/core/store/upkeep.ts';

const REPORTS_A_PAGE = 250;

/**
 * Puts this many reports, with three identifiers each, into a SQLite file that no process has open. All are of the
 * first reporter and under all its peppers. They are written in pages, which is much faster than one by one.
 */
export async function fillSqlite(file: string, reports: number): Promise<void> {
  const store = await openSqliteFile(file);
  try {
    const [reporter] = await store.listReporters();
    const generation = (await store.findPeppers()).length;
    for (let from = 0; from < reports; from += REPORTS_A_PAGE) {
      const page = Array.from({ length: Math.min(REPORTS_A_PAGE, reports - from) }, (_, at) =>
        rowsOf(from + at + 1, reporter!.reporterId, generation),
      );
      await store.putRows(
        'report',
        page.map(({ report }) => report),
      );
      await store.putRows(
        'identifier',
        page.flatMap(({ identifiers }) => identifiers),
      );
    }
  } finally {
    await store.close();
  }
}

function rowsOf(
  n: number,
  reporterId: string,
  generation: number,
): { readonly report: StoredRow; readonly identifiers: readonly StoredRow[] } {
  const shared = {
    report_id: hexOf(8),
    reporter_id: reporterId,
    type: 'fraud',
    severity: 1 + (n % 10),
    created_at: 1_700_000_000_000 + n,
  };
  return {
    report: {
      ...shared,
      nonce: hexOf(8),
      fingerprint: hexOf(16),
      text: `Paid with a stolen card, report ${n}`,
      removed_at: null,
    },
    identifiers: ['email', 'phone', 'ip'].map((kind, position) => ({
      ...shared,
      hash: hexOf(20),
      kind,
      position,
      disputed: 0,
      generation,
    })),
  };
}

function hexOf(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
