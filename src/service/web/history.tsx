import { count } from '../../core/domain/text.ts';
import type { PublicRecord } from '../../core/domain/public-record.ts';
import { toPercent } from './bars.tsx';
import { Day } from './words.tsx';

/** Heights in CSS pixels. Horizontal places are percentages, so the picture fits every screen without a script. */
const REPORTS_HEIGHT = 72;
const SCORES_HEIGHT = 120;
const DOT = 5;

/** Draws when reports were made, and how the points moved. A table has the same numbers. */
export function History({ record }: { readonly record: PublicRecord }) {
  const { history, reports, disputed, reported } = record;
  const first = history[0]!;
  const last = history.at(-1)!;
  const band = 1 / history.length;
  // A column stands at the middle of its band, and a report at its moment between the first and the last column.
  const placeOf = (at: number): string => {
    const share = (Math.min(Math.max(at, first.at), last.at) - first.at) / (last.at - first.at);
    return toPercent(band / 2 + share * (1 - band));
  };
  const highest = history.reduce((most, one) => (one.points > most.points ? one : most));
  return (
    <figure class="card history">
      <p>
        The oldest report that counts is of <Day at={first.at} />.{' '}
        {highest.points === last.points ? (
          <>The score has never been higher than now.</>
        ) : (
          <>
            The highest score was {count(highest.points, 'point')}, on <Day at={highest.at} />. Now it is {last.points}.
          </>
        )}
      </p>
      <div class="plot" aria-hidden="true">
        <p class="plot-name quiet">{reports.length < reported ? 'Newest reports' : 'Reports'}, by severity</p>
        <div class="plot-scale quiet">
          <span>10</span>
          <span>1</span>
        </div>
        <svg width="100%" height={REPORTS_HEIGHT} focusable="false">
          {[DOT + 1, REPORTS_HEIGHT - DOT - 1].map((y) => (
            <line key={y} class="grid" x1="0" x2="100%" y1={y} y2={y} />
          ))}
          {reports.map(({ reportId, createdAt, severity }) => (
            <circle
              key={reportId}
              class={disputed.includes(reportId) ? 'dot open' : 'dot'}
              cx={placeOf(createdAt)}
              cy={DOT + 1 + Math.round(((10 - severity) / 9) * (REPORTS_HEIGHT - 2 * DOT - 2))}
              r={DOT}
            />
          ))}
        </svg>
        <p class="plot-name quiet">Points</p>
        <div class="plot-scale quiet">
          <span>100</span>
          <span>50</span>
          <span>0</span>
        </div>
        <svg width="100%" height={SCORES_HEIGHT} focusable="false">
          {[0.5, SCORES_HEIGHT / 2, SCORES_HEIGHT - 0.5].map((y) => (
            <line key={y} class="grid" x1="0" x2="100%" y1={y} y2={y} />
          ))}
          {history.map(({ at, points }, n) => {
            const height = Math.max(2, (points / 100) * SCORES_HEIGHT);
            return (
              <rect
                key={at}
                class={n === history.length - 1 ? 'added' : 'past'}
                x={toPercent((n + 0.12) * band)}
                width={toPercent(0.76 * band)}
                y={SCORES_HEIGHT - height}
                height={height}
              />
            );
          })}
        </svg>
        <p class="plot-ends quiet">
          <span>
            <Day at={first.at} />
          </span>
          <span>now</span>
        </p>
      </div>
      <figcaption class="quiet">
        Computed from the reports that count today, with what is known today about the organisations.
        {disputed.length > 0 && ' A hollow dot is a report that is disputed now.'}
      </figcaption>
      <details>
        <summary>The points as a table</summary>
        <table class="dense">
          <caption class="unseen">Points over time</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                Reports
              </th>
              <th scope="col" class="number">
                Points
              </th>
            </tr>
          </thead>
          <tbody>
            {history.map((one) => (
              <tr key={one.at}>
                <th scope="row">
                  <Day at={one.at} />
                </th>
                <td class="number">{one.reported}</td>
                <td class="number">{one.points}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
