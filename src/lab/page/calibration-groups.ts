import type { AgeGroup, CalibrationGroup } from '../result-parts.ts';
import { LEAST_IN_GROUP } from '../result-parts.ts';
import type { LabResult } from '../result.ts';
import { drawReliability } from './calibration.ts';
import { numbersOf } from './figure.ts';
import { boxOf } from './frame.ts';
import { html, type Markup } from './markup.ts';
import { count, figure, place } from './numbers.ts';

/** Width of a small drawing. A column is narrower, too, so its text has the size of all drawings. */
const WIDTH = 260;

interface Group {
  readonly name: string;
  readonly found: CalibrationGroup;
}

/** Returns small reliability diagrams of parts of the queries; undefined without them. */
export function calibrationGroups({ calibrationGroups: groups, models }: LabResult): Markup | undefined {
  if (groups === undefined || groups.kinds.length === 0) return undefined;
  return html`<section>
    <h2>Are they right for all kinds and ages?</h2>
    <p class="reading">How to read this: the same diagram for parts of the queries that match a report, here for
      ${models[0]?.name}. The strongest kind of a query is the matching kind with the largest weight. The youngest
      report is the last of those that match.</p>
    ${panels(
      'By the strongest matching kind',
      groups.kinds.map((found) => ({ name: found.kind, found })),
    )}
    ${panels(
      'By the age of the youngest report',
      groups.ages.map((found) => ({ name: wordsOf(found), found })),
    )}
  </section>`;
}

function panels(title: string, groups: readonly Group[]): Markup {
  const numbers = {
    head: ['Group', 'Stated', 'Observed', '95 % interval', 'Queries'],
    rows: groups.flatMap(({ name, found: { judged, bins } }) =>
      bins.length === 0
        ? [[name, 'too few', '', '', count(judged)]]
        : bins.map((bin) => [
            name,
            figure(bin.stated),
            figure(bin.observed),
            `${figure(bin.low)} to ${figure(bin.high)}`,
            count(bin.count),
          ]),
    ),
  };
  return html`<div class="part"><h3>${title}</h3>
    <div class="grid small">${groups.map((group) => panel(title, group))}</div>
    ${numbersOf(title, numbers)}</div>`;
}

function panel(title: string, { name, found: { judged, positives, bins } }: Group): Markup {
  const box = boxOf(300, { width: WIDTH, left: 52, right: 26 });
  return html`<figure class="s0"><h4>${name} <span class="aside">${count(judged)} queries, ${count(positives)}
    positive</span></h4>${
      bins.length === 0
        ? html`<p class="few">Fewer than ${LEAST_IN_GROUP} queries: too few for a diagram.</p>`
        : drawReliability(`${title}: ${name}`, bins, box, [0, 0.5, 1])
    }</figure>`;
}

function wordsOf({ leastDays, mostDays }: AgeGroup): string {
  const days = (age: number): string => (age < 10 ? String(place(Math.round(age * 10) / 10)) : count(age));
  const [least, most] = [days(leastDays), days(mostDays)];
  if (least === most) return `${most} ${most === '1' ? 'day' : 'days'}`;
  return `${least} to ${most} days`;
}
