// npm run fuzz [-- --minutes N] [--seed N]
// Sends broken requests over raw sockets to `redflag serve` and compares what it stores with what it answers. Runs
// test/fuzz/slow-fuzz.test.ts, by default for 10 minutes and with a new seed. Prints the seed and, for each failure, a
// line that adds its input to test/fuzz/corpus.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes expected a number above 0');
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz/slow-fuzz.test.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SLOW: '1',
    FUZZ_SECONDS: String(60 * minutes),
    FUZZ_SEED: values.seed ?? String(randomInt(2 ** 31)),
  },
});
process.exitCode = status ?? 1;
