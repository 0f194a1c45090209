import { createRequire } from 'node:module';
import { StoreAddressError } from '../data-folder/errors.ts';
import { RedflagError } from '../../core/domain/redflag-error.ts';
import type { Command } from './command.ts';
import type { Declaration } from './declaration.ts';
import { CommandError, UsageError } from './errors.ts';
import { formatHelp } from './help.ts';
import { flag } from './option.ts';
import { colour } from './output.ts';

/**
 * The commands in the order of the help text. They are loaded on demand, so that a command does not wait for the
 * modules of others.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  config: async () => (await import('./commands/config.ts')).config,
  hash: async () => (await import('./commands/hash.ts')).hash,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  keys: async () => (await import('./commands/keys.ts')).keys,
  reporters: async () => (await import('./commands/reporters.ts')).reporters,
  disputes: async () => (await import('./commands/disputes.ts')).disputes,
  allow: async () => (await import('./commands/allow.ts')).allow,
  explain: async () => (await import('./commands/explain.ts')).explain,
  pepper: async () => (await import('./commands/pepper.ts')).pepper,
  sealed: async () => (await import('./commands/sealed.ts')).sealed,
  evaluator: async () => (await import('./commands/evaluator.ts')).evaluator,
  audit: async () => (await import('./commands/audit.ts')).audit,
  panel: async () => (await import('./commands/panel.ts')).panel,
  webhooks: async () => (await import('./commands/webhooks.ts')).webhooks,
  check: async () => (await import('./commands/check.ts')).check,
  backup: async () => (await import('./commands/backup.ts')).backup,
  export: async () => (await import('./commands/export.ts')).exportData,
  import: async () => (await import('./commands/import.ts')).importData,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  erase: async () => (await import('./commands/erase.ts')).erase,
  client: async () => (await import('./commands/client.ts')).client,
  lab: async () => (await import('./commands/lab.ts')).lab,
  bench: async () => (await import('./commands/bench.ts')).bench,
  completion: async () => (await import('./commands/completion.ts')).createCompletion(loadProgram),
};

/** Returns the whole program. Only its help text and the completion of command lines need all commands. */
async function loadProgram(): Promise<Declaration> {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return {
    name: '',
    title: 'shared fraud reports about hashed identifiers',
    forms: { '': { options: { version: flag('print the version') } } },
    parts: Object.fromEntries(await Promise.all(loaded)),
    notes: `  redflag COMMAND --help   usage and options of a command
  redflag --version        print the version

Exit codes: 0 success, 1 failure, 2 invalid command line.
If the environment variable NO_COLOR is set, the output has no colours.
`,
  };
}

async function choose(args: readonly string[]): Promise<number | void> {
  const [name, ...others] = args;
  if (name === undefined) {
    process.stderr.write(formatHelp(await loadProgram()));
    return 2;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(formatHelp(await loadProgram()));
    return;
  }
  if (name === '--version' || name === '-v') {
    const { version }: { version: string } = createRequire(import.meta.url)('redflag/package.json');
    process.stdout.write(`${version}\n`);
    return;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new UsageError('unknown command; see redflag --help');
  const whole = await load();
  const [first = '', ...further] = others;
  const part = Object.hasOwn(whole.parts ?? {}, first) ? whole.parts?.[first] : undefined;
  const command = part ?? whole;
  const rest = part ? further : others;
  // After `--`, every argument is a value, even if it looks like an option.
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (options.includes('--help') || options.includes('-h')) {
    process.stdout.write(command.help);
    return;
  }
  return command.run(rest);
}

/** Runs one command line and returns its exit code. Prints an error on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return (await choose(args)) ?? 0;
  } catch (error) {
    process.stderr.write(`${colour(process.stderr, 31, 'redflag:')} ${word(error)}\n`);
    return error instanceof UsageError || error instanceof StoreAddressError ? 2 : 1;
  }
}

function word(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Expected errors: wrong use, an unusable folder or store, or a system error such as a full disk.
  if (error instanceof RedflagError) return isDenied(error) ? `${error.message}; ${DENIED}` : error.message;
  if (error instanceof UsageError || error instanceof CommandError || 'syscall' in error) return error.message;
  // Any other error is a defect. Its stack helps developers and contains no submitted value.
  return error.stack ?? String(error);
}

const DENIED = 'run redflag as the user that owns the folder, or make this user its owner (chown -R USER FOLDER)';

/** Returns true if the system denied access to the data or keys folder. Errors about other files have no cause. */
function isDenied(error: Error): boolean {
  if ('code' in error && error.code === 'EACCES') return true;
  return error.cause instanceof Error && isDenied(error.cause);
}
