import { openSqliteFile } from '../../../src/stores/sqlite/file-store.ts';
import { hash, id, report, reporter } from '../../contract/stored.ts';

/**
 * Adds reports in a loop with eight writers, and removes every third one. Prints `+<n>` and `-<n>` for each
 * acknowledged write. Arguments: the file, the first n.
 */
const [, , file, first] = process.argv as [string, string, string, string];
// Every other one takes what it removed out of its log at once, which is a moment to be killed at too.
const store = await openSqliteFile(file, { eraseWithinSeconds: Number(first) % 2 });
await store.addReporter(reporter(1));
process.stdout.write('ready\n');
const next = { n: Number(first) };

async function writeForEver(): Promise<never> {
  for (;;) {
    const n = next.n++;
    await store.addReport(
      report(n, {
        text: `text ${n} `.repeat(n % 300),
        identifiers: [0, 1, 2].map((k) => ({ kind: 'email', hash: hash(3 * n + k) })),
      }),
      0,
    );
    process.stdout.write(`+${n}\n`);
    if (n % 3 > 0) continue;
    await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 5 });
    process.stdout.write(`-${n}\n`);
  }
}

for (let writer = 0; writer < 8; writer++) void writeForEver();
