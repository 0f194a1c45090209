// A Stryker checker that runs only a seeded sample of the mutants. It reports the others as compile errors, which no
// score counts.
import { createHash } from 'node:crypto';

const size = Number(process.env.MUTATION_SAMPLE);

/** Returns a number that depends only on the seed and the mutant's change. */
function rankOf({ fileName, location, mutatorName, replacement }) {
  const text = JSON.stringify([process.env.MUTATION_SEED, fileName, location, mutatorName, replacement]);
  return createHash('sha256').update(text.replaceAll(process.cwd(), '')).digest('hex');
}

const checker = {
  init: async () => {},
  /** Group all mutants together, so that `check` receives all of them. */
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) => {
    const ranked = mutants.map((mutant) => ({ id: mutant.id, rank: rankOf(mutant) }));
    ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    return Object.fromEntries(
      ranked.map(({ id }, at) => [
        id,
        at < size ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    );
  },
};

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', value: checker }];
