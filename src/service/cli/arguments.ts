import { parseArgs, type ParseArgsConfig } from 'node:util';
import { parseDay, parseTime } from '../../lab/moment.ts';

/** An argument or option is invalid. The program exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The command failed. The program exits with code 1. The message is for an operator and contains no submitted value.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface Command {
  /** Printed by `--help`. */
  readonly help: string;
  /** Subcommands, by the argument that names them. */
  readonly parts?: Readonly<Record<string, Command>>;
  /**
   * Resolves with the exit code, or with nothing for code 0. Throws UsageError, CommandError or another RedflagError.
   */
  run(args: readonly string[]): Promise<number | void>;
}

/**
 * Returns the subcommand that the first argument names, with the other arguments; without a match, the command itself.
 */
export function choosePart(command: Command, args: readonly string[]) {
  const [name = '', ...rest] = args;
  const part = Object.hasOwn(command.parts ?? {}, name) ? command.parts?.[name] : undefined;
  return part ? { chosen: part, rest } : { chosen: command, rest: args };
}

/**
 * Parses options and positionals. Options in `text` have a value, `flags` have none, and `lists` may be repeated.
 * Throws {@link UsageError} for an unknown option, for a missing value, and for a value of a flag.
 */
export function readArguments<Text extends string = never, Flag extends string = never, List extends string = never>(
  args: readonly string[],
  names: { readonly text?: readonly Text[]; readonly flags?: readonly Flag[]; readonly lists?: readonly List[] },
) {
  const { text = [], flags = [], lists = [] } = names;
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const name of text) options[name] = { type: 'string' };
  for (const name of flags) options[name] = { type: 'boolean' };
  for (const name of lists) options[name] = { type: 'string', multiple: true };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    // The parser has already validated the types of the values.
    return {
      values: values as { [N in Text]?: string } & { [N in Flag]?: boolean } & { [N in List]?: string[] },
      positionals,
    };
  } catch (error) {
    throw new UsageError(wordProblem(messageOf(error)));
  }
}

/** Throws {@link UsageError} if one of these options is given. `why` ends the message: `belongs to allow add`. */
export function refuseOptions(values: Readonly<Record<string, unknown>>, names: readonly string[], why: string): void {
  for (const name of names) if (values[name] !== undefined) throw new UsageError(`--${name} ${why}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Rewords the parser's error. The parser quotes arguments, which may be personal data. So show only an option's name.
 */
function wordProblem(message: string): string {
  const name = /'(?:-\w, )?(--?[a-z][a-z-]*)(?: <value>)?'/.exec(message)?.[1];
  if (message.includes('does not take an argument')) return `${name} takes no value`;
  if (!message.startsWith('Unknown option'))
    return `${name} expects a value; write ${name}=VALUE if the value begins with a hyphen`;
  return `unknown option${name === undefined ? '' : ` ${name}`}; put -- before a value that begins with a hyphen`;
}

/** Awaits `read` and rethrows any error as {@link UsageError}. Use it if another module validates an option's value. */
export async function asUsage<T>(read: () => T | Promise<T>, word = (message: string): string => message): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(word(messageOf(error)));
  }
}

/** Parses an option's value as a whole number from `least` to `most`. */
export function readWhole(option: string, text: string, least: number, most: number): number {
  return parseWhole(text, least, most, `--${option} `);
}

/** Parses a whole number from `least` to `most`. `label` is the beginning of an error's message. */
export function parseWhole(text: string, least: number, most: number, label = ''): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`${label}expects a whole number from ${least} to ${most}`);
  return value;
}

/** Parses an option's value as a moment in ms UTC: a day (00:00 UTC), or a time with its time zone. */
export function readMoment(option: string, text: string): number {
  const at = parseDay(text) ?? parseTime(text);
  if (at === undefined)
    throw new UsageError(`--${option} expects a day as in 2030-01-31, or a time as in 2030-01-31T12:00:00Z`);
  return at;
}
