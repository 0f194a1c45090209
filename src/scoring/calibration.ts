import { refuseUnknown } from '../domain/options.ts';

/** A monotone map from stated to observed chances. `redflag lab fit-map` fits it and writes it as JSON. */
export interface CalibrationMap {
  /** Version of this shape. */
  readonly version: 1;
  /** At least one point. Both coordinates are 0 to 1. `stated` rises strictly; `observed` never falls. */
  readonly points: readonly (readonly [stated: number, observed: number])[];
}

/**
 * Returns the map as a function: straight lines between the points, constant outside them. It never falls and stays
 * within 0 to 1. Use it only for queries with a match.
 *
 * @throws TypeError for a wrong shape, RangeError for invalid numbers. Both name the invalid part of the map. The
 * returned function throws RangeError for NaN.
 */
export function createCalibration(map: CalibrationMap): (stated: number) => number {
  const points = validateCalibration(map);
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

/** Returns a validated copy of the points. The map may come from a file, and the caller may change it later. */
function validateCalibration(map: CalibrationMap): readonly (readonly [number, number])[] {
  refuseUnknown(map, ['version', 'points'], 'calibration.');
  const { version, points }: { readonly version?: unknown; readonly points?: unknown } = map ?? {};
  if (version !== 1) throw new RangeError(`"calibration.version" expected 1, got ${shown(version)}`);
  if (!Array.isArray(points))
    throw new TypeError(`"calibration.points" expected a list of points, got ${shown(points)}`);
  if (points.length === 0) throw new RangeError('"calibration.points" expected at least one point, got none');
  const given: readonly unknown[] = points;
  const valid: (readonly [number, number])[] = [];
  for (const [at, point] of given.entries()) {
    const refuse = (expected: string, got: unknown): string =>
      `"calibration.points[${at}]" expected ${expected}, got ${shown(got)}`;
    if (!Array.isArray(point) || point.length !== 2) throw new TypeError(refuse('[stated, observed]', point));
    const [stated, observed]: readonly unknown[] = point;
    if (typeof stated !== 'number' || typeof observed !== 'number') throw new TypeError(refuse('two numbers', point));
    if (!(stated >= 0 && stated <= 1 && observed >= 0 && observed <= 1))
      throw new RangeError(refuse('two numbers from 0 to 1', point));
    const last = valid.at(-1);
    if (last !== undefined && !(stated > last[0]))
      throw new RangeError(refuse(`a stated value above ${last[0]}`, stated));
    if (last !== undefined && !(observed >= last[1]))
      throw new RangeError(refuse(`an observed value of at least ${last[1]}`, observed));
    valid.push([stated, observed]);
  }
  return valid;
}

/** Formats a value for a message. JSON would write NaN as null. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
