import sqlite from 'node-sqlite3-wasm';

/** Puts so many whole reports of three identifiers into the SQLite file of a store that nobody has open, all of the first reporter, under no pepper: by SQL alone, a hundred times as fast as one by one. */
export function fillSqlite(file: string, reports: number): void {
  const db = new sqlite.Database(file);
  try {
    db.exec(`
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -262144; PRAGMA synchronous = OFF;
      BEGIN;
      CREATE TEMP TABLE made AS WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${reports})
        SELECT n, randomblob(8) report_id, 1700000000000 + n created_at FROM n;
      INSERT INTO report (report_id, reporter_id, nonce, fingerprint, type, severity, text, created_at)
        SELECT report_id, (SELECT reporter_id FROM reporter LIMIT 1), randomblob(8), randomblob(16), 'fraud', 1 + n % 10, 'Paid with a stolen card, report ' || n, created_at FROM made;
      INSERT INTO identifier (hash, kind, reporter_id, created_at, report_id, position, type, severity, generation)
        SELECT hash, kind, (SELECT reporter_id FROM reporter LIMIT 1), created_at, report_id, position, 'fraud', 1 + n % 10, (SELECT count(*) FROM pepper) FROM (
          SELECT *, randomblob(20) hash FROM made, (SELECT 0 position, 'email' kind UNION ALL SELECT 1, 'phone' UNION ALL SELECT 2, 'ip')
        ) ORDER BY hash;
      COMMIT;`);
  } finally {
    db.close();
  }
}
