import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalibration, type CalibrationMap } from '../../src/scoring/calibration.ts';

const map = (...points: [number, number][]): CalibrationMap => ({ version: 1, points });
// + 0: no negative zero, which `toBe` tells apart and nothing else does.
const chance = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0);
const maps: fc.Arbitrary<CalibrationMap> = fc
  .tuple(fc.uniqueArray(chance, { minLength: 1, maxLength: 30 }), fc.infiniteStream(chance))
  .map(([stated, rest]) => {
    const observed = stated.map(() => rest.next().value as number).sort((a, b) => a - b);
    return { version: 1, points: [...stated].sort((a, b) => a - b).map((x, at) => [x, observed[at]!] as const) };
  });

describe('the calibration map', () => {
  it('draws lines through its points and is flat beyond them', () => {
    const calibrate = createCalibration(map([0.2, 0.1], [0.4, 0.5], [0.8, 0.5], [1, 0.9]));
    expect([0, 0.2, 0.3, 0.4, 0.6, 0.8, 0.9, 1].map(calibrate)).toEqual([
      0.1,
      0.1,
      expect.closeTo(0.3, 12),
      0.5,
      0.5,
      0.5,
      expect.closeTo(0.7, 12),
      0.9,
    ]);
    expect([-Infinity, -1, 2, Infinity].map(calibrate)).toEqual([0.1, 0.1, 0.9, 0.9]);
  });

  it('is one answer with one point', () => {
    expect([0, 0.5, 1].map(createCalibration(map([0.5, 0.3])))).toEqual([0.3, 0.3, 0.3]);
  });

  it('can be the identity', () => {
    fc.assert(
      fc.property(chance, (stated) => {
        expect(createCalibration(map([0, 0], [1, 1]))(stated)).toBe(stated);
      }),
    );
  });

  it('never falls, whatever the map', () => {
    fc.assert(
      fc.property(
        maps,
        fc.array(fc.oneof(chance, fc.double({ noNaN: true })), { minLength: 2, maxLength: 40 }),
        (given, inputs) => {
          const calibrate = createCalibration(given);
          // Its own corners, and the numbers right beside them, are where rounding could show.
          const corners = given.points.flatMap(([x]) => [x, x * (1 - Number.EPSILON), x * (1 + Number.EPSILON)]);
          const outputs = [...inputs, ...corners].sort((a, b) => a - b).map(calibrate);
          for (let i = 1; i < outputs.length; i++) expect(outputs[i]).toBeGreaterThanOrEqual(outputs[i - 1]!);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('stays within its first and last answer, and goes through every point', () => {
    fc.assert(
      fc.property(maps, fc.double({ noNaN: true }), (given, input) => {
        const calibrate = createCalibration(given);
        expect(calibrate(input)).toBeGreaterThanOrEqual(given.points[0]![1]);
        expect(calibrate(input)).toBeLessThanOrEqual(given.points.at(-1)![1]);
        for (const [stated, observed] of given.points) expect(calibrate(stated)).toBe(observed);
      }),
      { numRuns: 500 },
    );
  });

  it('survives JSON, and does not follow later changes of its map', () => {
    const points: [number, number][] = [
      [0, 0.2],
      [1, 0.8],
    ];
    const calibrate = createCalibration(JSON.parse(JSON.stringify({ version: 1, points })) as CalibrationMap);
    const held = createCalibration({ version: 1, points });
    points[0]![1] = 0.7;
    points.pop();
    expect(held(0.5)).toBe(calibrate(0.5));
  });

  it.each<[string, unknown, ErrorConstructor, string]>([
    ['nothing', undefined, RangeError, '"calibration.version" expected 1, got undefined'],
    ['null', null, RangeError, '"calibration.version" expected 1, got undefined'],
    ['another version', { version: 2, points: [[0, 0]] }, RangeError, '"calibration.version" expected 1, got 2'],
    ['no list', { version: 1, points: {} }, TypeError, '"calibration.points" expected a list of points, got an object'],
    ['an empty list', map(), RangeError, '"calibration.points" expected at least one point, got none'],
    [
      'a point that is none',
      { version: 1, points: [[0, 0], 1] },
      TypeError,
      '"calibration.points[1]" expected [stated, observed], got 1',
    ],
    [
      'a point of three',
      { version: 1, points: [[0, 0, 0]] },
      TypeError,
      '"calibration.points[0]" expected [stated, observed], got [0, 0, 0]',
    ],
    [
      'a point that is null',
      { version: 1, points: [null] },
      TypeError,
      '"calibration.points[0]" expected [stated, observed], got null',
    ],
    [
      'text for observed',
      { version: 1, points: [[0, '0']] },
      TypeError,
      '"calibration.points[0]" expected two numbers, got [0, 0]',
    ],
    ['an unknown name', { version: 1, points: [[0, 0]], point: 1 }, TypeError, '"calibration.point" is not an option'],
    [
      'a stated chance above 1',
      map([1.1, 1]),
      RangeError,
      '"calibration.points[0]" expected two numbers from 0 to 1, got [1.1, 1]',
    ],
    [
      'a negative observed chance',
      map([0, -0.1]),
      RangeError,
      '"calibration.points[0]" expected two numbers from 0 to 1, got [0, -0.1]',
    ],
    ['text', { version: 1, points: [['0', 0]] }, TypeError, '"calibration.points[0]" expected two numbers, got [0, 0]'],
    [
      'no number',
      map([Number.NaN, 0]),
      RangeError,
      '"calibration.points[0]" expected two numbers from 0 to 1, got [NaN, 0]',
    ],
    [
      'a chance above 1',
      map([0, 0], [1, 1.1]),
      RangeError,
      '"calibration.points[1]" expected two numbers from 0 to 1, got [1, 1.1]',
    ],
    [
      'a negative one',
      map([-0.1, 0]),
      RangeError,
      '"calibration.points[0]" expected two numbers from 0 to 1, got [-0.1, 0]',
    ],
    [
      'stated twice',
      map([0.5, 0.1], [0.5, 0.2]),
      RangeError,
      '"calibration.points[1]" expected a stated value above 0.5, got 0.5',
    ],
    [
      'falling',
      map([0.1, 0.3], [0.5, 0.2]),
      RangeError,
      '"calibration.points[1]" expected an observed value of at least 0.3, got 0.2',
    ],
  ])('refuses %s', (_, given, error, message) => {
    expect(() => createCalibration(given as CalibrationMap)).toThrow(error);
    expect(() => createCalibration(given as CalibrationMap)).toThrow(message);
  });

  it('maps no NaN', () => {
    expect(() => createCalibration(map([0, 0]))(Number.NaN)).toThrow(
      new RangeError('"stated" expected a number, got NaN'),
    );
  });
});
