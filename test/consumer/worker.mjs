// A worker with a service in a Durable Object, for slow-workerd.test.ts. It uses the package's doors only.
import { createEngine, unwrap } from 'redflag';
import { createDurableObjectStore } from 'redflag/durable-object';
import { hashIdentifier, hashIdentifierSync } from 'redflag/hash';
import { createFetchHandler } from 'redflag/http';
import { refusalsOf } from './refusals.mjs';

const reporter = { reporterId: '0'.repeat(16), name: 'Shop', verified: true, suspended: false, createdAt: 1 };
const reportOf = (n, over = {}) => ({
  reportId: String(n).padStart(16, '0'),
  nonce: String(n).padStart(16, '0'),
  fingerprint: String(n).padStart(32, '0'),
  reporterId: reporter.reporterId,
  type: 'fraud',
  severity: 6,
  text: `text ${n}`,
  createdAt: n,
  identifiers: [{ kind: 'email', hash: String(n).padStart(40, '0') }],
  ...over,
});
const outcomeOf = (promise) =>
  promise.then(
    (value) => value,
    (error) => `${error.name}: ${error.message}`,
  );

/** Each returns what a test asserts. */
const TASKS = {
  async rollback(storage) {
    const store = await createDurableObjectStore({ storage });
    await store.addReporter({ ...reporter, identifiersPerDay: null });
    const outcomes = [
      // The report's row is written before the identifier fails.
      await outcomeOf(store.addReport(reportOf(1, { identifiers: [{ kind: null, hash: '1'.repeat(40) }] }), 0)),
      // Larger than a value may be in a Durable Object.
      await outcomeOf(store.addReport(reportOf(2, { text: 'x'.repeat(2_200_000) }), 0)),
    ];
    const { reports } = await store.count();
    const added = await store.addReport(reportOf(1), 0);
    return { outcomes, reports, added, problems: await store.check() };
  },

  async unavailable(storage) {
    const sync = () => Promise.reject(new Error('the disk is full'));
    const failing = { sql: storage.sql, transactionSync: (run) => storage.transactionSync(run), sync };
    const opening = await outcomeOf(createDurableObjectStore({ storage: failing }));
    const store = await createDurableObjectStore({ storage });
    storage.sql.exec('DROP TABLE webhook');
    const reading = await outcomeOf(store.listWebhooks());
    await store.close();
    return { opening, reading, closed: await outcomeOf(store.count()) };
  },

  async damaged(storage) {
    const store = await createDurableObjectStore({ storage });
    await store.addReporter({ ...reporter, identifiersPerDay: null });
    await store.addReport(reportOf(1), 0);
    storage.sql.exec("UPDATE report SET text = 'another text'");
    return { read: await outcomeOf(store.findReports([reportOf(1).reportId])), problems: await store.check() };
  },

  async foreign(storage) {
    storage.sql.exec('CREATE TABLE cart (item TEXT)');
    const other = await outcomeOf(createDurableObjectStore({ storage }));
    const tables = storage.sql.exec("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'report'").one().n;
    storage.sql.exec('DROP TABLE cart');
    await createDurableObjectStore({ storage });
    storage.sql.exec('UPDATE schema_version SET version = 99');
    return { other, tables, newer: await outcomeOf(createDurableObjectStore({ storage })) };
  },
};

export class Reports {
  constructor(ctx) {
    this.storage = ctx.storage;
  }

  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const task = TASKS[pathname.slice(1)];
    if (task !== undefined) return Response.json(await task(this.storage));
    this.engine ??= createEngine({
      store: await createDurableObjectStore({ storage: this.storage }),
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
    });
    if (pathname !== '/shop') return createFetchHandler(this.engine)(request);
    const shop = unwrap(await this.engine.ensureReporter({ name: 'Shop' }));
    const identifiers = [{ kind: 'email', hash: await hashIdentifier('client@example.com') }];
    if (searchParams.has('report')) await shop.report({ type: 'fraud', severity: 6, text: 'No payment', identifiers });
    const { points, reported, link } = unwrap(await shop.query({ identifiers }));
    return Response.json({ points, reported, link });
  }
}

const worker = {
  async fetch(request, { REPORTS }) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/refusals') return Response.json(await refusalsOf(searchParams.getAll('of')));
    if (pathname === '/hash') return new Response(hashIdentifierSync('client@example.com'));
    return REPORTS.getByName(searchParams.get('object') ?? 'shop').fetch(request);
  },
};
// oxlint-disable-next-line no-default-export -- workerd takes a worker as the default export.
export default worker;
