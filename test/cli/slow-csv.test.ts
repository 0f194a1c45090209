// And the laws of csv.test.ts with many more cases.
import './csv.test.ts';
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { hashIdentifierSync } from '../../src/hash.ts';
import { isLong } from '../budget.ts';
import { useFolder } from '../folder.ts';

// A file of any size: what the program needs in memory does not grow with it.
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const ROWS = isLong ? 1_000_000 : 60_000;
/** Fewer rows are longer, so that Node and the whole file do not fit into the bound either. */
const REST = isLong ? '' : ' and more'.repeat(250);
const MAX_MEBIBYTES = 200;

const folder = useFolder('csv-million');

const value = (row: number): string => (row % 1000 < 100 ? '' : `Customer ${row}@example.com`);

/** The most memory that a process had, in MiB, as Linux counts it; undefined when it is gone. */
function peakOf(pid: number): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}

it.skipIf(process.platform !== 'linux')(`hashes ${ROWS} rows in less than ${MAX_MEBIBYTES} MiB`, async () => {
  const csv = join(folder, 'in.csv');
  const out = join(folder, 'out.csv');
  await pipeline(
    Readable.from(
      (function* () {
        yield 'n,email,text\n';
        for (let row = 0; row < ROWS; row += 1000)
          yield Array.from(
            { length: 1000 },
            (_, index) => `${row + index},${value(row + index)},"a text, with a line\nend ""${row + index}""${REST}"\n`,
          ).join('');
      })(),
    ),
    createWriteStream(csv),
  );

  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [CLI, 'hash', '--csv', csv, '--column', 'email', '--iterations', '1', '--out', out],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  let peak = 0;
  const timer = setInterval(() => (peak = peakOf(child.pid!) ?? peak), 50);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  console.log(
    `${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${peak.toFixed(0)} MiB, ${((await stat(csv)).size / 1e6).toFixed(0)} MB`,
  );
  expect({ code, err }).toEqual({
    code: 0,
    err: `redflag: ${ROWS} rows of kind email: ${ROWS * 0.9} hashed, ${ROWS * 0.1} empty\n`,
  });
  expect((await stat(csv)).size).toBeGreaterThan(isLong ? 0 : 0.6 * MAX_MEBIBYTES * 2 ** 20);
  expect(peak).toBeGreaterThan(10);
  expect(peak).toBeLessThan(MAX_MEBIBYTES);

  let row = -1;
  let checked = 0;
  for await (const line of createInterface({ input: createReadStream(out) })) {
    if (!/^\d/.test(line)) continue;
    row++;
    if (row % 997 !== 0) continue;
    const identifier = value(row);
    expect(line).toBe(
      `${row},${identifier === '' ? '' : hashIdentifierSync(identifier, { iterations: 1 })},"a text, with a line`,
    );
    checked++;
  }
  expect(row).toBe(ROWS - 1);
  expect(checked).toBe(Math.ceil(ROWS / 997));
});
