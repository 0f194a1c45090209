import { parseWhole, UsageError } from '../arguments.ts';

/**
 * One option of a command. Help text, parser, variable, key of the configuration file and the table in docs follow from
 * it. Every source gives a text, which `read` validates.
 */
export interface Option<T = unknown> {
  /** What the configuration file holds: text, a number, true or false, or an object of numbers. */
  readonly kind: 'text' | 'number' | 'flag' | 'list';
  /** The value's name in the help text; empty for a flag. */
  readonly placeholder: string;
  /** The default in the form of the command line. */
  readonly default: string | undefined;
  /** Begins with a lower-case letter and has no default: the help text adds it. */
  readonly help: string;
  /** The keys of a list, or the words of a choice. */
  readonly members: readonly string[];
  /** The value is the address of a store, which may hold a password. */
  readonly isAddress: boolean;
  /** Returns the value. Throws UsageError whose message follows the option's name: `expects …`. */
  read(text: string): T | Promise<T>;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of all options, by name. */
export type ValuesOf<O extends Options> = { readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never };

const PLAIN = { default: undefined, members: [], isAddress: false } as const;

/** A whole number from `least` to `most`. Without a default, the value is undefined unless it is set. */
export function whole<D extends number | undefined>(
  placeholder: string,
  fallback: D,
  [least, most]: readonly [least: number, most: number],
  help: string,
): Option<number | D> {
  const read = (text: string): number => parseWhole(text, least, most);
  return { ...PLAIN, kind: 'number', placeholder, default: fallback?.toString(), help, read };
}

/** True or false. False unless it is set. */
export function flag(help: string): Option<boolean> {
  return { ...PLAIN, kind: 'flag', placeholder: '', default: 'false', help, read: readFlag };
}

function readFlag(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new UsageError('expects true or false');
  return text === 'true';
}

/** One of a few words. */
export function choice<Word extends string>(
  placeholder: string,
  fallback: Word,
  words: readonly Word[],
  help: string,
): Option<Word> {
  const read = (text: string): Word => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new UsageError(`expects ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
    return word;
  };
  return { ...PLAIN, kind: 'text', placeholder, default: fallback, help, members: words, read };
}

/** Named whole numbers from 1 to 1,000,000,000. A member that is left out has its default. */
export function list<Name extends string>(
  placeholder: string,
  defaults: Readonly<Record<Name, number>>,
  help: string,
): Option<Readonly<Record<Name, number>>> {
  const fallback = formatList(defaults);
  const read = (text: string) => {
    const values: Record<Name, number> = { ...defaults };
    for (const part of text.split(',').filter((one) => one !== '')) {
      const [name = '', number = ''] = part.split('=');
      if (!Object.hasOwn(defaults, name)) throw new UsageError(`expects a list like ${fallback}`);
      values[name as Name] = parseWhole(number, 1, 1e9);
    }
    return values;
  };
  return { ...PLAIN, kind: 'list', placeholder, default: fallback, help, members: Object.keys(defaults), read };
}

/** Returns the form of a list on the command line, such as `a=1,b=2`. */
export function formatList(list: object): string {
  return Object.entries(list)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** A text. Without a default, the value is undefined unless it is set. `read` validates it and may replace it. */
export function text<T, D extends string | undefined>(
  placeholder: string,
  fallback: D,
  help: string,
  read: (text: string) => T | Promise<T>,
): Option<D extends undefined ? T | undefined : T> {
  const option = { ...PLAIN, kind: 'text', placeholder, default: fallback, help, read } as const;
  return option as Option<D extends undefined ? T | undefined : T>;
}

/** Throws UsageError for an empty text. */
export function filled(value: string): string {
  if (value === '') throw new UsageError('expects a text that is not empty');
  return value;
}
