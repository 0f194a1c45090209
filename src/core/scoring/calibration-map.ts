import { nameOf, refuseUnknown } from '../domain/options.ts';

/** A monotone map from stated to observed chances. `redflag lab fit-map` fits it and writes it as JSON. */
export interface CalibrationMap {
  /** Version of this shape and of the Reliability that is mapped. A map of an older version would correct it twice. */
  readonly version: 3;
  /** At least one point. Both coordinates are 0 to 1. `stated` rises strictly; `observed` never falls. */
  readonly points: readonly (readonly [stated: number, observed: number])[];
  /** Blocks by rising chance, which do not overlap. Without a block, no interval is known. */
  readonly support: readonly CalibrationSupport[];
  /**
   * Overdispersion between blocks of time, 0 to 1: rates vary with the variance `spread · p · (1 − p)` beyond chance. 0
   * if only chance varies.
   */
  readonly spread: number;
}

/** Labelled queries with similar stated chances. */
export interface CalibrationSupport {
  /** Least stated chance of the block, 0 to 1. */
  readonly from: number;
  /** Largest stated chance of the block, 0 to 1, at least `from`. */
  readonly to: number;
  /** Number of labelled queries, at least 1. */
  readonly labelled: number;
  /** How many of them have label 1. */
  readonly right: number;
}

/**
 * Returns the map as a function: straight lines between the points, constant outside them. It never falls and stays
 * within 0 to 1. Use it only for queries with a match. The function throws RangeError for NaN.
 *
 * The points are those of {@link validateCalibration}.
 */
export function createMapping({ points }: Pick<CalibrationMap, 'points'>): (stated: number) => number {
  return (stated) => {
    if (Number.isNaN(stated)) throw new RangeError('"stated" expected a number, got NaN');
    // Binary search for the number of points at or below the argument.
    let below = 0;
    for (let end = points.length; below < end;) {
      const middle = (below + end) >>> 1;
      if (points[middle]![0] <= stated) below = middle + 1;
      else end = middle;
    }
    if (below === 0) return points[0]![1];
    if (below === points.length) return points.at(-1)![1];
    const [x0, y0] = points[below - 1]!;
    const [x1, y1] = points[below]!;
    // Rounding could exceed the end of the line by one bit. `min` prevents this, so the map never falls.
    return Math.min(y1, y0 + (y1 - y0) * ((stated - x0) / (x1 - x0)));
  };
}

/**
 * Returns a validated copy of the points. The map may come from a file, and the caller may change it later.
 * `createCalibration` validates the rest.
 *
 * @throws TypeError for a wrong shape, RangeError for invalid numbers. Both name the invalid part of the map.
 */
export function validateCalibration(map: CalibrationMap): Pick<CalibrationMap, 'points'> {
  const { version, points }: Partial<Record<keyof CalibrationMap, unknown>> = map ?? {};
  if (version !== 3) throw new RangeError(`"calibration.version" expected 3, got ${shown(version)}: fit it again`);
  refuseUnknown(map, ['version', 'points', 'support', 'spread'], 'calibration.');
  return { points: validatePoints(points) };
}

/** Returns the number. Throws TypeError for another type, RangeError for a number that is not from `low` to `high`. */
export function within(name: string, value: unknown, low: number, high: number): number {
  const expected = low === high ? low : `a number from ${low} to ${high}`;
  const wrong = (got: unknown): string => `"${name}" expected ${expected}, got ${got}`;
  if (typeof value !== 'number') throw new TypeError(wrong(nameOf(value)));
  if (!(value >= low && value <= high)) throw new RangeError(wrong(value));
  return value;
}

export function listOf(name: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`"${name}" expected a list, got ${shown(value)}`);
  return value;
}

function validatePoints(points: unknown): CalibrationMap['points'] {
  const valid: (readonly [number, number])[] = [];
  for (const [at, point] of listOf('calibration.points', points).entries()) {
    const path = `calibration.points[${at}]`;
    const pair = listOf(path, point);
    const last = valid.at(-1);
    const stated = within(`${path}[0]`, pair[0], last?.[0] ?? 0, 1);
    if (stated === last?.[0]) throw new RangeError(`"${path}[0]" expected more`);
    valid.push([stated, within(`${path}[1]`, pair[1], last?.[1] ?? 0, 1)]);
    if (pair.length > 2) throw new TypeError(`"${path}" expected two numbers`);
  }
  if (valid.length === 0) throw new RangeError('"calibration.points" expected a point');
  return valid;
}

/** Formats a value for a message. JSON would write NaN as null. */
export function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
