import pg from 'pg';
import { createPostgresStore } from '../../../src/stores/postgres/store.ts';
import { hash, id, report, reporter } from '../../contract/stored.ts';

/**
 * Adds reports in a loop with eight writers, removes every third one and links every fifth, while it holds a lease.
 * Prints `+<n>`, `-<n>` and `=<n>` for each acknowledged write. Arguments: connection and schema as JSON, the first n.
 * Every report shares a hash with those of its round, so that writers wait for each other's locks.
 */
const [, , where, first] = process.argv as [string, string, string, string];
const { connection, schema } = JSON.parse(where) as { connection: pg.PoolConfig; schema: string };
const pool = new pg.Pool({ ...connection, max: 9, application_name: 'writer' });
const store = await createPostgresStore({ pool, schema });
await store.addReporter(reporter(1));
if (!(await store.shared!.lease('writer'))) throw new Error('the lease of the writer before is still held');
process.stdout.write('ready\n');
const next = { n: Number(first) };

async function writeForEver(): Promise<never> {
  for (;;) {
    const n = next.n++;
    const identifiers = [
      ...[0, 1].map((k) => ({ kind: 'email', hash: hash(3 * n + k) })),
      { kind: 'ip', hash: hash(3 * Number(first) + 2) },
    ];
    await store.addReport(report(n, { text: `text ${n} `.repeat(n % 300), identifiers }), 0);
    process.stdout.write(`+${n}\n`);
    if (n % 5 === 0) {
      await store.putLink({ linkHash: hash(3 * n), identifiers: identifiers.slice(0, 2), createdAt: n }, 10);
      process.stdout.write(`=${n}\n`);
    }
    if (n % 3 > 0) continue;
    await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 5 });
    process.stdout.write(`-${n}\n`);
  }
}

for (let writer = 0; writer < 8; writer++) void writeForEver();
