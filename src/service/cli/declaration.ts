import type { Option, Options } from './option.ts';

/** One way to call a command. */
export interface Form {
  /** The one value that the form takes. Its help text says what the form expects. */
  readonly value?: Option;
  /** Another number of values, such as `NAME N|default`. Without `value` and `usage`, the form takes no values. */
  readonly usage?: string;
  /** What the form does, for its own line of the help text. The only form of a command may have no line. */
  readonly summary?: string;
  readonly options: Options;
  /** Options that the form also takes, and that the help text does not list. */
  readonly further?: Options;
}

/** What a user can know about a command. Help text, parser and completion follow from it. */
export interface Declaration {
  /** As on the command line, such as `keys` or `lab run`; empty for the program. */
  readonly name: string;
  readonly title: string;
  /** Lines of the help text before the options. */
  readonly about?: string;
  /**
   * The forms, by what distinguishes them: a word (`create`), an option (`--csv`), both (`query --sealed`), or nothing
   * for the form that is meant otherwise.
   */
  readonly forms: Readonly<Record<string, Form>>;
  /** Commands with a help text of their own, by the word that names them. */
  readonly parts?: Readonly<Record<string, Declaration>>;
  /** The form that is meant if no word names one. */
  readonly otherwise?: string;
  /** Lines of the help text after the options. */
  readonly notes?: string;
}

/** Returns the word and the option that distinguish a form. Both may be empty. */
export function splitKey(key: string): { readonly word: string; readonly option: string } {
  const [word = '', option = ''] = key.split('--');
  return { word: word.trim(), option };
}

/** Returns the words that distinguish forms, each once. */
export function wordsOf(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => splitKey(key).word))].filter((word) => word !== '');
}

/** Returns the forms that take an option. `query` stands also for `query --sealed`. */
export function ownersOf(forms: Declaration['forms'], option: string): string[] {
  const owners = Object.keys(forms).filter((key) => Object.hasOwn(forms[key]?.options ?? {}, option));
  return owners.filter((key) => splitKey(key).option === '' || !owners.includes(splitKey(key).word));
}
