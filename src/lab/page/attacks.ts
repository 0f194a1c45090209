import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { AttackResult, LabResult } from '../result.ts';
import { numbersOf } from './figure.ts';
import { drawing, WIDTH, type Box } from './frame.ts';
import { html, type Markup } from './markup.ts';
import { figure, isNumber, place, times } from './numbers.ts';
import { colourOf, shortName } from './series.ts';

/** Beyond this a bar is cut off and its number speaks: next to 59, nobody would see .5 from .8. */
const CUT = 1.5;

/** Height of a model's name and bar together. */
const ROW = 44;

/** What the attacks reached under each model; undefined when none was run. */
export function attacks({ attacks: all, models }: LabResult): Markup | undefined {
  if (all.length === 0) return undefined;
  const names = models.map((model) => model.name);
  const ratios = all.flatMap((attack) => names.map((name) => ratioOf(attack, name))).filter(isNumber);
  const scale = scaleLinear([0, Math.min(CUT, Math.max(1, ...ratios))], [2, WIDTH - 56]);
  const title = 'Attacks on honest people';
  const numbers = {
    head: ['Attack', ...names],
    rows: all.map((attack) => [attack.name, ...names.map((name) => times(ratioOf(attack, name)))]),
  };
  return html`<section><h2>${title}</h2><p class="reading">How to read this: a bar is the score that the attack gives its honest victims, as a part of a true fraud’s (medians); short is good, and at the line of 1 the lie does as much as the truth, and a torn bar is longer than drawn.</p><div class="grid">${all.map((attack) => html`<figure><h3>${attack.name}</h3>${bars(attack, names, scale)}</figure>`)}</div>${numbersOf(title, numbers)}</section>`;
}

function bars(attack: AttackResult, names: readonly string[], scale: ScaleLinear<number, number>): Markup {
  const floor = names.length * ROW + 4;
  const box: Box = { width: WIDTH, height: floor + 46, top: 0, right: 0, bottom: 0, left: 0 };
  const ticks = scale.ticks(3);
  const words = names.map((name) => `${name}: ${times(ratioOf(attack, name))}`).join('; ');
  return drawing(
    box,
    `${attack.name}: victims’ score over a true fraud’s. ${words}.`,
    html`<g class="axes">${ticks.map((tick) => html`<line class="${tick === 0 ? 'base' : tick === 1 ? 'truth' : 'rule'}" x1="${place(scale(tick))}" x2="${place(scale(tick))}" y1="0" y2="${floor}"/><text class="tick${tick === 1 && ' strong'}" x="${place(scale(tick))}" y="${floor + 16}" text-anchor="${tick === 0 ? 'start' : 'middle'}">${figure(tick, tick % 1 === 0 ? 0 : 1)}</text>`)}<text class="name" x="2" y="${floor + 37}">Victim’s score ÷ true fraud’s score</text></g>${names.map((name, index) => bar(name, index, ratioOf(attack, name), scale))}`,
  );
}

function bar(name: string, index: number, ratio: number | undefined, scale: ScaleLinear<number, number>): Markup {
  const top = index * ROW;
  const end = place(scale(Math.max(0, Math.min(ratio ?? 0, scale.domain()[1]!))));
  const torn = (ratio ?? 0) > scale.domain()[1]!;
  const y = top + 22;
  return html`<g class="${colourOf(index)}"><title>${name}: ${times(ratio)}</title><text class="of" x="6" y="${top + 16}">${shortName(name, 40)}</text><rect class="bar" x="2" y="${y}" width="${place(end - 2)}" height="15"/>${torn && html`<path class="tear" d="M${end - 18},${y - 2}l5,6.5l-5,6l5,6.5h6l-5,-6.5l5,-6l-5,-6.5z"/>`}<text class="value" x="${end + 6}" y="${y + 7.5}" dy=".36em">${times(ratio)}</text></g>`;
}

/** Own entries only: a model may be called `constructor`. */
function ratioOf(attack: AttackResult, name: string): number | undefined {
  const ratio = Object.hasOwn(attack.ratios, name) ? attack.ratios[name] : undefined;
  return isNumber(ratio) ? ratio : undefined;
}
