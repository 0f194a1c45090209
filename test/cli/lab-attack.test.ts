import { expect, it } from 'vitest';
import { formatAttacks } from '../../src/service/cli/commands/lab/attack.ts';
import { searchAttacks, type AttackSearch, type TriedAttack } from '../../src/lab/attack/search-attacks.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { runCli } from './in-process.ts';

const PATIENT: TriedAttack = {
  name: 'patient:1x3',
  attack: { kind: 'patient', keys: 1, reports: 3 },
  options: { severity: 5, identifiers: 1 },
  points: 51,
  reliability: 7.2,
  price: {
    verifiedKeys: 0,
    newKeys: 1,
    trueReports: 3,
    inventedReports: 0,
    accusingReports: 1,
    identifiers: 1,
    days: 102,
    total: 93.4,
  },
};
const RESULT: AttackSearch = {
  seed: 1,
  scenario: 'base',
  model: 'link-claim/0',
  points: 50,
  reliability: 3,
  victims: 7,
  tried: 60,
  attackers: [
    { attacker: 'unverified', tried: 50, cheapest: PATIENT, strongest: PATIENT },
    { attacker: 'one-verified-key', tried: 10, cheapest: null, strongest: { ...PATIENT, name: 'rogue:1', points: 40 } },
  ],
};

it('redflag lab attack prints a row for each attacker, and one sentence about the cheapest plan', () => {
  expect(formatAttacks(RESULT).split('\n')).toEqual([
    'A simulated world, base, seed 1: link-claim/0, 7 victims, 60 plans tried.',
    '',
    '                           UNVERIFIED KEYS ONLY  WITH ONE VERIFIED KEY    PRICE OF ONE',
    'cheapest plan              patient:1x3           not found with 10 plans',
    'Points                     51                    -',
    'Reliability                7.2                   -',
    'verified keys              0                     -                        1000',
    'new keys                   1                     -                        10',
    'true reports               3                     -                        20',
    'invented reports           0                     -                        1',
    'accusing reports           1                     -                        1',
    'identifiers of the victim  1                     -                        2',
    'days                       102                   -                        0.2',
    'price                      93.4                  -',
    'plans tried                50                    10',
    '',
    'Strongest plan, with one verified key: rogue:1 with 40 Points, Reliability 7.2.',
    'The cheapest way found to put an honest person over the threshold of 50 Points with Reliability 3.0: 1 new key, 3 true reports, 1 accusing report of severity 5, 1 identifier of the victim, 102 days. Plans that were not tried may be cheaper.',
    '',
  ]);
});

it('redflag lab attack says that no plan was found, and does not say that there is none', () => {
  const attackers = RESULT.attackers.map((one) => ({ ...one, cheapest: null }));
  expect(formatAttacks({ ...RESULT, attackers })).toContain(
    'No plan put an honest person over the threshold of 50 Points with Reliability 3.0. Plans that were not tried may do so.\n',
  );
});

it('redflag lab attack --json prints what searchAttacks returns', async () => {
  const { code, out, err } = await runCli(
    [
      'lab',
      'attack',
      '--seed',
      '2',
      '--set',
      'customers=1200',
      '--set',
      'reporters=15',
      '--set',
      'attack.day=900',
    ].concat(['--budget', '12', '--points', '30', '--reliability', '2.5', '--scenario', 'careless', '--json']),
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual(
    searchAttacks({
      seed: 2,
      scenario: 'careless',
      options: { customers: 1200, reporters: 15, attack: { day: 900 } },
      model: createLinkClaimModel(),
      budget: 12,
      points: 30,
      reliability: 2.5,
    }),
  );
});
