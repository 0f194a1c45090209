/**
 * Languages whose names of months are known. Croatian is not: it shares names with Polish and Czech that mean other
 * months there.
 */
const LANGUAGES =
  'en de fr es it pt nl da sv nb fi pl cs sk sl ro hu tr el ru uk bg sr sr-Latn lt lv et ca id ms ar he fa-u-ca-gregory hi';

/** Reads names of months and of days of the week. */
export interface Names {
  /** Returns 1 to 12; undefined for another word. */
  monthOf(word: string): number | undefined;
  isWeekday(word: string): boolean;
}

/** Takes the names from the platform: long and short, alone and beside a day. */
export function createNames(): Names {
  const months = new Map<string, number>();
  const weekdays = new Set<string>();
  const learn = (language: string, options: Intl.DateTimeFormatOptions): void => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    const wordOf = (type: 'month' | 'weekday', at: number): string =>
      toWord(format.formatToParts(at).find((part) => part.type === type)?.value ?? '');
    if (options.weekday) for (let day = 1; day <= 7; day++) weekdays.add(wordOf('weekday', Date.UTC(2024, 0, day)));
    else for (let month = 0; month < 12; month++) months.set(wordOf('month', Date.UTC(2024, month, 15)), month + 1);
  };
  for (const language of LANGUAGES.split(' '))
    for (const length of ['long', 'short'] as const) {
      learn(language, { month: length });
      learn(language, { month: length, day: 'numeric' });
      learn(language, { weekday: length });
    }
  for (const [name, month] of [
    ['sept', 9],
    ['mrz', 3],
    ['mär', 3],
    ...['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'].map(
      (numeral, at) => [numeral, at + 1] as const,
    ),
  ] as const)
    months.set(name, month);
  for (const words of [months, weekdays]) words.delete('');
  return { monthOf: (word) => months.get(toWord(word)), isWeekday: (word) => weekdays.has(toWord(word)) };
}

function toWord(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]/gu, '');
}
