import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PERSONAL_DATA } from '../../src/core/domain/personal-data.ts';
import { countFindings, KINDS, readSentences, wilson } from '../domain/corpus.ts';

it('docs/operating.md has precision and recall on the sentences that were not used to choose the rules', () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const counts = countFindings(readSentences('held-out'));
  const share = (hits: number, all: number): string => {
    const [lower, upper] = wilson(hits, all).map((bound) => (100 * bound).toFixed(1));
    return `${hits} of ${all}: ${((100 * hits) / all).toFixed(1)} % [${lower}, ${upper}]`;
  };
  for (const kind of KINDS) {
    const { found, missed, right, wrong } = counts[kind];
    expect(page).toContain(
      `| ${PERSONAL_DATA[kind]} | ${share(right, right + wrong)} | ${share(found, found + missed)} |`,
    );
  }
  for (const half of ['tuning', 'held-out'] as const)
    expect(page).toContain(`${readSentences(half).length} ${half === 'tuning' ? 'sentences were used' : 'were not'}`);
});
