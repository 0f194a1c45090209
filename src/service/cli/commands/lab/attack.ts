import { count } from '../../../../core/domain/text.ts';
import { ATTACK_PRICES, PRICE_PARTS, type AttackPrice, type PricePart } from '../../../../lab/attack/price.ts';
import { searchAttacks, type AttackSearch, type TriedAttack } from '../../../../lab/attack/search-attacks.ts';
import { LINK_CLAIM_CONSTANTS } from '../../../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../../../core/scoring/link-claim-model.ts';
import { command, form } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { flag, text, whole } from '../../option.ts';
import { CONFIG, readConstants } from '../../lab/models-option.ts';
import { formatTable, printAnswer } from '../../output.ts';
import { SEED } from '../../lab/replay-file.ts';
import { SCENARIO, SET } from './simulate.ts';

export const attack = command({
  name: 'lab attack',
  title: 'search for the cheapest way to put honest people over a threshold',
  about: `The attacker knows the model. Each plan attacks several honest people of a simulated world. A plan
succeeds if their median Points and their median Reliability reach the threshold.
`,
  forms: {
    '': form({
      options: {
        budget: whole('N', [1, 1_000_000], 'plans to try, at least 1', 60),
        points: whole('N', [1, 100], 'threshold of Points, 1 to 100', 50),
        reliability: text('N', 'threshold of Reliability, 0 to 10', { default: '3.0', read: readReliability }),
        ...SEED,
        ...SCENARIO,
        ...SET,
        ...CONFIG,
        json: flag('print the result as JSON, with all numbers of each plan'),
      },
      async run({ budget, points, reliability, seed, scenario, set: options, config, json }) {
        const { constants } = config === undefined ? { constants: LINK_CLAIM_CONSTANTS } : await readConstants(config);
        const model = createLinkClaimModel(constants);
        const { isTTY } = process.stderr;
        const onTried = (tried: number): void => void (isTTY && process.stderr.write(`\rplan ${tried} of ${budget}`));
        let result: AttackSearch;
        try {
          result = searchAttacks({ seed, scenario, options, model, budget, points, reliability, onTried });
        } catch (error) {
          // The message names the parameter of --set.
          if (error instanceof RangeError || error instanceof TypeError) throw new UsageError(error.message);
          throw error;
        }
        if (isTTY) process.stderr.write('\n');
        printAnswer(result, json, formatAttacks);
      },
    }),
  },
  notes: `PRICE is a sum in which one accusing report counts ${ATTACK_PRICES.accusingReports}, an invented report ${ATTACK_PRICES.inventedReports}, an identifier
of the victim ${ATTACK_PRICES.identifiers}, a new key ${ATTACK_PRICES.newKeys}, a true report ${ATTACK_PRICES.trueReports}, a verified key ${ATTACK_PRICES.verifiedKeys} and a day ${ATTACK_PRICES.days}. These
numbers are assumptions.
`,
});

function readReliability(value: string): number {
  const reliability = /^\d{1,2}(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(reliability <= 10)) throw new UsageError('expects a number from 0 to 10, as in 3.0');
  return reliability;
}

const ATTACKERS = { unverified: 'unverified keys only', 'one-verified-key': 'with one verified key' } as const;

/** Rows of the table, by the part of the price that they show. */
const ROWS: Readonly<Record<PricePart, string>> = {
  verifiedKeys: 'verified keys',
  newKeys: 'new keys',
  trueReports: 'true reports',
  inventedReports: 'invented reports',
  accusingReports: 'accusing reports',
  identifiers: 'identifiers of the victim',
  days: 'days',
};

/** Formats the result of a search as a table and sentences. */
export function formatAttacks(result: AttackSearch): string {
  const { attackers, points, reliability, victims, tried } = result;
  const threshold = `${points} Points with Reliability ${reliability.toFixed(1)}`;
  const row = (name: string, cell: (plan: TriedAttack) => string, last = ''): string[] => [
    name,
    ...attackers.map(({ cheapest }) => (cheapest === null ? '-' : cell(cheapest))),
    last,
  ];
  const table = formatTable([
    ['', ...attackers.map(({ attacker }) => ATTACKERS[attacker].toUpperCase()), 'PRICE OF ONE'],
    [
      'cheapest plan',
      ...attackers.map(({ cheapest, tried: plans }) => cheapest?.name ?? `not found with ${count(plans, 'plan')}`),
    ],
    row('Points', (plan) => String(plan.points)),
    row('Reliability', (plan) => plan.reliability.toFixed(1)),
    ...PRICE_PARTS.map((part) => row(ROWS[part], ({ price }) => String(price[part]), String(ATTACK_PRICES[part]))),
    row('price', ({ price }) => String(price.total)),
    ['plans tried', ...attackers.map((one) => String(one.tried))],
  ]);
  const missed = attackers.map(({ attacker, cheapest, strongest }) =>
    cheapest === null && strongest !== null
      ? `Strongest plan, ${ATTACKERS[attacker]}: ${strongest.name} with ${strongest.points} Points, Reliability ${strongest.reliability.toFixed(1)}.\n`
      : '',
  );
  const found = attackers.flatMap(({ cheapest }) => cheapest ?? []).sort((a, b) => a.price.total - b.price.total)[0];
  return [
    `A simulated world, ${result.scenario}, seed ${result.seed}: ${result.model}, ${count(victims, 'victim')}, ${count(tried, 'plan')} tried.\n\n`,
    `${table}\n`,
    ...missed,
    found === undefined
      ? `No plan put an honest person over the threshold of ${threshold}. Plans that were not tried may do so.\n`
      : `The cheapest way found to put an honest person over the threshold of ${threshold}: ${describe(found)}. Plans that were not tried may be cheaper.\n`,
  ].join('');
}

/** Returns what an attacker needs, without zeros, e.g. `1 new key, 3 true reports, 102 days`. */
function describe({ price, options }: TriedAttack): string {
  const some = (part: keyof AttackPrice, one: string, many?: string): string[] =>
    price[part] === 0 ? [] : [count(price[part], one, many)];
  return [
    ...some('verifiedKeys', 'verified key'),
    ...some('newKeys', 'new key'),
    ...some('trueReports', 'true report'),
    ...some('inventedReports', 'invented report'),
    ...some('accusingReports', 'accusing report').map((text) => `${text} of severity ${options.severity}`),
    ...some('identifiers', 'identifier').map((text) => `${text} of the victim`),
    ...some('days', 'day'),
  ].join(', ');
}
