import { expect, it } from 'vitest';
import { DAY_MS, startOfDay } from '../../src/core/domain/day.ts';

it.each([
  ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T00:00:00.001Z', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T23:59:59.999Z', '2024-02-29T00:00:00.000Z'],
  ['1969-12-31T23:00:00.000Z', '1969-12-31T00:00:00.000Z'],
])('the day of %s begins at %s', (moment, midnight) => {
  expect(new Date(startOfDay(Date.parse(moment))).toISOString()).toBe(midnight);
});

it('a day has 24 hours', () => {
  expect(DAY_MS).toBe(24 * 60 * 60 * 1000);
});
