import { parseArgs, type ParseArgsConfig } from 'node:util';
import { faultOf, formatFault } from '../../core/domain/options.ts';
import { messageOf, UsageError } from './errors.ts';
import type { Option, Options } from './option.ts';

/** A command line: the texts of each given option, which are `true` for a flag, and the other words. */
export interface Arguments {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

/** A name that may be shown. Any other word may be personal data in the wrong place. */
const OPTION_NAME = /^--?[a-z][a-z-]*$/;

/**
 * Parses a command line, and leaves the values as texts. Throws {@link UsageError} for an unknown option, for a missing
 * value, and for a value of a flag.
 */
export function parseArguments(options: Options, args: readonly string[]): Arguments {
  const types: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { kind }] of Object.entries(options))
    types[name] = { type: kind === 'flag' ? 'boolean' : 'string' };
  // The parser's own errors quote arguments, which may be personal data.
  const { tokens, positionals } = parseArgs({ args: [...args], options: types, strict: false, tokens: true });
  const texts = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) && rawName === `--${name}` ? options[name] : undefined;
    if (option === undefined)
      throw new UsageError(
        `unknown option${OPTION_NAME.test(rawName) ? ` ${rawName}` : ''}; put -- before a value that begins with a hyphen`,
      );
    if (option.kind === 'flag') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
      texts.set(name, ['true']);
    } else if (value === undefined || (!inlineValue && /^-./.test(value)))
      throw new UsageError(`${rawName} expects a value; write ${rawName}=VALUE if the value begins with a hyphen`);
    else texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  return { texts, positionals };
}

/**
 * Returns the value of an option. `texts` are those of the command line or another source. Throws {@link UsageError}
 * whose message begins with `label`.
 */
export async function readValue(option: Option, texts: readonly string[] | undefined, label: string): Promise<unknown> {
  if (texts === undefined && option.missing) return option.missing();
  const all = texts ?? (option.default === undefined ? [] : [option.default]);
  const last = all.at(-1);
  if (last === undefined) return undefined;
  try {
    return await option.read(last, all);
  } catch (error) {
    const fault = faultOf(error);
    throw new UsageError(fault ? formatFault(label, fault) : `${label} ${messageOf(error)}`);
  }
}
