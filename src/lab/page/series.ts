/** The first line is solid. The patterns of the others differ even when printed in grey. */
const DASHES = ['', '8 4', '2 3', '10 3 2 3', '5 2'];

const COLOURS = 6;

/** Returns the class that gives a model its colour, the same in every chart. */
export function colourOf(index: number): string {
  return `s${index % COLOURS}`;
}

export function dashOf(index: number): string {
  return DASHES[index % DASHES.length] ?? '';
}

/** Returns the line width; the first model has the heavier line. */
export function weightOf(index: number): number {
  return index === 0 ? 2.6 : 1.8;
}

/** Cuts a name that is too long for a chart. The tables show it in full. */
export function shortName(name: string, most = 22): string {
  const characters = [...name];
  return characters.length <= most ? name : `${characters.slice(0, most - 1).join('')}…`;
}
