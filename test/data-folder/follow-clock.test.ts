import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followClock, withoutDue } from '../../src/service/data-folder/sealed/follow-clock.ts';
import { NO_HISTORY } from '../../src/sealed/history.ts';
import {
  createKeys,
  destroyEpoch,
  nextEpoch,
  scheduleOf,
  sequenceAt,
  withOpenEpoch,
  type SealedKeys,
} from '../../src/sealed/keys.ts';
import { budget } from '../budget.ts';
import { seededRandom } from '../sealed/group-samples.ts';
import { createTestEvaluator } from '../sealed/test-evaluator.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_800_000_000_000;
const random = seededRandom('follow clock');

const { access } = createTestEvaluator();

/** What a service does at a time: changes its keys, and publishes if an epoch is open. */
function look(keys: SealedKeys, clock: number, publishes: boolean): SealedKeys {
  const changed = followClock(keys, clock, random);
  if (!publishes || scheduleOf(changed.epochs, clock).current === undefined) return changed;
  return {
    ...changed,
    head: { sequence: Math.max((changed.head?.sequence ?? -1) + 1, sequenceAt(clock)), history: NO_HISTORY },
  };
}

const states = ({ epochs }: SealedKeys) => epochs.map(({ key }) => (key === null ? 'destroyed' : 'kept'));

describe('keys that follow a right clock', () => {
  it.each([
    ['hourly', HOUR],
    ['at restarts every ten minutes', 10 * MINUTE],
    ['at a start every second day', 2 * DAY],
  ])('are changed a day after it first asks, looked at %s', (_, step) => {
    let keys: SealedKeys = createKeys(access, START, random);
    for (let now = START; now <= START + 200 * DAY; now += step) {
      keys = look(keys, now, true);
      const { current, ended } = scheduleOf(keys.epochs, now);
      expect(current).toBeDefined();
      for (const { endsAt } of ended) expect(now - endsAt).toBeLessThan(DAY + 2 * step);
      expect(keys.epochs.at(-1)!.endsAt - now).toBeGreaterThan(7 * DAY - 2 * step);
    }
    expect(states(keys)).toEqual([...Array<string>(8).fill('destroyed'), 'kept']);
  });

  it('can be evaluated seven days before an epoch ends, and always have an open one, also after commands', () => {
    let keys: SealedKeys = nextEpoch(createKeys(access, START, random), START, random);
    keys = nextEpoch(keys, START, random);
    keys = withOpenEpoch(destroyEpoch(keys, 1), START + DAY, random);
    for (let now = START + DAY; now < START + 100 * DAY; now += HOUR) {
      keys = followClock(keys, now, random);
      const { current, open } = scheduleOf(keys.epochs, now);
      expect(open).toHaveLength(now >= current!.endsAt - 7 * DAY ? 2 : 1);
    }
  });

  it('begin an epoch a day after a service starts that was off for months', () => {
    let keys: SealedKeys = createKeys(access, START, random);
    const start = START + 100 * DAY;
    for (let now = start; now < start + DAY; now += HOUR) {
      keys = look(keys, now, true);
      expect(states(keys)).toEqual(['kept']);
    }
    keys = look(keys, start + DAY, true);
    expect(states(keys)).toEqual(['destroyed', 'kept']);
    expect(scheduleOf(keys.epochs, start + DAY).current).toMatchObject({ number: 2, startsAt: start });
  });

  it('wait anew after a change by a command, and need no wait for none', () => {
    const keys: SealedKeys = createKeys(access, START, random);
    expect(followClock(keys, START + DAY, random)).toBe(keys);
    expect(withoutDue(keys)).toBe(keys);
    const noted = followClock(keys, START + 31 * DAY, random);
    expect(noted).toEqual({ ...keys, dueSince: START + 31 * DAY });
    expect(followClock(noted, START + 31 * DAY + HOUR, random)).toBe(noted);
    expect(withoutDue(noted)).toEqual(keys);
  });
});

describe('keys that follow a clock that is wrong for less than a day now and then', () => {
  const runs = fc.array(
    fc.record({
      hours: fc.integer({ min: 1, max: 23 }),
      stepMinutes: fc.integer({ min: 1, max: 60 }),
      offsetDays: fc.oneof(fc.constant(0), fc.integer({ min: -60, max: 400 })),
      rightHours: fc.integer({ min: 1, max: 300 }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  it('are not destroyed before their end, and no epoch is added for a time that is far away', () => {
    fc.assert(
      fc.property(runs, fc.boolean(), fc.integer({ min: 0, max: 45 }), (wrongs, publishes, startDay) => {
        let keys: SealedKeys = createKeys(access, START, random);
        let now = START;
        const run = (milliseconds: number, step: number, offset: number): void => {
          for (const end = now + milliseconds; now < end; now += step) {
            keys = look(keys, now + offset, publishes);
            for (const { startsAt, endsAt, key } of keys.epochs) {
              if (key === null) expect(endsAt).toBeLessThanOrEqual(now);
              // An epoch may be added a day before it begins.
              expect(startsAt).toBeLessThanOrEqual(now + DAY);
            }
          }
        };
        run(startDay * DAY, HOUR, 0);
        for (const { hours, stepMinutes, offsetDays, rightHours } of wrongs) {
          run(hours * HOUR, stepMinutes * MINUTE, offsetDays * DAY);
          run(rightHours * HOUR, HOUR, 0);
        }
        run(3 * DAY, HOUR, 0);
        expect(scheduleOf(keys.epochs, now).current).toBeDefined();
        for (const { endsAt } of scheduleOf(keys.epochs, now).ended) expect(now - endsAt).toBeLessThan(3 * DAY);
      }),
      { numRuns: budget(10) },
    );
  });
});
