import { describe, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { barChart } from '../../bench/chart.mjs';
// @ts-expect-error: plain JavaScript
import { benchHttp } from '../../bench/http.mjs';
// @ts-expect-error: plain JavaScript
import { timeInterleaved } from '../../bench/interleave.mjs';
// @ts-expect-error: plain JavaScript
import { benchScoring } from '../../bench/scoring.mjs';
// @ts-expect-error: plain JavaScript
import { quantile, seeded } from '../../bench/slices.mjs';
// @ts-expect-error: plain JavaScript
import { hashTable, httpTable, prefixTable, scoringTable, summaryTable } from '../../bench/tables.mjs';

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

  it('gives each prefix its ratio to service-', () => {
    const row = (prefix: string, together: number, milliseconds: number, ratio: number): object => ({
      prefix,
      together,
      milliseconds,
      ratio,
    });
    const prefixes = [
      row('service-', 1, 2, 1),
      row('service-', 4, 1, 1),
      row('p', 1, 2.1, 1.05),
      row('p', 4, 1.5, 1.5),
    ];
    expect((prefixTable({ prefixes }) as string).split('\n')).toEqual([
      '| prefix | ms, one | times `service-` | ms, 4 together | times `service-` |',
      '|---|---|---|---|---|',
      '| `service-` | 2.00 | 1.00 | 1.00 | 1.00 |',
      '| `p` | 2.10 | 1.05 | 1.50 | 1.50 |',
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

  it('calls contenders in slices, equally often, and returns the time of a unit', async () => {
    const calls = { quick: 0, slow: 0 };
    const figures = (await timeInterleaved(
      {
        quick: async () => void calls.quick++,
        slow: async () => {
          calls.slow++;
          await new Promise((resolve) => setTimeout(resolve, 40));
        },
      },
      { slices: 3, callsPerSlice: 2, unitsPerCall: 4 },
    )) as Record<string, { medianMicroseconds: number }>;
    // One slice more than the three that count.
    expect(calls).toEqual({ quick: 8, slow: 8 });
    expect(figures['slow']!.medianMicroseconds).toBeGreaterThan(8_000);
    expect(figures['quick']!.medianMicroseconds).toBeLessThan(8_000);
  });

  it('ends with the error of a contender', async () => {
    const failing = async (): Promise<never> => {
      throw new Error('the answers differ');
    };
    await expect(timeInterleaved({ failing })).rejects.toThrow('the answers differ');
  });

  it('loads a server once the replies agree, and has a line for each kind of request', async () => {
    const figures: unknown = await benchHttp({
      reports: 20,
      slices: 1,
      stores: ['folder, journal'],
      servers: ['node:http'],
      amounts: { query: 64, viewer: 64, report: 64 },
    });
    const table = httpTable(figures) as string;
    // Queries, viewer, reports and memory.
    expect(table.split('\n').filter((line) => line.startsWith('| folder, journal | node:http | '))).toHaveLength(4);
    expect(table).toMatch(/^- folder, journal: node:http stores \d\.\d\d of the reports that the store alone stores/m);
    expect(table).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('names a store that is not there instead of measuring it', () => {
    const figures = { reports: 1_000, stores: [{ name: 'PostgreSQL', missing: 'it is not installed' }] };
    expect(httpTable(figures)).toMatch(/^- Skipped: PostgreSQL: it is not installed\.$/m);
  });

  it('makes a summary of figures of one machine only', () => {
    const figure = (medianMicroseconds: number): object => ({ medianMicroseconds });
    const contenders = [
      { name: 'createHash', milliseconds: 40 },
      { name: 'redflag, simd', milliseconds: 2 },
      { name: 'redflag, simd, 24 together', milliseconds: 1 },
    ];
    const stores = [{ name: 'folder, journal', together: { ours: figure(200), raw: figure(100) } }];
    const results = {
      hash: { machine: 'one', figures: { runtimes: [{ contenders }] } },
      engine: {
        machine: 'one',
        figures: [{ reports: 1_000_000, query: { engine: figure(300), raw: figure(100), ratio: 3 } }],
      },
      http: {
        machine: 'one',
        figures: {
          reports: 10_000,
          stores: [{ rows: [{ kind: 'query', ours: { perSecond: 9_000 }, constant: { perSecond: 30_000 } }] }],
        },
      },
      store: { machine: 'one', figures: { stores } },
    };
    expect((summaryTable(results) as string).split('\n').slice(2)).toEqual([
      '| hash one identifier, ms | 2.00 | 40.0, `createHash` in a loop | 20.0 |',
      '| hash 24 identifiers together, ms each | 1.00 | 40.0, `createHash` in a loop | 40.0 |',
      '| query of 3 hashes, 1,000,000 reports in memory, µs | 300 | 100, raw SQL alone | 3.0 |',
      '| queries a second over HTTP, 10,000 reports in a folder | 9,000 | 30,000, a constant reply | 0.30 |',
      '| durable reports per second, folder, 64 at once | 5,000 | 10,000, store written by hand | 0.50 |',
    ]);
    expect(summaryTable({ ...results, store: undefined })).toBeUndefined();
    expect(summaryTable({ ...results, http: { ...results.http, machine: 'another' } })).toBeUndefined();
  });
});
