import { parseDay, parseTime } from '../../lab/moment.ts';
import { UsageError } from './errors.ts';

/**
 * One option of a command. Help text, parser and completion follow from it; of `redflag serve` also the variable and
 * the table in docs. Every source gives a text, which `read` validates.
 */
export interface Option<T = unknown> {
  /** What the text stands for: a text, a number, true or false, or an object of numbers. */
  readonly kind: 'text' | 'number' | 'flag' | 'list';
  /** The value's name in the help text; empty for a flag. */
  readonly placeholder: string;
  /** What the help text shows as default. Without {@link missing}, it is also read as the value. */
  readonly default: string | undefined;
  /** Begins with a lower-case letter and has no default: the help text adds it. */
  readonly help: string;
  /** The keys of a list, or the words of a choice. */
  readonly members: readonly string[];
  /** The value is the address of a store, which may hold a password. */
  readonly isAddress: boolean;
  readonly isRepeated: boolean;
  /**
   * Returns the value. `all` are the texts of a repeated option; of other options, the last text counts. Throws
   * UsageError whose message follows the option's name: `expects …`.
   */
  read(text: string, all: readonly string[]): T | Promise<T>;
  /** Returns the value if the option is not given. */
  missing?(): T;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of all options, by name. */
export type ValuesOf<O extends Options> = { readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never };

const PLAIN = { default: undefined, members: [], isAddress: false, isRepeated: false } as const;

/** A text. `read` validates it and may replace it. Without a default, the value is undefined unless it is set. */
export function text<T = string, D extends string | undefined = undefined>(
  placeholder: string,
  help: string,
  further: { readonly default?: D; readonly read?: (text: string) => T | Promise<T> } = {},
): Option<D extends string ? NoInfer<T> : NoInfer<T> | undefined> {
  const { default: fallback, read = (value: string) => value } = further;
  const option = { ...PLAIN, kind: 'text', placeholder, default: fallback, help, read } as const;
  return option as Option<D extends string ? T : T | undefined>;
}

/** The one value of a form. `parse` returns undefined if the text is not what is expected. */
export function value<T = string>(
  placeholder: string,
  expected: string,
  parse: (text: string) => T | undefined,
): Option<T> {
  const read = (given: string): T => {
    const parsed = parse(given);
    if (parsed === undefined) throw new UsageError(`expects ${expected}`);
    return parsed;
  };
  return { ...PLAIN, kind: 'text', placeholder, help: expected, read };
}

/** A value of hexadecimal digits, in lower case. */
export function hex(placeholder: string, digits: number, expected: string): Option<string> {
  return value(placeholder, expected, (given) => {
    const lower = given.toLowerCase();
    return lower.length === digits && /^[0-9a-f]*$/.test(lower) ? lower : undefined;
  });
}

/** A whole number from `min` to `max`. Without a default, the value is undefined unless it is set. */
export function whole<D extends number | undefined = undefined>(
  placeholder: string,
  [min, max]: readonly [min: number, max: number],
  help: string,
  fallback?: D,
): Option<number | D> {
  const read = (value: string): number => parseWhole(value, min, max);
  return { ...PLAIN, kind: 'number', placeholder, default: fallback?.toString(), help, read };
}

/** True or false. False unless it is set. */
export function flag(help: string): Option<boolean> {
  return { ...PLAIN, kind: 'flag', placeholder: '', default: 'false', help, read: readFlag };
}

function readFlag(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new UsageError('expects true or false');
  return value === 'true';
}

/** One of a few words. The help text shows the placeholder only if the words are too long. */
export function choice<const Word extends string, D extends Word | undefined = undefined>(
  placeholder: string,
  words: readonly Word[],
  help: string,
  fallback?: D,
): Option<NoInfer<Word | D>> {
  const read = (value: string): Word => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new UsageError(`expects ${joinWords(words, 'or')}`);
    return word;
  };
  return { ...PLAIN, kind: 'text', placeholder, default: fallback, help, members: words, read };
}

/** Returns words as in `a, b or c`. */
export function joinWords(words: readonly string[], last: 'or' | 'and'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** Named whole numbers from 1 to 1,000,000,000. A member that is left out has its default. */
export function list<Name extends string>(
  placeholder: string,
  defaults: Readonly<Record<Name, number>>,
  help: string,
): Option<Readonly<Record<Name, number>>> {
  const fallback = formatList(defaults);
  const read = (value: string) => {
    const values: Record<Name, number> = { ...defaults };
    for (const part of value.split(',').filter((one) => one !== '')) {
      const [name = '', number = ''] = part.split('=');
      if (!Object.hasOwn(defaults, name)) throw new UsageError(`expects a list like ${fallback}`);
      values[name as Name] = parseWhole(number, 1, 1e9);
    }
    return values;
  };
  return { ...PLAIN, kind: 'list', placeholder, default: fallback, help, members: Object.keys(defaults), read };
}

/** Returns the form of a list on the command line, such as `a=1,b=2`. */
export function formatList(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** A text that may be given several times. `read` gets all texts, which may be none. */
export function repeated<T>(placeholder: string, help: string, read: (all: readonly string[]) => T): Option<T> {
  const missing = (): T => read([]);
  const option = { ...PLAIN, kind: 'text', placeholder, help: `${help}; may be repeated`, isRepeated: true } as const;
  return { ...option, read: (_, all) => read(all), missing };
}

/** The same option with a value for when it is not given. The help text shows `shown` as its default. */
export function withDefault<T, V>(
  option: Option<T>,
  shown: string,
  missing: () => V,
): Option<Exclude<T, undefined> | V> {
  return { ...option, default: shown, missing } as Option<Exclude<T, undefined> | V>;
}

/** Throws UsageError for an empty text. */
export function parseFilled(value: string): string {
  if (value === '') throw new UsageError('expects a text that is not empty');
  return value;
}

/** Parses a whole number from `min` to `max`. `label` is the beginning of an error's message. */
export function parseWhole(value: string, min: number, max: number, label = ''): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw new UsageError(`${label}expects a whole number from ${min} to ${max}`);
  return number;
}

/** Parses a moment in ms UTC: a day (00:00 UTC), or a time with its time zone. */
export function parseMoment(value: string): number {
  const at = parseDay(value) ?? parseTime(value);
  if (at === undefined) throw new UsageError('expects a day as in 2030-01-31, or a time as in 2030-01-31T12:00:00Z');
  return at;
}

/** Parses a moment that is later than now. */
export function parseFuture(value: string): number {
  const at = parseMoment(value);
  if (at <= Date.now()) throw new UsageError('expects a day or time in the future');
  return at;
}
