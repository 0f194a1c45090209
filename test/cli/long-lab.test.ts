import { beforeAll, describe, expect, it } from 'vitest';
import type { LabEvent } from '../../src/lab/event.ts';
import { createModels } from '../../src/lab/models.ts';
import { replay } from '../../src/lab/replay.ts';
import type { LabResult } from '../../src/lab/result.ts';
import { simulateWorld } from '../../src/lab/simulate/world.ts';
import type { WorldFigures, Worlds } from '../../src/lab/worlds.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { runCli } from './service.ts';

// Worlds that no constant was chosen by.
const SEEDS = [401, 402, 403, 404, 405];
const COPIES = 100;

type Result = LabResult & { readonly worlds: readonly WorldFigures[]; readonly calibration: Worlds['calibration'] };
async function runWorlds(...args: string[]): Promise<Result> {
  const { code, out, err } = await runCli(['lab', 'worlds', '--json', ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Result;
}

let result: Result;
let attacks: LabResult['attacks'];
beforeAll(async () => {
  result = await runWorlds('--seeds', SEEDS.join());
  const attacked = ['--seeds', SEEDS.join(), '--attacks', 'sybil:100,camouflage:30'];
  ({ attacks } = await runWorlds(...attacked, '--model', 'link-claim'));
});

type Figure = 'rocAuc' | 'prAuc';
const meanOf = (name: string, figure: Figure): number =>
  result.worlds.reduce((sum, { models }) => sum + models.find((model) => model.name === name)![figure]!, 0) /
  SEEDS.length;

describe('the default model in worlds that it has not seen', () => {
  it.each([
    // It fades identifiers as the default model does, and knows no standings and no bounds.
    ['one-voice/1', 0, 0.03],
    ['severity-sum/1', 0.25, 0.4],
  ] as const)('finds frauds better than %s: by %f of ROC-AUC and %f of PR-AUC', (other, rocAuc, prAuc) => {
    expect(meanOf('link-claim/7', 'rocAuc') - meanOf(other, 'rocAuc')).toBeGreaterThanOrEqual(rocAuc);
    expect(meanOf('link-claim/7', 'prAuc') - meanOf(other, 'prAuc')).toBeGreaterThanOrEqual(prAuc);
  });

  it('states chances that come true after a map', () => {
    const { ece, eceAfterMap } = result.calibration.find(({ name }) => name === 'link-claim/7')!;
    // Without a map, the bound on unverified reporters understates what the honest ones among them say.
    expect(ece).toBeLessThanOrEqual(0.11);
    // Each world by a map that was fitted on the other worlds: services differ in how many reports are right.
    expect(eceAfterMap).toBeLessThanOrEqual(0.02);
  });

  it.each([
    ['sybil:100', 0.55],
    ['camouflage:30', 0.8],
  ])('lets %s reach at most %f of a true fraud', (attack, most) => {
    expect(attacks.find(({ name }) => name === attack)!.ratios['link-claim/7']).toBeLessThanOrEqual(most);
  });

  it(`takes ${COPIES} reports of one key at one moment for one`, async () => {
    const pointsOfVictims = async (copies: number): Promise<readonly number[]> => {
      const events = function* (): Generator<LabEvent> {
        for (const event of simulateWorld({ seed: SEEDS[0]!, attack: { kind: 'duplicates', copies: 1 } })) {
          yield event;
          if (event.do === 'report' && event.reporter.startsWith('attacker'))
            for (let copy = 1; copy < copies; copy++) yield { ...event, id: `${event.id}, copy ${copy}` };
        }
      };
      const store = await createSqljsStore();
      try {
        return (await replay(events(), store, { models: createModels(['link-claim']) })).unlabelled.get('victim')![0]!;
      } finally {
        await store.close();
      }
    };
    const once = await pointsOfVictims(1);
    expect(once).toHaveLength(60);
    expect(await pointsOfVictims(COPIES)).toEqual(once);
  });
});
