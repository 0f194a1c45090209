import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { useFolder } from '../folder.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const ORDERS = isLong ? 60_000 : 10_000;
const NOTE_BYTES = isLong ? 5_000 : 12_000;

const folder = useFolder('orders');

/** Writes orders, the last one first. Each one has a note of so many bytes. */
async function writeOrders(name: string, noteBytes: number): Promise<string> {
  const path = join(folder, name);
  const file = createWriteStream(path);
  const note = 'x'.repeat(noteBytes);
  file.write('time,shop,email,outcome,amount,reported,note\n');
  for (let i = ORDERS; i > 0; i--) {
    const at = new Date(Date.UTC(2021, 0, 1) + i * 600_000).toISOString();
    const isFraud = i % 50 === 0;
    const customer = isFraud ? `fraud${i % 1000}` : `good${i}`;
    const row = `${at},shop ${i % 7},${customer}@example.com,${isFraud ? 'fraud,90,3' : 'good,30,'},${note}\n`;
    if (!file.write(row)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return path;
}

/** Runs the command. Returns its output and the most memory that it had, in bytes. */
async function run(path: string) {
  const program = `
    process.argv.splice(1, 0, 'redflag');
    process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)));
    await import(${JSON.stringify(pathToFileURL(CLI).href)});`;
  const args = ['--input-type=module', '--eval', program, '--', 'lab', 'import-orders', path, '--json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  const { title: _, ...result } = JSON.parse(stdout) as Record<string, unknown>;
  return { result, mostBytes: 1024 * Number(stderr) };
}

it('does not hold a file of orders in memory', async () => {
  const slim = await run(await writeOrders('slim.csv', 0));
  const wide = await run(await writeOrders('wide.csv', NOTE_BYTES));
  expect(slim.result).toMatchObject({ rows: ORDERS, problems: 0, reports: ORDERS / 50 });
  expect(wide.result).toEqual(slim.result);
  // The wide file is 120 MB larger, and 300 MB in a long run.
  expect(wide.mostBytes - slim.mostBytes).toBeLessThan(0.3 * ORDERS * NOTE_BYTES);
  console.log(`peak memory: ${Math.round(slim.mostBytes / 1e6)} MB, and ${Math.round(wide.mostBytes / 1e6)} MB`);
});
