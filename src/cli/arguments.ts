import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The command line is not what a command takes; exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not do it; exits with 1. The message is for a person and holds no submitted value. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** One command of the program. */
export interface Command {
  /** Printed by `--help`. */
  readonly help: string;
  /** Commands of its own, by the first argument that names one. */
  readonly parts?: Readonly<Record<string, Command>>;
  /** Resolves with the exit code. Throws {@link UsageError} or {@link CommandError}. */
  run(args: readonly string[]): Promise<number>;
}

/** The part of a command that the first argument names, with the arguments behind it; otherwise the command itself with all of them. */
export function choosePart(
  command: Command,
  args: readonly string[],
): { readonly chosen: Command; readonly rest: readonly string[] } {
  const [name, ...rest] = args;
  const { parts = {} } = command;
  return name !== undefined && Object.hasOwn(parts, name)
    ? { chosen: parts[name]!, rest }
    : { chosen: command, rest: args };
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads options and positionals; an unknown option is a {@link UsageError}. */
export function readArguments<T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(wordProblem(error as Error));
  }
}

/** The parser's complaint in a line of our own. It quotes what it did not understand, which may be somebody's address: only what looks like an option is shown. */
function wordProblem({ message }: Error): string {
  const name = /'(?:-\w, )?(--?[a-z][a-z-]*)(?: <value>)?'/.exec(message)?.[1];
  if (message.includes('does not take an argument')) return `${name} takes no value`;
  if (!message.startsWith('Unknown option'))
    return `${name} expects a value; one that begins with a hyphen is written as in ${name}=VALUE`;
  return `unknown option${name === undefined ? '' : ` ${name}`}; a value that begins with a hyphen goes behind --`;
}

/** A whole number within bounds, from an option's text. */
export function readWhole(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`--${option} expects a whole number from ${least} to ${most}`);
  return value;
}

/** A moment in ms UTC, from an option's text: a day (its beginning, UTC) or a time with its zone. */
export function readMoment(option: string, text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text)?.[1];
  const at = day === undefined ? Number.NaN : Date.parse(text);
  // The parser takes a 31st of February for one of March.
  if (Number.isNaN(at) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day)
    throw new UsageError(`--${option} expects a day as in 2030-01-31, or a time as in 2030-01-31T12:00:00Z`);
  return at;
}
