/** A text with `{names}` of values, or its forms by the plural rules of the language for the number `n`. */
export type Message = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string });

/** The sentences of an explanation, in English. Public pages have them in other languages, too. */
export const CALCULATION = {
  points: { one: '{n} point', other: '{n} points' },
  reports: { one: '{n} report', other: '{n} reports' },
  organisations: { one: '{n} organisation', other: '{n} organisations' },
  'calculation.nothing': 'No report matches.',
  'calculation.numbers':
    '{points} ({exactPoints} before rounding), {reports} of {organisations}, reliability {reliability} ({exactReliability}), by {model}.',
  'calculation.matches':
    'What matches: {list}. Such matches give at most {most} points, however many reports there are.',
  'calculation.identifier': '{kind} (weight {weight})',
  'calculation.slowIdentifier':
    '{kind} (weight {weight}, fades {times} times as slowly because many verified reporters reported it)',
  'calculation.voice':
    '{organisation} ({standing}, right with a probability of {precision}) reported {what}. {about} {adds}',
  'calculation.verified': 'verified',
  'calculation.established': 'established',
  'calculation.notEstablished': 'not established',
  'calculation.severity': 'severity {severity}',
  'calculation.today': 'today',
  'calculation.daysAgo': { one: '{n} day ago', other: '{n} days ago' },
  'calculation.typeWeight': 'offence type weight {weight}',
  'calculation.disputed': 'under dispute',
  'calculation.about': 'The probability that the report is about this person is {link} ({list}).',
  'calculation.aboutOnly': 'The probability that the report is about this person is {link}.',
  'calculation.faded': '{kind} faded to {decay}',
  'calculation.adds': 'It adds {points} points, and {reliability} to the reliability.',
  'calculation.addsInPart':
    'It adds {points} points (at {share} of its strength, because stronger voices are not verified either), and {reliability} to the reliability.',
  'calculation.further': {
    one: '{n} further report of {organisation} about the same person counts with this report as one voice.',
    other: '{n} further reports of {organisation} about the same person count with this report as one voice.',
  },
  'calculation.oneVerified':
    'One verified reporter alone can add at most {most} points. A second one lifts this bound.',
  'calculation.secondVerified':
    'The strongest voice can add at most {most} points, because a second verified reporter agrees in part.',
  'calculation.notVerified':
    'Reporters that the operator has not verified can add at most {points} points together, and {reliability} to the reliability.',
  'calculation.notVerifiedYet':
    'Reporters that the operator has not verified can add at most {points} points together, and {reliability} to the reliability before the map.',
  'calculation.together': 'All of these reporters can reach at most {most} points.',
  'calculation.map': 'The voices add up to a reliability of {before}; the calibration map makes it {after}.',
  'calculation.unknown': 'How often such answers are right is unknown: no calibration map says how sure it is.',
  'calculation.interval': 'On average, {low} to {high} % of such answers are right.',
  'calculation.mapBound':
    'The map lifts reporters that the operator has not verified no further than their bound, so the answer is {reliability}.',
  'calculation.allowed': 'An identifier ({list}) is on the allow-list and was left out.',
  'calculation.foundWrong': {
    one: '{n} report was left out because the operator found it wrong.',
    other: '{n} reports were left out because the operator found them wrong.',
  },
  'calculation.lessThan': 'less than {least}',
} as const satisfies Readonly<Record<string, Message>>;

/** A sentence of an explanation, or a part of one: a message with its values. */
export interface Sentence {
  readonly name: keyof typeof CALCULATION;
  readonly values: Readonly<Record<string, SentenceValue>>;
}

/**
 * A value of a sentence. A text stays as it is, such as a public name. A number gets at most two decimals, but `n`,
 * which chooses the form of a message, is whole. Several values are a list.
 */
export type SentenceValue =
  | string
  | number
  | { readonly kind: string }
  | { readonly type: string }
  | { readonly reliability: number }
  | Sentence
  | readonly SentenceValue[];

/** What makes a text of a sentence in one language. */
export interface SentenceWords {
  say(name: Sentence['name'], values: Readonly<Record<string, string | number>>): string;
  /** Returns the name of a kind of identifier or an offence type. */
  nameOf(group: 'kind' | 'type', name: string): string;
  /** Returns a number with at least and at most so many decimals. */
  number(value: number, decimals: number, most?: number): string;
}

/** Returns a sentence as text. */
export function formatSentence({ name, values }: Sentence, words: SentenceWords): string {
  const format = (value: SentenceValue): string => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return formatNumber(value, words);
    if ('name' in value) return formatSentence(value, words);
    if ('kind' in value) return words.nameOf('kind', value.kind);
    if ('type' in value) return words.nameOf('type', value.type);
    if ('reliability' in value) return words.number(value.reliability, 1);
    return value.map(format).join(', ');
  };
  const texts = Object.entries(values).map(
    ([key, value]) => [key, key === 'n' && typeof value === 'number' ? value : format(value)] as const,
  );
  return words.say(name, Object.fromEntries(texts));
}

/** Formats a number that is not negative with up to two decimals, without trailing zeros. */
function formatNumber(x: number, words: SentenceWords): string {
  const isTiny = x > 0 && x < 0.005;
  return isTiny ? words.say('calculation.lessThan', { least: words.number(0.01, 2) }) : words.number(x, 0, 2);
}
