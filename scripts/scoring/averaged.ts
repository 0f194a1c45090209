import type { TrainBoosted } from './boosted-trees.ts';
import { shuffled } from './shuffled.ts';

/**
 * Returns a training whose chances are means of `count` trainings, each on its own random half of the rows. The library
 * has no options against overfitting, and a mean of different trees overfits less.
 */
export function averaged(train: TrainBoosted, count: number): TrainBoosted {
  return (rows, labels, seed) => {
    const members = Array.from({ length: count }, (_, member) => {
      const own = count * seed + member;
      const places = rows.map((_, at) => at);
      const half = shuffled(places, own).slice(0, Math.ceil(rows.length / 2));
      return train(
        half.map((at) => rows[at]!),
        half.map((at) => labels[at]!),
        own,
      );
    });
    return {
      predict(asked) {
        const all = members.map((member) => member.predict(asked));
        return asked.map((_, i) => all.reduce((sum, chances) => sum + chances[i]!, 0) / count);
      },
      free() {
        for (const member of members) member.free();
      },
    };
  };
}
