import type { LabResult } from '../result.ts';
import type { ReporterStanding } from '../result-parts.ts';
import { tableOf } from './chart.ts';
import { html, type Markup } from './markup.ts';
import { count, figure, isNumber, NONE } from './numbers.ts';

const TITLE = 'Standings of the reporters';
const HEAD = ['Reporter', 'Verified', 'Established', 'Precision', 'Claims', 'Confirmed', 'Lost'];

/** Returns the standings at the end of the replay; undefined without reporters. */
export function standings({ standings: found, models }: LabResult): Markup | undefined {
  if (found === undefined || found.reporters.length === 0) return undefined;
  const more = found.count - found.reporters.length;
  return html`<section>
    <h2>${TITLE}</h2>
    <p class="reading">How to read this: what ${models[0]?.name} learned about each reporter until the end. Precision is
      the chance that a report of the reporter is right. A claim is all reports about one person. Confirmed is the
      expected number of claims that others confirmed, and lost the number of claims lost to disputes. Most claims
      come first.</p>
    <p class="scrolls" aria-hidden="true">The table goes on at the right →</p>
    ${tableOf('standings', TITLE, { head: HEAD, rows: found.reporters.map(rowOf) })}
    ${more > 0 && html`<p class="reading rest">And ${count(more)} more.</p>`}
  </section>`;
}

function rowOf({ name, verified, established, precision, claims, confirmed, lost }: ReporterStanding): string[] {
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  return [
    name,
    yes(verified),
    yes(established),
    figure(precision),
    count(claims),
    isNumber(confirmed) ? confirmed.toFixed(1) : NONE,
    count(lost),
  ];
}
