import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../src/index.ts';
import type { PublicRecord, RecordVoice } from '../../src/operator.ts';
import { apportion, toRounded, formatVoice } from '../../src/service/web/pictures.tsx';
import { ENGLISH } from '../../src/service/web/spoken.ts';

const voice = (added: number, name = 'Shop'): RecordVoice => ({ name, reported: 1, added, disputed: 0, faded: 0 });
const rounded = (voices: readonly RecordVoice[], points: number, reporters = voices.length) =>
  toRounded({ voices, points, reporters } as PublicRecord, ENGLISH);

describe('voices', () => {
  it('add up to the points in whole numbers', () => {
    expect(rounded([voice(41.4), voice(21.6)], 63).map(({ added }) => added)).toEqual([41, 22]);
    expect(rounded([voice(0.5), voice(0.3), voice(0.2)], 1).map(({ added }) => added)).toEqual([1, 0, 0]);
    expect(rounded([voice(100)], 100).map(({ added }) => added)).toEqual([100]);
  });

  it('have one for all organisations without a name', () => {
    const [, rest] = rounded([voice(60)], 64, 4);
    expect(rest).toMatchObject({ name: '3 other organisations', added: 4 });
    // Rounding errors of sums are no negative width.
    expect(rounded([voice(64.000_000_1)], 64, 2)[1]).toMatchObject({ exact: { added: 0 }, added: 0 });
  });

  it('say numbers that add up, for what a dispute and time took away', () => {
    const [first] = rounded([{ ...voice(20.4), disputed: 14.6, faded: 4.7 }], 20);
    expect(formatVoice(first!, ENGLISH)).toBe(
      '1 report: 39 points, less 15 for an open dispute and 4 that faded with time.',
    );
    const [full] = rounded([{ ...voice(61), disputed: 38.6, faded: 0.4 }], 61);
    expect(formatVoice(full!, ENGLISH)).toBe('1 report: 100 points, less 39 for an open dispute.');
    const [whole] = rounded([{ ...voice(3), disputed: 0.2, faded: 0.2 }], 3);
    expect(formatVoice(whole!, ENGLISH)).toBe('1 report.');
  });

  it('add up for any parts', () => {
    const random = createSeededRandom('bars');
    for (let round = 0; round < 500; round++) {
      const bytes = [...random(1 + (round % 20))].map((byte) => byte + 0.1);
      const total = 1 + (round % 100);
      const sum = bytes.reduce((all, one) => all + one, 0);
      const parts = bytes.map((byte) => (byte / sum) * total);
      const whole = apportion(parts, total);
      expect(whole.reduce((all, one) => all + one, 0)).toBe(total);
      for (const [at, part] of parts.entries()) expect(Math.abs(whole[at]! - part)).toBeLessThan(1);
    }
  });
});
