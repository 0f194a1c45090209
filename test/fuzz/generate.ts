import { REFUSED, UNKNOWN } from './mutations.ts';
import { createRandom, type Random } from './random.ts';
import { requestOf, write } from './requests.ts';
import { tagOf, type Ending, type Script } from './script.ts';

/** Returns the name of script number `n` of a seed. */
export const nameOf = (seed: string, n: number): string => `${seed}-${n}`;

/** Returns script number `n` of a seed: a third each of valid, refused and unknown requests. */
export function generate(seed: string, n: number): Script {
  const random = createRandom(`${seed} ${n}`);
  const tag = tagOf(nameOf(seed, n));
  const kind = n % 3;
  const valid = Array.from({ length: kind === 0 ? 1 + random.pick([0, 0, 0, 1, 4]) : 0 }, (_, part) => part);
  if (kind === 0) {
    const requests = valid.map((part) => requestOf(random, tag, part === valid.length - 1));
    return {
      about: requests.map(({ about }) => about).join('; '),
      steps: deliver(random, requests.map((request) => write(random, request)).join('')),
      ending: random.chance(0.01) ? 'wait' : random.chance(0.05) ? random.pick(['half-close', 'destroy']) : 'close',
      replies: requests.map(({ expected }) => expected),
    };
  }
  const [name, mutate] = random.pick(Object.entries(kind === 1 ? REFUSED : UNKNOWN));
  const { bytes: plain, ending = anyEnding(random) } = mutate(random, tag);
  const bytes = random.chance(0.25) ? plain.replaceAll(' /api', ' /classic/api') : plain;
  return { about: name, steps: deliver(random, bytes), ending, ...(kind === 1 ? { isBad: true } : {}) };
}

function anyEnding(random: Random): Ending {
  return random.chance(0.01) ? 'wait' : random.chance(0.1) ? random.pick(['half-close', 'destroy']) : 'close';
}

/** Cuts bytes into pieces, with pauses between some of them. */
function deliver(random: Random, bytes: string): (string | number)[] {
  if (random.chance(0.7)) return [bytes];
  const steps: (string | number)[] = [];
  const slow = random.chance(0.02);
  for (let at = 0; at < bytes.length;) {
    const most = steps.length > 60 ? bytes.length : random.pick([1, 10, 100, 2_000]);
    const size = 1 + random.upTo(most);
    steps.push(bytes.slice(at, at + size));
    at += size;
    if (random.chance(0.3)) steps.push(random.upTo(slow ? 800 : 5));
  }
  return steps;
}
