import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalibration } from '../../src/core/scoring/calibration.ts';
import type { CalibrationMap } from '../../src/core/scoring/calibration-map.ts';

const map = (...points: [number, number][]): CalibrationMap => ({ version: 3, points, support: [], spread: 0 });
// + 0: no negative zero, which `toBe` tells apart and nothing else does.
const chance = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0);
const maps: fc.Arbitrary<CalibrationMap> = fc
  .tuple(fc.uniqueArray(chance, { minLength: 1, maxLength: 30 }), fc.infiniteStream(chance))
  .map(([stated, rest]) => {
    const observed = stated.map(() => rest.next().value as number).sort((a, b) => a - b);
    return map(...[...stated].sort((a, b) => a - b).map((x, at): [number, number] => [x, observed[at]!]));
  });

const BLOCK = { from: 0.2, to: 0.8, labelled: 100, right: 40 };
const supported = (change: Partial<CalibrationMap> = {}): CalibrationMap => ({
  version: 3,
  points: [
    [0.2, 0.2],
    [0.8, 0.6],
  ],
  support: [BLOCK],
  spread: 0,
  ...change,
});

describe('the interval of a calibration map', () => {
  const widthAt = (stated: number, labelled: number, spread: number): number => {
    const support = [{ ...BLOCK, from: 0, to: 1, labelled, right: 0 }];
    const interval = createCalibration(supported({ points: IDENTITY, support, spread })).intervalOf(stated)!;
    return interval[1] - interval[0];
  };
  const IDENTITY: CalibrationMap['points'] = [
    [0, 0],
    [1, 1],
  ];

  it('is that of Jeffreys, of the labelled queries less the spread', () => {
    // .4 of 100 labelled queries: quantiles of Beta(40.5, 60.5), computed with SciPy.
    expect(createCalibration(supported()).intervalOf(0.5)).toEqual([
      expect.closeTo(0.307952, 6),
      expect.closeTo(0.497743, 6),
    ]);
    // With a spread of .05, 100 queries count as 1 / (1 / 101 + .05) − 1 = 15.69.
    expect(createCalibration(supported({ spread: 0.05 })).intervalOf(0.5)).toEqual([
      expect.closeTo(0.191242, 6),
      expect.closeTo(0.642064, 6),
    ]);
  });

  it('is worth its labelled queries, less for the spread', () => {
    expect(createCalibration(supported()).worthOf(0.5)).toBeCloseTo(100, 9);
    expect(createCalibration(supported({ spread: 0.05 })).worthOf(0.5)).toBeCloseTo(1 / (1 / 101 + 0.05) - 1, 9);
    expect(createCalibration(supported({ spread: 1 })).worthOf(0.5)).toBe(0);
    expect(createCalibration(supported()).worthOf(0.1)).toBeUndefined();
    expect(() => createCalibration(supported()).worthOf(Number.NaN)).toThrow(RangeError);
  });

  it('is unknown where fewer than 30 labelled queries are, and without support', () => {
    const few = supported({ support: [{ ...BLOCK, labelled: 29, right: 9 }] });
    expect(createCalibration(few).intervalOf(0.5)).toBeUndefined();
    expect(createCalibration(map([0, 0], [1, 1])).intervalOf(0.5)).toBeUndefined();
  });

  it('is unknown more than .05 from the stated chances of all blocks', () => {
    const { intervalOf } = createCalibration(supported());
    expect([0.14, 0.16, 0.2, 0.8, 0.84, 0.86].map((stated) => intervalOf(stated) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('between two blocks is that of the block with fewer queries', () => {
    const [low, high] = [
      { from: 0.1, to: 0.4, labelled: 1000, right: 200 },
      { from: 0.46, to: 0.8, labelled: 40, right: 20 },
    ];
    const at = (support: CalibrationMap['support']) => createCalibration(supported({ support })).intervalOf(0.43);
    expect(at([low!, high!])).toEqual(at([high!]));
    expect(at([low!, high!])).not.toEqual(at([low!]));
  });

  it('contains the chance, also at 0 and 1', () => {
    fc.assert(
      fc.property(chance, fc.integer({ min: 30, max: 100_000 }), chance, (stated, labelled, spread) => {
        const support = [{ from: 0, to: 1, labelled, right: 0 }];
        const calibrate = createCalibration(supported({ points: IDENTITY, support, spread }));
        const [low, high] = calibrate.intervalOf(stated)!;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(calibrate(stated));
        expect(high).toBeGreaterThanOrEqual(calibrate(stated));
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThan(low);
      }),
    );
  });

  it('never widens with more support, and never narrows with more spread', () => {
    fc.assert(
      fc.property(
        chance,
        fc.tuple(fc.integer({ min: 30, max: 10_000 }), fc.integer({ min: 30, max: 10_000 })),
        fc.tuple(chance, chance),
        (stated, counts, spreads) => {
          const [fewer, more] = [Math.min(...counts), Math.max(...counts)];
          const [less, wider] = [Math.min(...spreads), Math.max(...spreads)];
          expect(widthAt(stated, more, less)).toBeLessThanOrEqual(widthAt(stated, fewer, less) + 1e-12);
          expect(widthAt(stated, fewer, wider)).toBeGreaterThanOrEqual(widthAt(stated, fewer, less) - 1e-12);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leaves the chance as it is', () => {
    fc.assert(
      fc.property(maps, chance, (given, stated) => {
        const { points } = given;
        expect(createCalibration(supported({ points }))(stated)).toBe(createCalibration(given)(stated));
      }),
    );
  });
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
    const calibrate = createCalibration(JSON.parse(JSON.stringify(map(...points))) as CalibrationMap);
    const held = createCalibration(map(...points));
    points[0]![1] = 0.7;
    points.pop();
    expect(held(0.5)).toBe(calibrate(0.5));
  });

  it.each<[string, unknown, ErrorConstructor, string]>([
    ['nothing', undefined, RangeError, '"calibration.version" expected 3, got undefined'],
    ['null', null, RangeError, '"calibration.version" expected 3, got undefined'],
    ['another version', { version: 4, points: [[0, 0]] }, RangeError, '"calibration.version" expected 3, got 4'],
    ['a map of an older model', { version: 2, points: [[0, 0]] }, RangeError, 'expected 3, got 2: fit it again'],
    ['no list', { version: 3, points: {} }, TypeError, '"calibration.points" expected a list, got an object'],
    ['an empty list', map(), RangeError, '"calibration.points" expected a point'],
    [
      'a point that is none',
      { version: 3, points: [[0, 0], 1] },
      TypeError,
      '"calibration.points[1]" expected a list, got 1',
    ],
    [
      'a point of three',
      { version: 3, points: [[0, 0, 0]] },
      TypeError,
      '"calibration.points[0]" expected two numbers',
    ],
    [
      'a point that is null',
      { version: 3, points: [null] },
      TypeError,
      '"calibration.points[0]" expected a list, got null',
    ],
    [
      'text for observed',
      { version: 3, points: [[0, '0']] },
      TypeError,
      '"calibration.points[0][1]" expected a number from 0 to 1, got string',
    ],
    ['an unknown name', { version: 3, points: [[0, 0]], point: 1 }, TypeError, '"calibration.point" is not an option'],
    [
      'a stated chance above 1',
      map([1.1, 1]),
      RangeError,
      '"calibration.points[0][0]" expected a number from 0 to 1, got 1.1',
    ],
    [
      'a negative observed chance',
      map([0, -0.1]),
      RangeError,
      '"calibration.points[0][1]" expected a number from 0 to 1, got -0.1',
    ],
    ['text', { version: 3, points: [['0', 0]] }, TypeError, '"calibration.points[0][0]" expected a number'],
    [
      'no number',
      map([Number.NaN, 0]),
      RangeError,
      '"calibration.points[0][0]" expected a number from 0 to 1, got NaN',
    ],
    [
      'a chance above 1',
      map([0, 0], [1, 1.1]),
      RangeError,
      '"calibration.points[1][1]" expected a number from 0 to 1, got 1.1',
    ],
    [
      'a negative one',
      map([-0.1, 0]),
      RangeError,
      '"calibration.points[0][0]" expected a number from 0 to 1, got -0.1',
    ],
    ['stated twice', map([0.5, 0.1], [0.5, 0.2]), RangeError, '"calibration.points[1][0]" expected more'],
    [
      'falling',
      map([0.1, 0.3], [0.5, 0.2]),
      RangeError,
      '"calibration.points[1][1]" expected a number from 0.3 to 1, got 0.2',
    ],
  ])('refuses %s', (_, given, error, message) => {
    expect(() => createCalibration(given as CalibrationMap)).toThrow(error);
    expect(() => createCalibration(given as CalibrationMap)).toThrow(message);
  });

  it.each<[string, object, ErrorConstructor, string]>([
    [
      'no spread',
      { spread: undefined },
      TypeError,
      '"calibration.spread" expected a number from 0 to 1, got undefined',
    ],
    ['too much spread', { spread: 1.1 }, RangeError, '"calibration.spread" expected a number from 0 to 1, got 1.1'],
    ['no support', { support: undefined }, TypeError, '"calibration.support" expected a list, got undefined'],
    ['a block that is none', { support: [7] }, TypeError, '"calibration.support[0]" expected an object, got 7'],
    [
      'an unknown name in a block',
      { support: [{ ...BLOCK, n: 1 }] },
      TypeError,
      '"calibration.support[0].n" is not an option',
    ],
    [
      'text in a block',
      { support: [{ ...BLOCK, from: '0' }] },
      TypeError,
      '"calibration.support[0].from" expected a number from 0 to 1, got string',
    ],
    [
      'blocks that overlap',
      { support: [BLOCK, { ...BLOCK, from: 0.7 }] },
      RangeError,
      '"calibration.support[1].from" expected a number from 0.8 to 1, got 0.7',
    ],
    [
      'a block that ends before it begins',
      { support: [{ ...BLOCK, to: 0.1 }] },
      RangeError,
      '"calibration.support[0].to" expected a number from 0.2 to 1, got 0.1',
    ],
    [
      'more right queries than labelled ones',
      { support: [{ ...BLOCK, right: 101 }] },
      RangeError,
      '"calibration.support[0].right" expected a number from 0 to 100, got 101',
    ],
    [
      'a block without queries',
      { support: [{ ...BLOCK, labelled: 0 }] },
      RangeError,
      '"calibration.support[0].labelled" expected a number from 1 to',
    ],
  ])('refuses %s', (_, change, error, message) => {
    const given = { ...supported(), ...change } as CalibrationMap;
    expect(() => createCalibration(given)).toThrow(error);
    expect(() => createCalibration(given)).toThrow(message);
  });

  it('maps no NaN', () => {
    expect(() => createCalibration(map([0, 0]))(Number.NaN)).toThrow(
      new RangeError('"stated" expected a number, got NaN'),
    );
  });
});
