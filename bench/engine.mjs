// Queries and reports through the engine, compared with the raw SQL that they need. The SQL is written by hand for
// sql.js and runs on the same bytes. The stores have 1,000, 100,000 and 1,000,000 reports. The answers are compared
// before the timing.
import initSqlJs from 'sql.js';
import { createEngine, createSeededRandom, unwrap } from 'redflag';
import { createSqljsStore } from 'redflag/sqljs';
import { timeInterleaved } from './interleave.mjs';

const IDENTIFIERS = 3;
const REPORTERS = 80;
const KINDS = ['email', 'ip', 'phone'];
const START = Date.UTC(2026, 0, 1);

export async function benchEngine(sizes = [1_000, 100_000, 1_000_000]) {
  const rows = [];
  for (const size of sizes) rows.push(await benchSize(size));
  return rows;
}

async function benchSize(size) {
  const random = createSeededRandom(`bench ${size}`);
  const SQL = await initSqlJs();

  // The engine creates the reporters and keys. The reports are inserted as rows: faster, with the same result.
  const seedStore = await createSqljsStore();
  const seedEngine = createEngine({
    store: seedStore,
    secret: 'a secret for the bench only',
    publicUrl: 'https://reports.example',
    random,
  });
  let apiKey;
  for (let n = 0; n < REPORTERS; n++) {
    const { reporterId } = unwrap(await seedEngine.createReporter({ name: `Shop ${n}` }));
    if (n === 0) ({ apiKey } = unwrap(await seedEngine.issueKey({ reporterId })));
  }
  await fill(seedStore, size, random);
  const bytes = seedStore.export();
  await seedEngine.close();

  const unlimited = { requests: 1e9, windowSeconds: 1 };
  const store = await createSqljsStore({ bytes });
  const engine = createEngine({
    store,
    secret: 'a secret for the bench only',
    publicUrl: 'https://reports.example',
    clock: () => START + 1000,
    limits: { query: unlimited, report: unlimited },
    budgets: { identifiers: { verified: 1e9, new: 1e9 } },
  });
  const raw = openRaw(new SQL.Database(bytes));

  // Customers of stored reports. Each has its own email and phone, and shares an address with a few others.
  const customers = Array.from({ length: 2_000 }, (_, n) => customer((n * 7919) % size));
  for (const identifiers of customers.slice(0, 200)) {
    const { reported } = unwrap(await engine.query({ apiKey, identifiers }));
    const expected = new Set(raw.query(identifiers).map(([report]) => Buffer.from(report).toString('hex'))).size;
    if (reported !== expected || reported === 0)
      throw new Error(`the engine found ${reported} reports, raw SQL ${expected}`);
  }
  // The first answer stores the link of its set. The timed queries find this link, as when a shop repeats a query.
  for (const identifiers of customers) {
    unwrap(await engine.query({ apiKey, identifiers }));
    raw.query(identifiers);
  }

  const turn = { engine: 0, raw: 0, engineReport: 0, rawReport: 0 };
  const query = await timeInterleaved({
    engine: async () => void (await engine.query({ apiKey, identifiers: customers[turn.engine++ % customers.length] })),
    raw: async () => void raw.query(customers[turn.raw++ % customers.length]),
  });
  const text = 'A short description of what happened, as people write them.';
  const fresh = (n) => KINDS.map((kind, at) => ({ kind, hash: hashOf(0xf000_0000 + n * IDENTIFIERS + at) }));
  const draft = () => ({ apiKey, type: 'fraud', severity: 6, text, identifiers: fresh(turn.engineReport++) });
  const report = await timeInterleaved({
    engine: async () => void unwrap(await engine.report(draft())),
    raw: async () => raw.report(fresh(turn.rawReport++), text),
  });
  if ((await store.count()).reports !== size + turn.engineReport || raw.count() !== size + turn.rawReport)
    throw new Error('not every report was stored');
  await engine.close();
  return {
    reports: size,
    bytesPerReport: Math.round(bytes.length / size),
    query: withRatio(query),
    report: withRatio(report),
  };
}

function withRatio({ engine, raw }) {
  return { engine, raw, ratio: engine.medianMicroseconds / raw.medianMicroseconds };
}

