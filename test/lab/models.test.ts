import { describe, expect, it } from 'vitest';
import { createModels, MODEL_NAMES } from '../../src/lab/models.ts';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';

const namesOf = (names: readonly string[], constants?: Parameters<typeof createModels>[1]): string[] =>
  createModels(names, constants).map(({ name }) => name);

describe('models by their names', () => {
  it('are in the order of their names', () => {
    expect(MODEL_NAMES).toEqual(['link-claim', 'default', 'one-voice', 'report-count', 'severity-sum']);
    expect(namesOf(['severity-sum', 'link-claim', 'report-count', 'one-voice'])).toEqual([
      'severity-sum/1',
      'link-claim/7',
      'report-count/1',
      'one-voice/1',
    ]);
  });

  it('use the given constants, except default', () => {
    const changed = configureLinkClaim({ crowdFactor: 0.4 });
    const [link, asItComes] = createModels(['link-claim', 'default'], changed);
    expect(link!.name).toMatch(/^link-claim\/7\+[0-9a-f]{8}$/);
    expect(asItComes!.name).toBe('link-claim/7');
  });

  it.each([[['link-claim', 'link-claim']], [['nope']], [['']], [['constructor']], [['link-claim', ' one-voice']]])(
    '%j is refused',
    (names) => {
      expect(() => createModels(names)).toThrow(RangeError);
      expect(() => createModels(names)).toThrow(/^"model" expected (each name once|one or more of link-claim, )/);
    },
  );
});
