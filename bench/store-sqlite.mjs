// SQLite files for the benchmark of stores. A file is filled once in memory. Then, the store opens the file, and the
// rival opens a copy. The rival is what a careful programmer writes by hand on the same driver.
import { copyFile, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { openFolderStore } from 'redflag/node';
import { createSqljsStore } from 'redflag/sqljs';
import { createSqliteStore, openSqliteFile } from 'redflag/sqlite';
import { addReporters, fillStore, IDENTIFIER_COLUMNS, NO_CHECKSUM, REPORT_COLUMNS } from './store-rows.mjs';

const bytesOf = (hex) => Buffer.from(hex, 'hex');
const hexOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** Writes a store's file with these reports, and a key beside it. Fills it in memory, without waiting for a disk. */
export async function fillSqlite(file, filling) {
  const store = await createSqljsStore();
  await writeFile(`${file}.key`, await addReporters(store));
  await fillStore(store, filling);
  await writeFile(file, store.export());
  await store.close();
}

function inserts(prepare) {
  const report = prepare(`INSERT INTO report (${REPORT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${NO_CHECKSUM})`);
  const identifier = prepare(
    `INSERT INTO identifier (${IDENTIFIER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${NO_CHECKSUM})`,
  );
  return ({ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, identifiers }) => {
    const [id, reporter] = [bytesOf(reportId), bytesOf(reporterId)];
    report.run([id, reporter, bytesOf(nonce), bytesOf(fingerprint), type, severity, text, createdAt]);
    for (let position = 0; position < identifiers.length; position++) {
      const { kind, hash } = identifiers[position];
      identifier.run([bytesOf(hash), id, position, kind, reporter, type, severity, createdAt]);
    }
  };
}

/**
 * The rival: reused prepared statements, directly on the driver. `report` stores several reports in one transaction,
 * each with the lookups that it needs. If `durable` is given, each report has its own transaction, as in a service.
 * After all commits, `durable` flushes them to the disk.
 */
function rivalOn({ prepare, close }, durable) {
  const same = prepare('SELECT report_id FROM report WHERE fingerprint = ? AND created_at > ?');
  const taken = prepare('SELECT report_id FROM report WHERE report_id = ?');
  const match = prepare(
    'SELECT kind, report_id, reporter_id, type, severity, created_at, disputed FROM identifier WHERE hash = ?',
  );
  const find = prepare(
    'SELECT type, severity, text, r.created_at, name FROM report r JOIN reporter USING (reporter_id) WHERE report_id = ? AND removed_at IS NULL',
  );
  const findIdentifiers = prepare(
    'SELECT hash, kind, reporter_id, created_at, position, disputed FROM identifier WHERE report_id = ?',
  );
  const [begin, commit] = [prepare('BEGIN IMMEDIATE'), prepare('COMMIT')];
  const insert = inserts(prepare);
  return {
    async report(reports) {
      for (const some of durable ? reports.map((report) => [report]) : [reports]) {
        begin.run([]);
        for (const report of some) {
          const found = same.all([bytesOf(report.fingerprint), report.createdAt - 86_400_000]);
          if (found.length > 0 || taken.all([bytesOf(report.reportId)]).length > 0)
            throw new Error('the report already exists');
          insert(report);
        }
        commit.run([]);
      }
      await durable?.(reports);
    },
    async query(hashes) {
      const matches = [];
      for (const hash of hashes) {
        for (const [kind, report, reporter, type, severity, createdAt, disputed] of match.all([bytesOf(hash)])) {
          matches.push({
            hash,
            kind,
            reportId: hexOf(report),
            reporterId: hexOf(reporter),
            type,
            severity,
            createdAt,
            disputed: disputed === 1,
          });
        }
      }
      return matches;
    },
    /** Returns the results of a store's `findReports` and `findIdentifiers`. */
    async read(ids) {
      const [reports, identifiers] = [[], []];
      for (const reportId of ids) {
        for (const [type, severity, text, createdAt, reporter] of find.all([bytesOf(reportId)]))
          reports.push({ reportId, type, severity, text, createdAt, reporter });
        for (const [hash, kind, reporter, createdAt, position, disputed] of findIdentifiers.all([bytesOf(reportId)])) {
          identifiers.push({
            hash: hexOf(hash),
            kind,
            reporterId: hexOf(reporter),
            createdAt,
            reportId,
            position,
            disputed: disputed === 1,
          });
        }
      }
      return { reports, identifiers };
    },
    close,
  };
}

const PRAGMAS =
  'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;';

async function wasmDriver(file) {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const db = new sqlite.Database(file);
  // The same settings as the store's.
  db.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA journal_mode = WAL; ${PRAGMAS}`);
  const statements = [];
  return {
    prepare(text) {
      const statement = db.prepare(text);
      statements.push(statement);
      return {
        all: (values) => statement.all(values).map((row) => Object.values(row)),
        run: (values) => statement.run(values),
      };
    },
    async close() {
      for (const statement of statements) statement.finalize();
      db.close();
    },
  };
}

/** Returns `node:sqlite`; undefined if this Node has none. */
const builtin = () => process.getBuiltinModule?.('node:sqlite');

function nodeDriver(file) {
  const db = new (builtin().DatabaseSync)(file);
  db.exec(`PRAGMA journal_mode = WAL; ${PRAGMAS}`);
  return {
    prepare(text) {
      const statement = db.prepare(text);
      statement.setReturnArrays?.(true);
      return {
        all: (values) => statement.all(...values).map((row) => (Array.isArray(row) ? row : Object.values(row))),
        run: (values) => statement.run(...values),
      };
    },
    close: async () => db.close(),
  };
}

function sqljsDriver(SQL, bytes) {
  const db = new SQL.Database(bytes);
  db.run(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;',
  );
  return {
    prepare(text) {
      const statement = db.prepare(text);
      return {
        all(values) {
          statement.bind(values);
          const rows = [];
          while (statement.step()) rows.push(statement.get());
          statement.reset();
          return rows;
        },
        run: (values) => statement.run(values),
      };
    },
    close: async () => db.close(),
  };
}

/** A store in a SQLite file, and its rival on a copy of the file. */
function fileSite(openStore, openDriver) {
  return async (filled, folder) => {
    const [ours, theirs] = [join(folder, 'store.sqlite'), join(folder, 'rival.sqlite')];
    for (const file of [ours, theirs]) await copyFile(filled, file);
    return {
      apiKey: await readFile(`${filled}.key`, 'utf8'),
      openStore: () => openStore(ours),
      openRival: async () => rivalOn(await openDriver(theirs)),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  };
}

/**
 * The store in a folder. Its rival is the same SQLite in memory. For each transaction, the rival appends a line to a
 * file and flushes the file.
 */
async function journalSite(filled, folder) {
  const SQL = await initSqlJs();
  const bytes = await readFile(filled);
  await journalOf(SQL, bytes, join(folder, 'store'));
  return {
    apiKey: await readFile(`${filled}.key`, 'utf8'),
    openStore: () => openFolderStore(join(folder, 'store')),
    async openRival() {
      const lines = await open(join(folder, 'rival.ndjson'), 'a');
      const driver = sqljsDriver(SQL, new Uint8Array(bytes));
      return rivalOn(
        {
          ...driver,
          close: async () => {
            await driver.close();
            await lines.close();
          },
        },
        async (reports) => {
          await lines.write(reports.map((report) => `${JSON.stringify(report)}\n`).join(''));
          await lines.datasync();
        },
      );
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Makes a folder's journal from a database. The store starts with this database instead of an empty one, and writes the
 * journal when it closes.
 */
async function journalOf(SQL, bytes, folder) {
  class Filled extends SQL.Database {
    constructor() {
      super(new Uint8Array(bytes));
    }
  }
  const store = await openFolderStore(folder, { sqlJs: { Database: Filled } });
  // Without a change, the store would write no journal.
  await store.addReporter({
    reporterId: 'ff'.repeat(8),
    name: 'Any write',
    verified: false,
    suspended: false,
    createdAt: 0,
  });
  await store.close();
}

/**
 * By name: `open(filled, folder)` resolves with the store and its rival. `missing` returns why they are unavailable.
 */
export const SQLITE_SITES = {
  'file, node-sqlite3-wasm': { open: fileSite(openSqliteFile, wasmDriver) },
  'file, node:sqlite': {
    missing: () => (builtin() ? undefined : `Node ${process.version} has no node:sqlite`),
    open: fileSite(async (file) => createSqliteStore({ database: new (builtin().DatabaseSync)(file) }), nodeDriver),
  },
  'folder, journal and sql.js': { open: journalSite },
};

/** Makes an empty folder. */
export async function freshFolder(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}
