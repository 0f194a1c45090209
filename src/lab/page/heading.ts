import type { LabResult, ModelResult } from '../result.ts';
import { html, type Markup } from './markup.ts';
import { count, day, percent } from './numbers.ts';

export const BRAND = html`<p class="brand quiet"><svg viewBox="0 0 14 16" aria-hidden="true">
  <path class="pole" d="M2,1v14"/><path class="flag" d="M3,1.5h10l-3,3.5l3,3.5h-10z"/></svg> redflag lab</p>`;

export function heading(result: LabResult): Markup {
  const { title, counts, from, to, seed, judged, warnings } = result;
  const facts = [
    { name: 'reporters', value: counts.reporters },
    { name: 'reports', value: counts.reports },
    { name: 'removed', value: counts.removed },
    { name: 'disputes', value: counts.disputes },
    { name: 'queries', value: counts.queries },
    { name: 'with a match', value: counts.matched },
    { name: 'judged', value: counts.judged },
    { name: 'positives', value: counts.positives, of: counts.judged },
  ];
  const judgedWords =
    judged === 'matched'
      ? 'Labelled queries that match a report are judged.'
      : 'All labelled queries are judged; a query without a match scores 0.';
  return html`<header>
    ${BRAND}
    <h1>${title}</h1>
    <p class="lead">${mainFigure(result)}</p>
    <dl class="figures">${facts.map(
      ({ name, value, of = 0 }) => html`<div>
        <dt>${name}${of > 0 && html`, ${percent(value / of)} of judged`}</dt>
        <dd>${count(value)}</dd>
      </div>`,
    )}</dl>
    <p class="reading">From <time datetime="${from}">${day(from)}</time> to <time datetime="${to}">${day(to)}</time>,
      seed ${seed}. ${judgedWords} A <em>positive</em> (label 1) is a person to warn about; a <em>negative</em> (label
      0) is not.</p>
    ${warnings.map((warning) => html`<p class="notice warn"><strong>Warning.</strong> ${warning}</p>`)}
  </header>`;
}

/** Returns a sentence with the main figure. Its wording does not depend on the best model. */
function mainFigure({ models }: LabResult): Markup {
  const [first, ...others] = models;
  if (first === undefined) return html`No model was run.`;
  const { value, low, high } = first.rocAuc;
  const share = `${percent(value, 1)} of pairs (95 % confidence interval ${percent(low, 1)} to ${percent(high, 1)})`;
  return html`${nameOf(first)} ranks a positive above a negative in ${share}${others.map(
    (model, index) => html`${index === 0 ? '; ' : ', '}${nameOf(model)} in ${percent(model.rocAuc.value, 1)}`,
  )}.`;
}

/** Keeps a name on one line. Otherwise, browsers break it at hyphens. */
function nameOf(model: ModelResult): Markup {
  return html`<span class="name-of">${model.name}</span>`;
}
