import { createRandom } from '../random.ts';

export type Random = () => number;

/** Returns a random source for a topic and a thing, e.g. `('visit', '17.2')`. Sources are independent of each other. */
export type Streams = (topic: string, thing?: number | string) => Random;

/** Returns the random sources of a seed, a whole number of at least 0. RangeError otherwise. */
export function createStreams(seed: number): Streams {
  const random = createRandom(seed);
  const low = Math.floor(random() * 2 ** 32);
  const high = Math.floor(random() * 2 ** 32);
  return (topic, thing = '') => {
    const name = `${topic} ${thing}`;
    // 53 bits from two digests: two of about 100,000 sources are unlikely to be equal.
    return createRandom((digest(name, high) & 0x1f_ffff) * 2 ** 32 + digest(name, low));
  };
}

/**
 * FNV-1a over UTF-16 units, with a salted start. Murmur's last step separates names that differ only in the last digit.
 */
function digest(name: string, salt: number): number {
  let hash = (0x811c9dc5 ^ salt) | 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Draws 40 hex characters for an identifier. Real hashing with its 32,000 rounds would add nothing here. */
export function drawHash(random: Random): string {
  let hash = '';
  // Ten characters are 40 of the 53 bits of one draw.
  for (let i = 0; i < 4; i++)
    hash += Math.floor(random() * 2 ** 40)
      .toString(16)
      .padStart(10, '0');
  return hash;
}

/** Returns a function that draws an item with a probability in proportion to its weight. RangeError without items. */
export function createWeightedPick<T>(items: readonly T[], weightOf: (item: T, index: number) => number) {
  let total = 0;
  const sums = items.map((item, index) => (total += weightOf(item, index)));
  return (random: Random): T => {
    const wanted = random() * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? total) > wanted) high = middle;
      else low = middle + 1;
    }
    return at(items, low);
  };
}

/** Draws an item, each equally likely. RangeError without items. */
export function pick<T>(items: readonly T[], random: Random): T {
  return at(items, Math.floor(random() * items.length));
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError('expected at least one item to draw from, got none');
  return item;
}

/**
 * Returns exactly this share of the things, rounded: the things with the lowest ranks, in order of rank. If ranks are
 * drawn once, a larger share contains a smaller one. So two worlds of one seed differ only in the changed options.
 * Independent draws would make a share of 80 reporters vary by a third.
 */
export function takeShare<T>(things: readonly T[], share: number, rank: (thing: T) => number): T[] {
  const count = Math.round(things.length * share);
  return [...things].sort((a, b) => rank(a) - rank(b)).slice(0, count);
}
