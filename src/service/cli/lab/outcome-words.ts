import { spaceWords } from '../../../core/identifiers/value-form.ts';
import { rounded as number } from '../../../lab/page/numbers.ts';
import { printable } from '../output.ts';

/** What `--fraud` and `--good` are without a value. */
export const DEFAULT_FRAUDS = 'fraud,chargeback,1';
export const DEFAULT_GOODS = 'good,ok,paid,0';

/** Outcomes in lower case. */
export interface OutcomeWords {
  readonly frauds: ReadonlySet<string>;
  readonly goods: ReadonlySet<string>;
}

/** Outcomes with the number of their orders, the most frequent first. */
export type OutcomeCounts = readonly (readonly [outcome: string, orders: number])[];

/** Names of a column in which 1 is a fraud. */
const OF_FRAUD =
  /^(?:outcome|label|class|target|y)$|fraud|charge ?back|disput|scam|abuse|fake|betrug|betrüg|fraude|frode|fraudu|bedrog|bedräg|svindel|petos|oszust|podvod|csal[áó]|dolandır|sahte|мошен|шахра|απάτ|احتيال|詐欺|不正|欺诈|詐騙|盗刷|사기/iu;
/** Words in such a name that turn its meaning round, or leave it open. */
const OF_GOOD =
  /(?<!\p{L})(?:no|not|non|kein|keine|nicht|sans|sin|sem|senza|bez|без|не|ok|free|clear|cleared|clean|pass|passed|good|safe|valid|approved|aprobado|aprovado|checked|check|won|status|state)(?!\p{L})/iu;

/** Returns true if a column of this name leaves open whether 1 is a fraud or a good order. */
export function isOpenName(name: string): boolean {
  const words = spaceWords(name)
    .replace(/[\s_.-]{1,80}/gu, ' ')
    .trim();
  return !OF_FRAUD.test(words) || OF_GOOD.test(words);
}

/** Returns true for a fraud, false for a good order, and undefined for another outcome. */
export function sideOf(outcome: string, { frauds, goods }: OutcomeWords): boolean | undefined {
  const word = outcome.toLowerCase();
  return frauds.has(word) ? true : goods.has(word) ? false : undefined;
}

/** Longer lists of outcomes are of another column. */
const MAX_OUTCOMES_SHOWN = 20;

/**
 * Names outcomes with their counts, as in ` (12 refunded, 3 empty)`. Does not show what may be of a person: `outcome`
 * may be the wrong column.
 */
export function formatOutcomes(outcomes: OutcomeCounts): string {
  if (outcomes.length > MAX_OUTCOMES_SHOWN)
    return ` (${MAX_OUTCOMES_SHOWN} outcomes and more; check the column of the outcome)`;
  const each = outcomes.map(([outcome, orders]) => `${number(orders)} ${showOutcome(outcome)}`);
  return each.length === 0 ? '' : ` (${each.join(', ')})`;
}

/** Names the words of one side with their counts, as in `chargeback (2), fraud (1)`. */
export function formatWords(outcomes: OutcomeCounts): string {
  return outcomes.map(([outcome, orders]) => `${showOutcome(outcome)} (${number(orders)})`).join(', ') || 'none';
}

function showOutcome(outcome: string): string {
  const isShown = outcome.length <= 40 && !/@|(?:\d\D*){4}/.test(outcome);
  return outcome === '' ? 'empty' : isShown ? printable(outcome) : 'not shown';
}
