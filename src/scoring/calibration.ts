/** A monotone map from the chance that a model states to the chance that was observed: data, fitted once (`lab/fit-map.ts`) and kept as JSON. */
export interface CalibrationMap {
  /** Of this shape. */
  readonly version: 1;
  /** At least one; both coordinates 0 to 1, stated strictly rising, observed never falling. */
  readonly points: readonly (readonly [stated: number, observed: number])[];
}

/**
 * The map as a function: straight lines through the points, flat beyond the first and the last. Never falls and never leaves 0 to 1.
 * It is for queries with a match: without one nothing is stated, and there is nothing to map.
 *
 * @throws TypeError for what is not of the shape, RangeError for numbers against its rules; both name the place. The function itself throws a RangeError on NaN.
 */
export function createCalibration(map: CalibrationMap): (stated: number) => number {
  const points = proveCalibration(map);
  return (stated) => {
    if (Number.isNaN(stated)) throw new RangeError('"stated" expected a number, got NaN');
    // How many points are at or below: a binary search.
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
    // min: rounding could overshoot the line's end by a last bit, and the next line begins there.
    return Math.min(y1, y0 + (y1 - y0) * ((stated - x0) / (x1 - x0)));
  };
}

/** A copy of the points, proven: the map comes from a file, and its owner may change it later. */
function proveCalibration(map: CalibrationMap): readonly (readonly [number, number])[] {
  const { version, points } = (map ?? {}) as { version?: unknown; points?: unknown };
  if (version !== 1) throw new RangeError(`"calibration.version" expected 1, got ${shown(version)}`);
  if (!Array.isArray(points))
    throw new TypeError(`"calibration.points" expected a list of points, got ${shown(points)}`);
  if (points.length === 0) throw new RangeError('"calibration.points" expected at least one point, got none');
  const proven: (readonly [number, number])[] = [];
  for (const [at, point] of (points as unknown[]).entries()) {
    const refuse = (expected: string, got: unknown): string =>
      `"calibration.points[${at}]" expected ${expected}, got ${shown(got)}`;
    if (!Array.isArray(point) || point.length !== 2) throw new TypeError(refuse('[stated, observed]', point));
    const [stated, observed] = point as unknown[];
    if (typeof stated !== 'number' || typeof observed !== 'number') throw new TypeError(refuse('two numbers', point));
    if (!(stated >= 0 && stated <= 1 && observed >= 0 && observed <= 1))
      throw new RangeError(refuse('two numbers from 0 to 1', point));
    const last = proven.at(-1);
    if (last !== undefined && !(stated > last[0])) throw new RangeError(refuse(`stated above ${last[0]}`, stated));
    if (last !== undefined && !(observed >= last[1]))
      throw new RangeError(refuse(`observed of at least ${last[1]}`, observed));
    proven.push([stated, observed]);
  }
  return proven;
}

/** A value within a message; JSON would write NaN as null. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
