/**
 * Letters of other alphabets, digits and signs that look like a Latin letter in lower case (from the confusables of
 * Unicode, UTS 39). Each part begins with the letter.
 */
const LOOK_ALIKES = [
  'aаαɑ',
  'bьвβ',
  'cсϲ',
  'dԁ',
  'eеєε',
  'gɡ',
  'hһн',
  'ijіјι',
  'kкκ',
  'mм',
  'nпη',
  'oоοσ0',
  'pрρ',
  'qԛ',
  'rгʀ',
  'sѕ',
  'tтτ',
  'uυս',
  'vѵν',
  'wԝω',
  'xхχ',
  'yуүγ',
  'zζ',
];
const LETTERS = new Map(LOOK_ALIKES.flatMap(([letter = '', ...others]) => others.map((other) => [other, letter])));

/**
 * Returns what a name looks like at a glance: without case, accents, spaces, punctuation and invisible characters, and
 * with look-alikes as one letter. Names with the same skeleton can be taken for each other.
 */
function skeletonOf(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase().normalize('NFD');
  const letters = plain.replace(/[\p{M}\p{Z}\p{C}\p{P}\p{S}\s]/gu, (sign) => (sign === '|' ? 'l' : ''));
  let skeleton = '';
  for (const letter of letters) skeleton += LETTERS.get(letter) ?? letter;
  return skeleton.replaceAll('rn', 'm').replaceAll('vv', 'w').replace(/[1il]/g, 'l');
}

/** Returns those of the names that can be taken for another name, and are not the same. */
export function findSimilarNames(name: string, names: readonly string[]): string[] {
  const skeleton = skeletonOf(name);
  return names.filter((other) => other !== name && skeletonOf(other) === skeleton);
}
