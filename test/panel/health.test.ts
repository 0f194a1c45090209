import { expect, it } from 'vitest';
import { createPanelHealth } from '../../src/service/panel/health.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 0, 1, 12);

it('counts requests by hour, action and outcome, and forgets them after a day', async () => {
  const clock = { nowMs: NOON + 5 };
  const health = createPanelHealth({ clock: () => clock.nowMs, version: '1.2.3' });
  health.answered({ action: 'query', outcome: 'ok' });
  health.answered({ action: 'query', outcome: 'ok' });
  health.answered({ action: 'report', outcome: 'limited' });
  clock.nowMs += HOUR_MS;
  health.answered({ action: 'query', outcome: 'internal' });
  const { hours, startedAt, version, rows } = await health.figures();
  expect({ startedAt, version, rows }).toEqual({ startedAt: NOON + 5, version: '1.2.3', rows: undefined });
  expect(hours).toHaveLength(24);
  expect(hours.map(({ startsAt }) => startsAt)).toEqual(hours.map((_, at) => NOON + (at - 22) * HOUR_MS));
  expect(hours.slice(-2).map(({ counts }) => counts)).toEqual([
    [
      { action: 'query', outcome: 'ok', requests: 2 },
      { action: 'report', outcome: 'limited', requests: 1 },
    ],
    [{ action: 'query', outcome: 'internal', requests: 1 }],
  ]);
  clock.nowMs += 23 * HOUR_MS;
  expect((await health.figures()).hours.flatMap(({ counts }) => counts)).toHaveLength(1);
});

it('keeps at most 24 hours, also with a clock that is set back', async () => {
  const clock = { nowMs: NOON };
  const health = createPanelHealth({ clock: () => clock.nowMs });
  for (let hour = 0; hour < 1000; hour++) {
    clock.nowMs = NOON + hour * HOUR_MS;
    health.answered({ action: 'viewer', outcome: 'ok' });
  }
  clock.nowMs = NOON + 1;
  for (let n = 0; n < 3; n++) health.answered({ action: 'viewer', outcome: 'ok' });
  expect((await health.figures()).hours.at(-1)!.counts).toEqual([{ action: 'viewer', outcome: 'ok', requests: 3 }]);
  clock.nowMs = NOON + 999 * HOUR_MS;
  const { hours } = await health.figures();
  expect(hours.filter(({ counts }) => counts.length > 0)).toHaveLength(23);
});

it('asks for the rows of the store at each visit', async () => {
  let reports = 0;
  const rows = { removed: 0, identifiers: 0, links: 0, reporters: 1 };
  const health = createPanelHealth({ rows: async () => ({ ...rows, reports: ++reports }) });
  expect((await health.figures()).rows?.reports).toBe(1);
  expect((await health.figures()).rows?.reports).toBe(2);
});
