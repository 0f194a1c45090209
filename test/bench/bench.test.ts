import { describe, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { barChart } from '../../bench/chart.mjs';
// @ts-expect-error: plain JavaScript
import { benchScoring } from '../../bench/scoring.mjs';
// @ts-expect-error: plain JavaScript
import { quantile, seeded } from '../../bench/slices.mjs';
// @ts-expect-error: plain JavaScript
import { hashTable, scoringTable } from '../../bench/tables.mjs';

describe('the bench', () => {
  it('takes quantiles of sorted figures', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map((part) => quantile([1, 2, 3, 4, 5], part) as number)).toEqual([1, 2, 3, 4, 5]);
    expect(quantile([7], 0.5)).toBe(7);
  });

  it('draws the same numbers from the same seed', () => {
    const [one, other] = [seeded(7), seeded(7)] as (() => number)[];
    const drawn = Array.from({ length: 100 }, () => one!());
    expect(drawn).toEqual(Array.from({ length: 100 }, () => other!()));
    expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(new Set(drawn).size).toBe(100);
  });

  it('gives each contender its ratio to createHash, the quickest first', () => {
    const row = (name: string, ours: boolean, milliseconds: number): object => ({
      name,
      ours,
      milliseconds,
      lowerQuartile: milliseconds,
      upperQuartile: milliseconds,
    });
    const table = hashTable({
      version: 'v1',
      contenders: [row('createHash', false, 24), row('redflag, simd', true, 2)],
    }) as string;
    expect(table.split('\n').slice(2)).toEqual([
      '| **redflag, simd** | 2.00 | 2.00 to 2.00 | 12.0 |',
      '| createHash | 24.0 | 24.0 to 24.0 | 1.0 |',
    ]);
  });

  it('draws a chart that is well-formed, with longer bars for larger values', () => {
    const svg = barChart({
      title: 'a < b & "c"',
      description: 'd',
      bars: [
        { name: 'x', value: 16, ours: true },
        { name: 'y', value: 1 },
        { name: 'z', value: 0.1 },
      ],
    }) as string;
    const open: string[] = [];
    for (const [, close, name, self] of svg.matchAll(/<(\/?)([a-z]+)(?:"[^"]*"|[^>"])*?(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(name);
      else if (!self) open.push(name!);
    }
    expect(open).toEqual([]);
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;');
    const widths = [...svg.matchAll(/class="(?:bar|ours)" [^>]*?width="([\d.]+)"/g)].map((match) => Number(match[1]));
    expect(widths).toHaveLength(3);
    expect(widths[0]! > widths[1]! && widths[1]! > widths[2]!).toBe(true);
  });

  it('times scoring once its answers agree, and has a line for each size', async () => {
    const figures: unknown = await benchScoring({
      matches: [1, 10],
      reports: [300],
      slices: 2,
      trustSlices: 2,
      world: { customers: 60, days: 60 },
      replays: 2,
    });
    const numbers = [...JSON.stringify(figures).matchAll(/:(-?[\w.]+)/g)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.every(Number.isFinite)).toBe(true);
    const table = scoringTable(figures) as string;
    expect(table).toMatch(/^\| 1 \| /m);
    expect(table).toMatch(/^\| 10 \| /m);
    expect(table).toMatch(/^\| 300 \| 750 \| /m);
    expect(table).toMatch(/events a second/);
    expect(table).not.toMatch(/NaN|undefined|Infinity/);
  });
});
