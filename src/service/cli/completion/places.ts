import { splitKey, wordsOf, type Declaration } from '../declaration.ts';
import { HELP } from '../help.ts';
import type { Options } from '../option.ts';

/** A word that a command line may have. */
export interface Word {
  readonly text: string;
  readonly description: string;
  /** The values of an option: undefined for a flag, and empty if any text is one. */
  readonly values?: readonly string[] | undefined;
}

/** What may follow on a command line after some words. */
export interface Place {
  /** The words, as in `keys create`; empty for the beginning. */
  readonly after: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/** Returns what may follow after a command, after each word that names a form, and after each of its parts. */
export function placesOf(declared: Declaration): Place[] {
  const { name, forms, otherwise = '', parts = {} } = declared;
  const keys = Object.keys(forms);
  /** The options of all forms with this word. */
  const optionsOf = (word: string): Word[] => {
    const ofWord = keys.filter((key) => splitKey(key).word === word).map((key) => forms[key]!);
    const options: Options = Object.assign({}, ...ofWord.flatMap((one) => [one.further, one.options]), HELP);
    return Object.entries(options).map(([option, { kind, help, members }]) => ({
      text: `--${option}`,
      description: help,
      values: kind === 'flag' ? undefined : kind === 'text' ? members : [],
    }));
  };
  const words = wordsOf(keys);
  const commands = [
    ...words.map((word) => ({ text: word, description: forms[word]?.summary ?? '' })),
    ...Object.entries(parts).map(([part, { title }]) => ({ text: part, description: title })),
  ];
  return [
    { after: name, commands, options: optionsOf(otherwise) },
    ...words.map((word) => ({ after: `${name} ${word}`, commands: [], options: optionsOf(word) })),
    ...Object.values(parts).flatMap(placesOf),
  ];
}
