const KEY = 'redflag-playground-codes';
const KEPT = 500;

/** Deletion codes by report id. */
export type Codes = Readonly<Record<string, string>>;

/** Keeps a deletion code over a reload, as the program of a shop does: the service shows it once. */
export function keepCode(reportId: string, code: string): void {
  try {
    const kept = [...Object.entries(readCodes()), [reportId, code]].slice(-KEPT);
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps no data: the page has the code until it is closed.
  }
}

/** Returns the kept deletion codes. */
export function readCodes(): Codes {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Codes) : {};
  } catch {
    return {};
  }
}
