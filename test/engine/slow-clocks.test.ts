import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { budget } from '../budget.ts';
import { HOUR } from './history.ts';
import { createSharing, draft, standings } from './sharing.ts';

const MINUTE = 60_000;

describe('several engines whose clocks differ by up to ten minutes', () => {
  it('agree about every reporter, whichever engine took a report, a deletion or a dispute', async () => {
    const at = fc.nat(1);
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('report' as const), at, by: fc.nat(2), about: fc.nat(2) }) },
      fc.record({ do: fc.constant('remove' as const), at, nth: fc.nat(4) }),
      fc.record({ do: fc.constantFrom('open' as const, 'uphold' as const), at, nth: fc.nat(2) }),
      fc.record({ do: fc.constant('wait' as const), at, ms: fc.constantFrom(2_000, MINUTE, 10 * MINUTE) }),
    );
    const ahead = fc.integer({ min: -10 * MINUTE, max: 10 * MINUTE });
    const met = { preceded: 0, lost: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), ahead, async (steps, aheadMs) => {
        const { engines, clock, keys, alone, start } = await createSharing(2, {}, () => [], [0, aheadMs, aheadMs >> 1]);
        clock.nowMs += 12 * HOUR;
        await Promise.all(engines.map((engine) => engine.listStandings()));
        const reports: { reportId: string; deletionCode: string; key: string }[] = [];
        for (const [n, action] of steps.entries()) {
          clock.nowMs += 5;
          const engine = engines[action.at]!;
          if (action.do === 'wait') clock.nowMs += action.ms;
          else if (action.do === 'report') {
            const key = keys[action.by]!;
            const receipt = unwrap(await engine.report({ apiKey: key, ...draft(action.about, `step ${n}`) }));
            reports.push({ ...receipt, key });
          } else {
            const report = reports[action.nth];
            if (report === undefined) continue;
            const { reportId, deletionCode, key: apiKey } = report;
            if (action.do === 'remove') await engine.remove({ apiKey, deletionCode });
            else {
              await engine.openDispute({ reportId, reason: 'no', by: 'Ada' });
              const other = engines[1 - action.at]!;
              if (action.do === 'uphold') await other.decideDispute({ reportId, upheld: true, by: 'Ada' });
            }
          }
        }
        clock.nowMs += 11_000;
        const [first, second] = await Promise.all(engines.map(standings));
        expect(second).toEqual(first);
        expect(await standings(start())).toEqual(first);
        const one = alone();
        await one.recomputeTrust();
        expect(await standings(one)).toEqual(first);
        for (const [, , preceded, , lost] of first!) {
          met.preceded += Number(preceded);
          met.lost += Number(lost);
        }
      }),
      { numRuns: budget(25), seed: 11 },
    );
    for (const [label, times] of Object.entries(met)) expect(times, label).toBeGreaterThan(0);
  });
});
