import type { LabResult, Subset } from '../result.ts';
import { html, type Markup } from './markup.ts';
import { count, figure } from './numbers.ts';

/** The models on other sets of the same queries; undefined without any. */
export function subsets({ subsets: all }: LabResult): Markup | undefined {
  if (all.length === 0) return undefined;
  return html`<section><h2>Other sets of queries</h2><p class="reading">How to read this: the same answers, judged on other queries; a group is its ones against all zeros.</p>${all.map(table)}</section>`;
}

function table({ name, judged, positives, models }: Subset): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="models"><caption>${name}: ${count(judged)} queries, ${count(positives)} labelled 1</caption><thead><tr><th scope="col">Model</th><th scope="col">ROC-AUC</th><th scope="col">PR-AUC of ones</th><th scope="col">PR-AUC of zeros</th></tr></thead><tbody>${models.map((model) => html`<tr><th scope="row">${model.name}</th><td>${figure(model.rocAuc)}</td><td>${figure(model.prAuc)}</td><td>${figure(model.prAucOfZeros)}</td></tr>`)}</tbody></table></div>`;
}
