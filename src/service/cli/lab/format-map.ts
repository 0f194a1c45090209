import type { Sample } from '../../../lab/sample.ts';
import { sumOf } from '../../../lab/spread.ts';
import { createCalibration } from '../../../core/scoring/calibration.ts';
import type { CalibrationMap } from '../../../core/scoring/calibration-map.ts';
import { count } from '../../../core/domain/text.ts';
import { formatTable } from '../output.ts';

/** Stated Reliability of the rows of the table. */
const STATED = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Returns the text about a fitted map. `samples` are those before old ones were left out. */
export function formatMap(map: CalibrationMap, samples: readonly Sample[]): string {
  if (map.support.length === 0)
    return (
      'Fitted a map. It has no intervals, because the labelled queries are of fewer than five of ten periods of time.\n' +
      tableOf(map)
    );
  const sizes = map.support.map(({ labelled }) => labelled);
  const fitted = sumOf(sizes);
  const newest = fitted === samples.length ? '' : `the newest ${fitted} of `;
  return (
    `Fitted a map to ${newest}${samples.length} labelled queries, ${sumOf(map.support.map(({ right }) => right))} of ` +
    `them labelled 1, in ${count(sizes.length, 'block')} of ${Math.min(...sizes)} to ${Math.max(...sizes)} queries. ` +
    `Spread of rates over ten periods of time: ${map.spread.toFixed(3)} (0 if only chance varies them).\n` +
    tableOf(map)
  );
}

function tableOf(map: CalibrationMap): string {
  const calibrate = createCalibration(map);
  return formatTable([
    ['STATED', 'MAPPED', 'RIGHT, %'],
    ...STATED.map((stated) => {
      const interval = calibrate.intervalOf(stated / 10);
      return [
        stated.toFixed(1),
        (10 * calibrate(stated / 10)).toFixed(1),
        // Rounds outward, as the sentences of an explanation do.
        interval === undefined ? 'unknown' : `${Math.floor(100 * interval[0])} to ${Math.ceil(100 * interval[1])}`,
      ];
    }),
  ]);
}
