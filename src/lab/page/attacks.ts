import type { AttackResult, LabResult } from '../result.ts';
import { colourOf, drawing, numbersOf, shortName, WIDTH, xRules } from './chart.ts';
import { linearScale, type Scale } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { figure, isNumber, place, times } from './numbers.ts';

/** Largest ratio that a bar shows. Longer bars are cut off: beside a bar of 59, bars of .5 and .8 would look equal. */
const CUT = 1.5;

/** Height of a model's name and bar together, in units of the drawing. */
const ROW = 44;

export function attacks({ attacks: all, models }: LabResult): Markup | undefined {
  if (all.length === 0) return undefined;
  const names = models.map((model) => model.name);
  const ratios = all.flatMap((attack) => names.map((name) => ratioOf(attack, name))).filter(isNumber);
  const most = Math.min(CUT, Math.max(1, ...ratios));
  const scale = linearScale([0, most], [2, WIDTH - 56]);
  const title = 'Attacks on honest people';
  const numbers = {
    head: ['Attack', ...names],
    rows: all.map((attack) => [attack.name, ...names.map((name) => times(ratioOf(attack, name)))]),
  };
  return html`<section>
    <h2>${title}</h2>
    <p class="reading">How to read this: a bar is the median score of the attack’s honest victims, divided by the median
      score of true frauds. Short is good. At the line of 1, a victim scores as high as a fraud. A bar with a break
      is longer than drawn.</p>
    <div class="grid">${all.map(
      (attack) => html`<figure><h3>${attack.name}</h3>${bars(attack, names, scale, most)}</figure>`,
    )}</div>
    ${numbersOf(title, numbers)}
  </section>`;
}

function bars(attack: AttackResult, names: readonly string[], scale: Scale, most: number): Markup {
  const floor = names.length * ROW + 4;
  const words = names.map((name) => `${name}: ${times(ratioOf(attack, name))}`).join('; ');
  return drawing(
    { width: WIDTH, height: floor + 46 },
    `${attack.name}: victims’ score divided by a true fraud’s score. ${words}.`,
    html`<g class="axes">
      ${xRules(scale, scale.ticks(3), floor, 1, (tick) => figure(tick, tick % 1 === 0 ? 0 : 1))}
      <text class="name" x="2" y="${floor + 37}">Victim’s score ÷ true fraud’s score</text>
    </g>
    ${names.map((name, index) => bar(name, index, ratioOf(attack, name), scale, most))}`,
  );
}

function bar(name: string, index: number, ratio: number | undefined, scale: Scale, most: number): Markup {
  const top = index * ROW;
  const end = place(scale(Math.max(0, Math.min(ratio ?? 0, most))));
  const y = top + 22;
  const tear = html`<path class="tear" d="M${end - 18},${y - 2}l5,6.5l-5,6l5,6.5h6l-5,-6.5l5,-6l-5,-6.5z"/>`;
  return html`<g class="${colourOf(index)}">
    <title>${name}: ${times(ratio)}</title>
    <text class="of" x="6" y="${top + 16}">${shortName(name, 40)}</text>
    <rect class="bar" x="2" y="${y}" width="${place(end - 2)}" height="15"/>
    ${(ratio ?? 0) > most && tear}
    <text class="value" x="${end + 6}" y="${y + 7.5}" dy=".36em">${times(ratio)}</text>
  </g>`;
}

/** Reads own properties only, because a model may be called `constructor`. */
function ratioOf(attack: AttackResult, name: string): number | undefined {
  const ratio = Object.hasOwn(attack.ratios, name) ? attack.ratios[name] : undefined;
  return isNumber(ratio) ? ratio : undefined;
}