/** Returns 40 hex characters, evenly distributed. The same number always gives the same characters. */
export function hashOf(n) {
  let hash = '';
  for (let part = 0, x = n + 1; part < 5; part++) {
    x = Math.imul(x ^ (x >>> 16), 0x45d9f3b) + part;
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) >>> 0;
    hash += x.toString(16).padStart(8, '0');
  }
  return hash;
}

function customer(n) {
  return [
    { kind: 'email', hash: hashOf(3 * n) },
    // Four customers with consecutive numbers share an address.
    { kind: 'ip', hash: hashOf(3 * (n - (n % 4)) + 1) },
    { kind: 'phone', hash: hashOf(3 * n + 2) },
  ];
}

async function fill(store, size, random) {
  const reporters = (await store.listReporters()).map(({ reporterId }) => reporterId);
  const hex = (length) => Buffer.from(random(length)).toString('hex');
  for (let from = 0; from < size; from += 1_000) {
    const [reports, identifiers] = [[], []];
    for (let n = from; n < Math.min(size, from + 1_000); n++) {
      const reportId = hex(8);
      const createdAt = START - 400 * 86_400_000 + Math.floor((n / size) * 399) * 86_400_000;
      const said = {
        report_id: reportId,
        reporter_id: reporters[n % reporters.length],
        type: 'fraud',
        severity: 1 + (n % 10),
        created_at: createdAt,
      };
      reports.push({
        ...said,
        nonce: hex(8),
        fingerprint: hex(16),
        text: 'A short description of what happened, as people write them.',
        removed_at: null,
      });
      for (const [position, { kind, hash }] of customer(n).entries())
        identifiers.push({ ...said, hash, kind, position, disputed: 0, generation: 0 });
    }
    await store.putRows('report', reports);
    await store.putRows('identifier', identifiers);
  }
}

/**
 * The code that a careful programmer writes by hand for the same answer: reused prepared statements, without a layer
 * between.
 */
function openRaw(db) {
  db.run(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;',
  );
  const keyDigest = db.exec('SELECT digest FROM api_key')[0].values[0][0];
  const key = db.prepare('SELECT reporter_id, ends_at FROM api_key WHERE digest = ?');
  const reporter = db.prepare('SELECT verified, suspended FROM reporter WHERE reporter_id = ?');
  const match = db.prepare(
    'SELECT report_id, kind, reporter_id, type, severity, created_at FROM identifier WHERE hash = ?',
  );
  const link = db.prepare('SELECT hash, kind FROM link_identifier WHERE link_hash = ?');
  const same = db.prepare('SELECT report_id FROM report WHERE fingerprint = ? AND created_at > ?');
  const taken = db.prepare('SELECT 1 FROM report WHERE report_id = ?');
  const insert = db.prepare(
    'INSERT INTO report (report_id, reporter_id, nonce, fingerprint, type, severity, text, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertIdentifier = db.prepare(
    'INSERT INTO identifier (hash, report_id, position, kind, reporter_id, type, severity, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const all = (statement, values) => {
    statement.bind(values);
    const rows = [];
    while (statement.step()) rows.push(statement.get());
    statement.reset();
    return rows;
  };
  const authenticate = () => {
    const [[reporterId]] = all(key, [keyDigest]);
    all(reporter, [reporterId]);
    return reporterId;
  };
  return {
    query(identifiers) {
      authenticate();
      const rows = [];
      for (const { hash } of identifiers) rows.push(...all(match, [Buffer.from(hash, 'hex')]));
      for (const id of new Set(rows.map((row) => Buffer.from(row[2]).toString('hex'))))
        all(reporter, [Buffer.from(id, 'hex')]);
      all(link, [Buffer.alloc(20, identifiers[0].hash)]);
      return rows;
    },
    report(identifiers, text) {
      const random = (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount));
      const reporterId = authenticate();
      const id = random(8);
      const fingerprint = random(16);
      all(same, [fingerprint, START]);
      all(taken, [id]);
      begin.run();
      insert.run([id, reporterId, random(8), fingerprint, 'fraud', 6, text, START + 1000]);
      for (const [position, { kind, hash }] of identifiers.entries()) {
        insertIdentifier.run([Buffer.from(hash, 'hex'), id, position, kind, reporterId, 'fraud', 6, START + 1000]);
      }
      commit.run();
    },
    count: () => db.exec('SELECT count(*) FROM report')[0].values[0][0],
  };
}
