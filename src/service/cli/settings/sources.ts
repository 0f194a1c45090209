import { readAddressVariable } from '../../data-folder/address.ts';
import { KEY_VARIABLES, PEPPER_VARIABLE } from '../../data-folder/key-files.ts';
import { SECRET_TEXT_VARIABLE } from '../../data-folder/secret-variable.ts';
import { parseArguments, readValue } from '../command-line.ts';
import { asUsage, UsageError } from '../errors.ts';
import { closest } from './closest.ts';
import { refusePassword } from './password.ts';
import { flag, type Options, type ValuesOf } from '../option.ts';

/** Where a setting comes from: the command line wins over variables. */
export type Origin = 'option' | 'variable' | 'default';

export interface Source {
  /** In the form of the command line. Undefined if no source has the setting and it has no default. */
  readonly text: string | undefined;
  readonly from: Origin;
  /** How messages name the setting: `--port`, `REDFLAG_PORT`. */
  readonly label: string;
}

export interface ReadSettings<O extends Options> {
  readonly values: ValuesOf<O>;
  readonly sources: { readonly [Name in keyof O]: Source };
  readonly positionals: readonly string[];
  /** Those of `flags` that the command line has. */
  readonly flags: ReadonlySet<string>;
  /** Lines for the operator. */
  readonly warnings: readonly string[];
}

/** Variables of secret and pepper. They have no option, so that each command finds the same keys. */
const KEY_NAMES = [SECRET_TEXT_VARIABLE, ...Object.values(KEY_VARIABLES)];
/** The pepper itself. A rotation writes it, and a process cannot write the variables of its next start. */
const PEPPER_TEXT_VARIABLE = 'REDFLAG_PEPPER';

/** Variables that only `redflag client` reads. */
export const CLIENT_VARIABLES = { url: 'REDFLAG_URL', apiKey: 'REDFLAG_API_KEY' } as const;

/** The variable that named a file of settings until version 0.1. */
const FILE_VARIABLE = 'REDFLAG_CONFIG';

const PREFIX = 'REDFLAG_';

export function variableOf(name: string): string {
  return `${PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Reads each option from the command line, the variables and the defaults.
 * `flags` are further flags of the command line. Throws UsageError for an invalid setting. The message names where the
 * setting is, never its value.
 */
export async function readSettings<O extends Options>(
  options: O,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<ReadSettings<O>> {
  const names = Object.keys(options);
  const { given, positionals } = readCommandLine(options, args, flags);
  // Without its settings, the service would open another data folder.
  if (env[FILE_VARIABLE])
    throw new UsageError(`${FILE_VARIABLE} has no effect, because settings are options or variables; unset it`);
  const fromVariables = await asUsage(() => readVariables(options, env));
  const sources: Record<string, Source> = {};
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const source: Source = given.get(name) ??
      fromVariables.get(name) ?? { text: option.default, from: 'default', label: `--${name}` };
    sources[name] = source;
    values[name] = source.text === undefined ? undefined : await readValue(option, [source.text], source.label);
  }
  return {
    values: values as ValuesOf<O>,
    sources: sources as ReadSettings<O>['sources'],
    positionals,
    flags: new Set(flags.filter((name) => given.has(name))),
    warnings: unknownVariables(env, names, options),
  };
}

/** A flag may also be given as `--no-NAME`, because a variable may have set it. */
function readCommandLine(options: Options, args: readonly string[], flags: readonly string[]) {
  const own = Object.keys(options).filter((name) => options[name]?.kind === 'flag');
  const further = [...own.map((name) => `no-${name}`), ...flags].map((name) => [name, flag('')]);
  const { texts: all, positionals } = parseArguments({ ...options, ...Object.fromEntries(further) }, args);
  const given = new Map<string, Source>();
  for (const [name, texts] of all) {
    const isNo = name.startsWith('no-') && own.includes(name.slice(3));
    const setting = isNo ? name.slice(3) : name;
    if (given.has(setting)) throw new UsageError(`--${setting} and --no-${setting} exclude each other`);
    const text = isNo ? 'false' : (texts.at(-1) ?? '');
    if (options[setting]?.isAddress) refusePassword(`--${setting}`, text, variableOf(setting));
    given.set(setting, { text, from: 'option', label: `--${name}` });
  }
  return { given, positionals };
}

/** An empty variable counts as unset. */
function readVariables(options: Options, env: NodeJS.ProcessEnv): Map<string, Source> {
  const found = new Map<string, Source>();
  for (const [name, { isAddress }] of Object.entries(options)) {
    const variable = variableOf(name);
    const value = isAddress ? readAddressVariable(variable, env) : { text: env[variable], variable };
    if (value?.text) found.set(name, { text: value.text, from: 'variable', label: value.variable });
  }
  return found;
}

/** Returns a warning for each variable `REDFLAG_*` that no command reads: probably a typing error. */
function unknownVariables(env: NodeJS.ProcessEnv, names: readonly string[], options: Options): string[] {
  const known = [
    ...names.map(variableOf),
    ...names.filter((name) => options[name]?.isAddress).map((name) => `${variableOf(name)}_FILE`),
    ...KEY_NAMES,
    ...Object.values(CLIENT_VARIABLES),
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) =>
      name === PEPPER_TEXT_VARIABLE
        ? `the variable ${name} has no effect, because a rotation writes the pepper to a file; use ${PEPPER_VARIABLE}`
        : `the variable ${name} is unknown and has no effect${closest(name, known, PREFIX)}`,
    );
}
