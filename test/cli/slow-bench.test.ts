import { describe, expect, it } from 'vitest';
import { runCli as runHere } from './in-process.ts';
import { runCli } from './service.ts';

interface Figures {
  machine: string;
  iterations: number;
  firstMilliseconds: number;
  figures: {
    what: string;
    milliseconds: number;
    lowerQuartile: number;
    upperQuartile: number;
    identifiersPerSecond: number;
  }[];
}

describe('redflag bench', () => {
  it('gives a figure for each implementation, for several together and for the pool', async () => {
    const { code, out, err } = await runCli(['bench', '--seconds', '0.01', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { machine, iterations, firstMilliseconds, figures } = JSON.parse(out) as Figures;
    expect(machine).toContain(process.version);
    expect(iterations).toBe(32_000);
    expect(firstMilliseconds).toBeGreaterThan(0);
    expect(figures.map(({ what }) => what.replace(/\d+$/, 'N'))).toEqual([
      'simd, one identifier',
      'simd, 24 together',
      'scalar, one identifier',
      'plain, one identifier',
      'simd, pool of N',
    ]);
    for (const { what, milliseconds, lowerQuartile, upperQuartile, identifiersPerSecond } of figures) {
      expect(lowerQuartile <= milliseconds && milliseconds <= upperQuartile, what).toBe(true);
      expect(identifiersPerSecond, what).toBe(Math.round(1000 / milliseconds));
    }
  });

  it('words them for people', async () => {
    const { code, out } = await runCli(['bench', '--seconds', '0.01']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\nsimd, 24 together +\d+\.\d\d ms  \(\d+\.\d\d to \d+\.\d\d\) +\d+\/s\n[^]+\nThe first identifier of this process took \d+\.\d ms\.\n$/,
    );
  });

  it.runIf(Number(process.versions.node.split('.')[0]) < 22)('says which Node --wide needs', async () => {
    for (const args of [
      ['bench', '--wide', '--seconds', '0.01'],
      ['hash', '--csv', 'a.csv', '--column', 'a', '--out', 'b.csv', '--wide'],
    ]) {
      expect(await runCli(args)).toEqual({ code: 2, out: '', err: 'redflag: --wide expects Node 22 or later\n' });
    }
  });

  it('refuses times that are none', async () => {
    for (const seconds of ['0', '-1', 'soon', '601'])
      expect((await runHere(['bench', `--seconds=${seconds}`])).code, seconds).toBe(2);
  });
});
