import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Blocking } from '../../src/lab/blocking.ts';
import { rounded } from '../../src/lab/page/numbers.ts';
import type { Estimate } from '../../src/lab/result.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

const folder = useFolder('orders-page');

/** Each fraudster orders at two shops, and the second order is after the report. Two good orders of bea look alike. */
const ORDERS = [
  'time,shop,email,outcome,amount,reported,note',
  ...Array.from({ length: 60 }, (_, i) => {
    const at = (days: number): string => new Date(Date.UTC(2021, 0, 1 + 5 * i + days)).toISOString();
    return [
      `${at(0)},ami,f${i}@example.com,fraud,100,10,`,
      `${at(11)},bea,f${i}@example.com,fraud,${60 + i},,`,
      `${at(12)},bea,${i % 10 === 0 ? 'f' : 'g'}${i}@example.com,good,200,,`,
    ];
  }).flat(),
  '2021-03-01,ami,x@example.com,open,1,,',
  '2021-03-01,ami,x@example.com,good,much,,',
].join('\n');

async function runOnOrders(...args: string[]) {
  const file = join(folder, 'orders.csv');
  await writeFile(file, ORDERS);
  return runCli(['lab', 'import-orders', file, ...args]);
}

describe('the page for the owner of a shop', () => {
  it('has the numbers of the text and of --json, the same bytes each time, and no value of an order', async () => {
    const page = join(folder, 'orders.html');
    const run = async (...args: string[]) => {
      const { code, out, err } = await runOnOrders('--html', page, ...args);
      expect(code, err).toBe(0);
      return { out, html: await readFile(page, 'utf8') };
    };
    const [text, json] = [await run(), await run('--json')];
    expect(json.html).toBe(text.html);
    const { from, later, effects } = JSON.parse(json.out) as Blocking;
    const show = ({ value, low, high }: Estimate): string => `${rounded(value)} (${rounded(low)} to ${rounded(high)})`;
    const rows = [...text.html.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, points, cells = '']) =>
      [points, ...cells.replaceAll('<td>', '').split('</td>').slice(0, -1)].join('; '),
    );
    expect(rows).toEqual(
      effects.map(({ first, last, saved, stoppedAmount, lost, stoppedFrauds, refusedGoods }) =>
        [
          first === last ? first : `${first} to ${last}`,
          ...[saved, stoppedAmount, lost, stoppedFrauds, refusedGoods].map(show),
        ].join('; '),
      ),
    );
    const chosen = effects.find(({ last }) => last >= from!)!;
    expect(text.out).toContain(` Saved: ${show(chosen.saved)}.\n`);
    const frauds = `${chosen.stoppedFrauds.value} of ${later.frauds.count} frauds`;
    const goods = `${chosen.refusedGoods.value} of ${later.goods.count} good orders`;
    expect(chosen.refusedGoods.value).toBeGreaterThan(0);
    expect(text.out).toContain(`Blocking from ${from} Points would have stopped ${frauds} (`);
    expect(text.out).toContain(` and refused ${goods} (`);
    expect(text.html).toContain(`from ${from} Points would have stopped ${frauds} and held ${goods}.`);
    expect(text.html).toContain(`Saved: ${show(chosen.saved)}.`);
    const read = text.html.replaceAll(/<\/?code[^>]*>/g, '');
    for (const line of text.out.split('\n\n')[0]!.split('\n')) expect(read).toContain(`<li>${line}</li>`);
    expect(text.out).toContain(
      'Left out: 1 whose outcome is neither in --fraud nor in --good (1 open), 1 with a problem.',
    );
    const [, look, hold] = /look at an order from (\d+) Points, hold it from (\d+), /.exec(text.out)!;
    expect(text.html).toContain(
      `<dt>Look at an order from</dt><dd>${look}</dd><dt>Hold an order from</dt><dd>${hold}</dd>`,
    );
    expect(text.html).not.toMatch(/example\.com|\bami\b|\bbea\b/);
  });

  it('is refused before the work, if it would be the file of orders or if only events are printed', async () => {
    const { code, err } = await runOnOrders('--html', join(folder, 'orders.csv'));
    expect([code, err]).toEqual([1, 'redflag: the file of --html cannot be written: it is an input file\n']);
    expect(await runOnOrders('--events', '--html', join(folder, 'never.html'))).toMatchObject({
      code: 2,
      err: 'redflag: --html expects a result, and --events prints none: run the command twice\n',
    });
  });
});
