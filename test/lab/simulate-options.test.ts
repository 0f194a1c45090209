import { describe, expect, it } from 'vitest';
import { resolveWorld } from '../../src/lab/simulate/resolve-world.ts';
import { simulateWorld } from '../../src/lab/simulate/world.ts';
import {
  SCENARIOS,
  WORLD_OPTIONS,
  type ScenarioName,
  type WorldOverrides,
} from '../../src/lab/simulate/world-options.ts';

describe('the numbers of a world', () => {
  it('are the base’s unless said otherwise, at any depth', () => {
    expect(resolveWorld()).toEqual(WORLD_OPTIONS);
    expect(resolveWorld('copying', { kinds: { ip: { lifeDays: 30 } }, customers: 5 })).toEqual({
      ...WORLD_OPTIONS,
      customers: 5,
      kinds: { ...WORLD_OPTIONS.kinds, ip: { ...WORLD_OPTIONS.kinds.ip, lifeDays: 30 } },
      reporting: { ...WORLD_OPTIONS.reporting, copying: 0.3 },
    });
    expect(resolveWorld('copying', { reporting: { copying: 0.2 } }).reporting.copying).toBe(0.2);
    expect(resolveWorld('base', { customers: undefined } as unknown as WorldOverrides)).toEqual(WORLD_OPTIONS);
  });

  it.each(Object.keys(SCENARIOS) as ScenarioName[])('%s is a world', (scenario) => {
    expect(() => resolveWorld(scenario)).not.toThrow();
  });

  it.each<[unknown, typeof RangeError | typeof TypeError, string]>([
    [{ customers: 0 }, RangeError, '"world.customers" expected a whole number from 1 to 1000000, got 0'],
    [{ customers: 1.5 }, RangeError, '"world.customers" expected a whole number from 1 to 1000000, got 1.5'],
    [{ customers: '7' }, TypeError, '"world.customers" expected a whole number from 1 to 1000000, got string'],
    [{ customers: null }, TypeError, '"world.customers" expected a whole number from 1 to 1000000, got null'],
    [{ fraud: { share: 1.1 } }, RangeError, '"world.fraud.share" expected a number from 0 to 1, got 1.1'],
    [{ fraud: { share: NaN } }, RangeError, '"world.fraud.share" expected a number from 0 to 1, got NaN'],
    [{ fraud: 0.1 }, TypeError, '"world.fraud" expected an object of options, got number'],
    [
      { kinds: { ip: { lifeDays: Infinity } } },
      RangeError,
      '"world.kinds.ip.lifeDays" expected a number from 0.001 to 36500, got Infinity',
    ],
    [
      { kinds: { email: { share: 0.9 }, ip: { share: 0.9 } } },
      RangeError,
      '"world.kinds" expected at least one kind with a share of 1: reports and queries need it',
    ],
    [{ visits: { season: 2 } }, RangeError, '"world.visits.season" expected a number from 0 to 1, got 2'],
    [{ reporting: { drift: -1 } }, RangeError, '"world.reporting.drift" expected a number from 0 to 10, got -1'],
    [
      { attack: { patientDays: 1100 } },
      RangeError,
      '"world.attack.patientDays" expected at most 1008, the day of the attack, got 1100',
    ],
    [{ kinds: { fax: { share: 1 } } }, TypeError, '"world.kinds.fax" is not an option'],
    [{ custmers: 3 }, TypeError, '"world.custmers" is not an option'],
    [
      { reporting: { bad: [0.9, 0.1] } },
      RangeError,
      '"world.reporting.bad" expected the lower end first, got 0.9, 0.1',
    ],
    [{ reporting: { bad: [0, 2] } }, RangeError, '"world.reporting.bad" expected a number from 0 to 1, got 2'],
    [{ reporting: { bad: 0.5 } }, TypeError, '"world.reporting.bad" expected a pair of numbers, got number'],
    [{ severity: { fraud: [7] } }, TypeError, '"world.severity.fraud" expected a pair of numbers, got a list of 1'],
    [
      { reporting: { careless: 0.75, copying: 0.5 } },
      RangeError,
      '"world.reporting" expected a sum of careless and copying of at most 1, got 1.25',
    ],
    [
      { attack: { ringDays: 2000 } },
      RangeError,
      '"world.attack.ringDays" expected at most 1008, the day of the attack, got 2000',
    ],
    [null, TypeError, '"world" expected an object of options, got null'],
  ])('%j is refused', (options, error, words) => {
    expect(() => resolveWorld('base', options as WorldOverrides)).toThrow(new error(words));
  });

  it('an unknown scenario and a wrong seed are refused at the first event', () => {
    expect(() => simulateWorld({ seed: 1, scenario: 'toString' as ScenarioName }).next()).toThrow(
      '"scenario" expected one of base, shared-addresses, copying',
    );
    for (const seed of [-1, 0.5, NaN]) expect(() => simulateWorld({ seed }).next()).toThrow(RangeError);
  });

  it.each<WorldOverrides>([
    { customers: 1, reporters: 1 },
    { customers: 50, fraud: { share: 1 } },
    { customers: 50, fraud: { share: 0 }, households: 1 },
    { customers: 50, days: 1, queries: { fromDay: 0, count: 1_000_000 } },
    { customers: 50, queries: { count: 0 } },
    { customers: 50, reporting: { copying: 1, careless: 0, lazy: 1, withdrawn: 1 } },
    { customers: 50, kinds: { phone: { share: 0 }, domain: { share: 0 }, ip: { share: 0 } } },
  ])('the far end %j is a world', (options) => {
    const events = [...simulateWorld({ seed: 1, options })];
    expect(events.length).toBeGreaterThan(0);
    expect(events.every((event) => !('identifiers' in event) || event.identifiers.length > 0)).toBe(true);
  });
});
