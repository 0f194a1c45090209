import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { benchSealed } from '../../bench/sealed.mjs';
// @ts-expect-error: plain JavaScript
import { sealedTables } from '../../bench/sealed-tables.mjs';

it('compares libraries, answers and publications of the sealed look-up before it times them', async () => {
  const figures: unknown = await benchSealed({ identifiers: 3_000, together: [1, 3], slices: 1, amount: 16, say() {} });
  const numbers = [...JSON.stringify(figures).matchAll(/:(-?[\w.]+)/g)].map(([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(100);
  const table = sealedTables(figures) as string;
  const linesOf = (start: RegExp): string[] => table.split('\n').filter((line) => start.test(line));
  expect(linesOf(/^\| v\d+\.\d+\.\d+, ms an element /)).toHaveLength(1);
  for (const library of ['**redflag, libsodium**', '@noble/curves, its VOPRF', '@cloudflare/voprf-ts, noble'])
    // In Node and in Chromium.
    expect(linesOf(/^\| /).filter((line) => line.startsWith(`| ${library} | `))).toHaveLength(2);
  // Requests of 1, 3 and 32, and customers with 0, 1, 3 and 10 reports.
  expect(linesOf(/^\| (?:1|3|32) \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$/)).toHaveLength(3);
  expect(linesOf(/^\| (?:0 \| 0|1 \| 3|3 \| 9|10 \| 30) \| \d+ \(/)).toHaveLength(4);
  expect(table).toMatch(/^\| first publication \| 75,264 \| /m);
  expect(table).toMatch(
    /^- The store has 3,000 identifiers\. A day has 1 % new, 0\.2 % changed and 0\.2 % removed rows/m,
  );
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
});
