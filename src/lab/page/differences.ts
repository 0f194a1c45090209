import type { Difference, Estimate, LabResult } from '../result.ts';
import { colourOf, drawing, isKnown, numbersOf, shortName, WIDTH, xRules } from './chart.ts';
import { linearScale } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { figure, isNumber, NONE, place } from './numbers.ts';

const FIGURES = [
  { name: 'ROC-AUC', of: (one: Difference) => one.rocAuc },
  { name: 'PR-AUC of positives', of: (one: Difference) => one.prAuc },
  { name: 'PR-AUC of negatives', of: (one: Difference) => one.prAucOfZeros },
  { name: 'Brier score', of: (one: Difference) => one.brier },
] as const;

/** Height of a model's name and interval together, in units of the drawing. */
const ROW = 46;

/** Returns the advantage of the first model over the others; undefined if nothing is to be compared. */
export function differences({ differences: found = [], models }: LabResult): Markup | undefined {
  const first = models[0]?.name;
  if (found.length === 0 || first === undefined) return undefined;
  const title = `Advantage of ${first}`;
  const drawn = FIGURES.filter(({ of }) => found.some((one) => isKnown(of(one))));
  const table = {
    head: ['Model', ...FIGURES.map(({ name }) => name)],
    rows: found.map((one) => [one.name, ...FIGURES.map(({ of }) => say(of(one)))]),
    note: 'In parentheses: 95 % confidence intervals (paired bootstrap over queries).',
  };
  return html`<section>
    <h2>Is the first model better?</h2>
    <p class="reading">How to read this: a dot is the figure of ${first} less the figure of the other model, on the same
      queries. Right of the line, ${first} is better; for the Brier score, where low is good, the difference is turned
      round. If the interval crosses the line, the difference may be due to chance.</p>
    <div class="grid">${drawn.map(({ name, of }) => panel(name, found, of))}</div>
    <ul class="verdicts">${found.map((one) => html`<li>${verdict(first, one)}</li>`)}</ul>
    ${numbersOf(title, table)}
  </section>`;
}

function verdict(first: string, { name, rocAuc }: Difference): Markup {
  if (!isKnown(rocAuc)) return html`${first} and ${name} cannot be compared.`;
  const pairs = `${Math.abs(rocAuc.value * 100).toFixed(1)} of 100 pairs`;
  if (rocAuc.low > 0) return html`${first} ranks better than ${name}: it is right in ${pairs} more.`;
  if (rocAuc.high < 0) return html`${first} ranks worse than ${name}: it is right in ${pairs} fewer.`;
  return html`Between ${first} and ${name}, no difference in ranking is certain.`;
}

function panel(title: string, found: readonly Difference[], of: (one: Difference) => Estimate | undefined): Markup {
  const known = found.flatMap((one, at) => {
    const estimate = of(one);
    return isKnown(estimate) ? [{ name: one.name, index: at + 1, estimate }] : [];
  });
  const ends = known.flatMap(({ estimate }) => [estimate.low, estimate.high]);
  const most = Math.max(0.01, ...ends.map(Math.abs));
  const scale = linearScale([-most, most], [8, WIDTH - 8]);
  const floor = known.length * ROW + 4;
  const words = known.map(({ name, estimate }) => `${name}: ${say(estimate)}`).join('; ');
  const tick = most / 2 >= 0.1 ? Math.floor((most / 2) * 10) / 10 : Math.max(0.005, Math.floor((most / 2) * 200) / 200);
  return html`<figure><h3>${title}</h3>${drawing(
    { width: WIDTH, height: floor + 44 },
    `${title}: advantage of the first model over the other models. ${words}.`,
    html`<g class="axes">
      ${xRules(scale, [-tick, 0, tick], floor, 0, (at) => (at === 0 ? '0' : signed(at)))}
      <text class="name" x="2" y="${floor + 36}">← worse</text>
      <text class="name" x="${WIDTH - 2}" y="${floor + 36}" text-anchor="end">better →</text>
    </g>
    ${known.map(({ name, index, estimate }, row) => {
      const y = row * ROW + 32;
      return html`<g class="${colourOf(index)}">
        <title>${name}: ${say(estimate)}</title>
        <text class="of" x="2" y="${y - 14}">than ${shortName(name, 30)}</text>
        <text class="of value" x="${WIDTH - 2}" y="${y - 14}" text-anchor="end">${signed(estimate.value)}</text>
        <line class="whisker" x1="${place(scale(estimate.low))}" x2="${place(scale(estimate.high))}" y1="${y}"
          y2="${y}"/>
        <circle class="dot" cx="${place(scale(estimate.value))}" cy="${y}" r="5"/>
      </g>`;
    })}`,
  )}</figure>`;
}

function say(estimate: Estimate | undefined): string {
  return isKnown(estimate) ? `${signed(estimate.value)} (${signed(estimate.low)} to ${signed(estimate.high)})` : NONE;
}

/** Formats a difference: `+.031`, `−.004`. */
function signed(value: number | undefined): string {
  if (!isNumber(value)) return NONE;
  const text = figure(Math.abs(value));
  return /[1-9]/.test(text) ? `${value < 0 ? '−' : '+'}${text}` : text;
}
