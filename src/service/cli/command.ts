import { parseArguments, readValue } from './command-line.ts';
import { UsageError } from './errors.ts';
import { formatHelp } from './help.ts';
import { ownersOf, splitKey, wordsOf, type Declaration, type Form } from './declaration.ts';
import { joinWords, type Option, type Options, type ValuesOf } from './option.ts';

export interface Command extends Declaration {
  /** Printed by `--help`. */
  readonly help: string;
  readonly parts?: Readonly<Record<string, Command>>;
  /**
   * Resolves with the exit code, or with nothing for code 0. Throws UsageError, CommandError or another RedflagError.
   */
  run(args: readonly string[]): Promise<number | void>;
}

/** A form with what it does. */
interface RunForm<O extends Options = Options, V = unknown> extends Form {
  readonly options: O;
  readonly value?: Option<V>;
  /** `value` is the one value that the form takes; of other forms, the words without the one that names the form. */
  run(options: ValuesOf<O>, value: V): Promise<number | void>;
}

/** Declares a form. `run` gets the values of its options. */
export function form<O extends Options, V = readonly string[]>(declared: RunForm<O, V>): RunForm {
  return declared as RunForm;
}

/** Declares a command. It parses the command line and runs the form that this line means. */
export function command(
  declared: Omit<Declaration, 'parts'> & { readonly forms: Readonly<Record<string, RunForm>> },
): Command {
  return {
    ...declared,
    help: formatHelp(declared),
    async run(args) {
      const { key, given, words } = chooseForm(declared, args);
      const { options, value, run } = declared.forms[key]!;
      const values: Record<string, unknown> = {};
      for (const [name, option] of Object.entries(options))
        values[name] = await readValue(option, given.get(name), `--${name}`);
      return run(values, value ? await readValue(value, words, `${declared.name} ${key}`.trim()) : words);
    },
  };
}

/** Returns the form that a command line means. Throws UsageError if there is none, or if it takes no such option. */
function chooseForm(declaration: Declaration, args: readonly string[]) {
  const { name, forms, otherwise = '' } = declaration;
  const all: Options = Object.assign({}, ...Object.values(forms).map(({ options }) => options));
  const { texts, positionals } = parseArguments(all, args);
  const keys = Object.keys(forms);
  const named = wordsOf(keys);
  const [first = ''] = positionals;
  const isNamed = first !== '' && named.includes(first);
  const word = isNamed ? first : otherwise;
  const ofWord = keys.filter((one) => splitKey(one).word === word);
  const isGiven = (one: string): boolean => texts.has(splitKey(one).option);
  const key = ofWord.find(isGiven) ?? ofWord.find((one) => splitKey(one).option === '');
  const expected = `${keys.includes('') ? 'no value, or ' : ''}${joinWords(named, 'or')}`;
  const wrong = `${name} expects ${expected}; see redflag ${name} --help`;
  if (key === undefined) throw new UsageError(wrong);
  const chosen = `${name} ${key}`.trim();
  for (const option of texts.keys())
    if (!Object.hasOwn(forms[key]!.options, option))
      throw new UsageError(`--${option} ${formatOwners(declaration, option, key)}`);
  const words = isNamed ? positionals.slice(1) : positionals;
  const { value, usage } = forms[key]!;
  if (value) {
    if (words.length !== 1) throw new UsageError(`${chosen} expects ${value.help}`);
  } else if (words.length > 0 && usage === undefined) {
    if (isNamed) throw new UsageError(`${chosen} expects no value`);
    throw new UsageError(named.length > 0 ? wrong : `${chosen} takes no values, only options`);
  }
  return { key, given: texts, words };
}

/** Says where an option belongs that was given with the form `key`. */
function formatOwners({ name, forms }: Declaration, option: string, key: string): string {
  const owners = ownersOf(forms, option);
  // A form without a name cannot be named. And what belongs to the plain form does not go with the option of this one.
  if (owners.includes('') || owners.includes(splitKey(key).word)) return `does not belong to ${name} ${key}`;
  const named = owners.map((owner) => (splitKey(owner).option === option ? splitKey(owner).word : owner));
  return `belongs to ${name} ${joinWords(named, 'and')}`;
}
