/** Solid first, then patterns that stay apart when printed in grey. */
const DASHES = ['', '8 4', '2 3', '10 3 2 3', '5 2'];

const COLOURS = 6;

/** The class that gives a model its colour, the same in every chart. */
export function colourOf(index: number): string {
  return `s${index % COLOURS}`;
}

/** The pattern of a model's lines. */
export function dashOf(index: number): string {
  return DASHES[index % DASHES.length]!;
}

/** The model in question has the heavier line. */
export function weightOf(index: number): number {
  return index === 0 ? 2.6 : 1.8;
}

/** A name that fits in a chart; the tables have it in full. */
export function shortName(name: string, most = 22): string {
  const characters = [...name];
  return characters.length <= most ? name : `${characters.slice(0, most - 1).join('')}…`;
}
