import type { LabResult, ModelResult } from '../result.ts';
import { html, type Markup } from './markup.ts';
import { count, day, percent } from './numbers.ts';

/** Title, what was found in a sentence, when and with which seed, and the counts. */
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
    { name: 'ones', value: counts.positives, of: counts.judged },
  ];
  return html`<header><p class="mark"><svg viewBox="0 0 14 16" aria-hidden="true"><path class="pole" d="M2,1v14"/><path class="flag" d="M3,1.5h10l-3,3.5l3,3.5h-10z"/></svg> redflag lab</p><h1>${title}</h1><p class="lead">${finding(result)}</p><dl class="facts">${facts.map(({ name, value, of = 0 }) => html`<div><dt>${name}${of > 0 && html`, ${percent(value / of)} of judged`}</dt><dd>${count(value)}</dd></div>`)}</dl><p class="reading">From <time datetime="${from}">${day(from)}</time> to <time datetime="${to}">${day(to)}</time>, seed ${seed}. ${judged === 'matched' ? 'Judged are the labelled queries that match a report.' : 'Judged are all labelled queries; one without a match scores 0.'} A <em>one</em> is a person to be warned of, a <em>zero</em> is not.</p>${warnings.map((warning) => html`<p class="warning"><strong>Warning.</strong> ${warning}</p>`)}</header>`;
}

/** The main figure in words; the same sentence whoever is ahead. */
function finding({ models }: LabResult): Markup {
  const [first, ...others] = models;
  if (first === undefined) return html`No model was run.`;
  const { value, low, high } = first.rocAuc;
  return html`${nameOf(first)} puts a one above a zero in ${percent(value, 1)} of pairs (95 % interval ${percent(low, 1)} to ${percent(high, 1)})${others.map((model, index) => html`${index === 0 ? '; ' : ', '}${nameOf(model)} in ${percent(model.rocAuc.value, 1)}`)}.`;
}

/** A name is not broken at its hyphen. */
function nameOf(model: ModelResult): Markup {
  return html`<span class="name-of">${model.name}</span>`;
}
