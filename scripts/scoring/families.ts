// Kinds of simulated worlds. The numbers of each world are drawn from its seed, so that no constant fits one set of
// numbers.
import { createRandom } from '../../src/lab/random.ts';
import type { Simulation } from '../../src/lab/simulate/world.ts';
import type { WorldOverrides } from '../../src/lab/simulate/world-options.ts';

/** Draws a number between two bounds: uniformly, by its logarithm, or as a whole number by its logarithm. */
interface Draws {
  (low: number, high: number): number;
  log(low: number, high: number): number;
  whole(low: number, high: number): number;
}

function createDraws(seed: number): Draws {
  const random = createRandom(seed);
  const uniform = (low: number, high: number): number => low + (high - low) * random();
  const log = (low: number, high: number): number => Math.exp(uniform(Math.log(low), Math.log(high)));
  return Object.assign(uniform, { log, whole: (low: number, high: number) => Math.round(log(low, high)) });
}

/** Numbers that vary in every family. */
function common(draw: Draws): WorldOverrides {
  const life = draw.log(0.6, 1.6);
  return {
    customers: draw.whole(5000, 12_000),
    reporters: draw.whole(30, 120),
    visits: { mean: draw(3, 6), fraudFactor: draw(1, 3), leftOut: draw(0.05, 0.35) },
    fraud: { share: draw.log(0.03, 0.1), alpha: draw(2, 6), beta: draw(1, 3) },
    households: draw(0, 0.15),
    kinds: {
      email: { lifeDays: 2500 * life, fraudChange: draw(0.25, 0.55) },
      phone: { share: draw(0.4, 0.95), lifeDays: 1100 * life, handedOn: draw(0.1, 0.4), fraudChange: draw(0.15, 0.45) },
      domain: { share: draw(0.2, 0.7), lifeDays: 900 * life, fraudChange: draw(0.1, 0.4) },
      ip: { lifeDays: 150 * life, handedOn: draw(0.4, 0.8), fraudChange: draw(0.3, 0.6) },
    },
    sharedAddresses: { honest: draw(0.05, 0.3), fraud: draw(0.2, 0.5) },
    reporting: {
      sizeExponent: draw(1, 2),
      careless: draw(0.05, 0.25),
      copying: draw(0, 0.2),
      lazy: draw(0, 0.3),
      verified: draw(0.2, 0.6),
      bad: [draw(0.2, 0.5), draw(0.6, 0.95)],
      honest: [0.0003, draw.log(0.002, 0.008)],
      carelessHonest: [0.015, draw(0.04, 0.1)],
      repeats: draw(1, 5),
      withdrawn: draw(0, 0.5),
    },
    severity: { fraud: [draw(6, 7.5), draw(1.4, 2.2)], honest: [draw(4, 6), draw(1.6, 2.4)], reporter: draw(0.3, 1.5) },
    queries: { fromDay: Math.round(draw(300, 600)), count: 4000 },
    attack: { victims: 24 },
  };
}

const NO_KINDS = { email: { share: 0 }, phone: { share: 0 }, domain: { share: 0 }, ip: { share: 0 } };

/** What sets each family apart. */
const FAMILIES = {
  mixed: () => ({}),
  'many small': (draw) => ({ reporters: draw.whole(250, 600), reporting: { sizeExponent: draw(3, 6) } }),
  'few huge': (draw) => ({ reporters: draw.whole(5, 12), reporting: { sizeExponent: draw(0.8, 1.2) } }),
  drifting: (draw) => ({ reporting: { drift: draw(0.8, 1.6) } }),
  'careless majority': (draw) => ({ reporting: { careless: draw(0.5, 0.75), copying: draw(0, 0.1) } }),
  'ip only': (draw) => ({
    kinds: { ...NO_KINDS, ip: { share: 1, lifeDays: draw(150, 500), handedOn: draw(0.2, 0.6) } },
  }),
  'email only': () => ({ kinds: { ...NO_KINDS, email: { share: 1 } } }),
  seasonal: (draw) => ({ visits: { season: draw(0.3, 0.8) }, fraud: { season: draw(0.5, 1) } }),
  'heavy copying': (draw) => ({ reporting: { copying: draw(0.35, 0.6) } }),
  'none verified': () => ({ reporting: { verified: 0 } }),
  'all verified': () => ({ reporting: { verified: 1 } }),
  collusive: (draw) => ({ reporting: { colluding: draw(0.08, 0.2), colluded: draw(0.3, 0.9) } }),
  'short-lived': (draw) => ({ reporting: { activeDays: draw(80, 300) }, reporters: draw.whole(60, 200) }),
} satisfies Record<string, (draw: Draws) => WorldOverrides>;

export const FAMILY_NAMES = Object.keys(FAMILIES) as readonly (keyof typeof FAMILIES)[];

/** Every third world of a family is never used to choose a constant. */
export function isHeldOut(number: number): boolean {
  return number % 3 === 2;
}

/** Returns a world of a family. The number, from 0, selects the draws. */
export function drawWorld(family: keyof typeof FAMILIES, number: number): Omit<Simulation, 'attack'> {
  const seed = 10_000 * (1 + FAMILY_NAMES.indexOf(family)) + number;
  const draw = createDraws(seed);
  const options = merge(common(draw), FAMILIES[family](draw));
  return { seed, options };
}

function merge(base: object, over: object): WorldOverrides {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    const isGroup = typeof value === 'object' && !Array.isArray(value);
    merged[name] = isGroup ? merge((before ?? {}) as object, value as object) : value;
  }
  return merged;
}
