import { createRequire } from 'node:module';
import { choosePart, CommandError, UsageError, type Command } from './arguments.ts';

const HELP = `redflag: shared fraud reports about hashed identifiers

Usage
  redflag serve            run the service
  redflag hash VALUE…      hash identifiers as a client does
  redflag doctor [HASH]    say which mistake a client made in a hash
  redflag keys …           create, list, rotate and revoke API keys
  redflag reporters        how reporters stand, and why
  redflag disputes …       open, uphold and reject disputes about reports
  redflag allow …          identifiers that no report can make risky
  redflag explain HASH…    what a query answers, and why
  redflag pepper …         under which peppers identifiers are stored
  redflag check            prove that what is stored fits together
  redflag backup DIR       copy a data folder as it is at one moment
  redflag export FILE      write all that is stored into a file
  redflag import FILE      put what was exported into an empty data folder
  redflag migrate …        copy all that is stored to another store
  redflag erase …          erase all that is stored about a person
  redflag lab …            how scoring behaves on recorded or simulated reports
  redflag bench            how fast this machine hashes

  redflag COMMAND --help   what a command takes
  redflag --version

Exit codes: 0 done, 1 it could not be done, 2 the command line was not understood.
NO_COLOR is respected.
`;

/** Each is loaded when it is asked for: nobody waits for the others. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  hash: async () => (await import('./hash.ts')).hash,
  doctor: async () => (await import('./doctor.ts')).doctor,
  keys: async () => (await import('./keys.ts')).keys,
  reporters: async () => (await import('./reporters.ts')).reporters,
  disputes: async () => (await import('./disputes.ts')).disputes,
  allow: async () => (await import('./allow.ts')).allow,
  explain: async () => (await import('./explain.ts')).explain,
  pepper: async () => (await import('./pepper.ts')).pepper,
  check: async () => (await import('./check.ts')).check,
  backup: async () => (await import('./backup.ts')).backup,
  export: async () => (await import('./export.ts')).exportData,
  import: async () => (await import('./import.ts')).importData,
  migrate: async () => (await import('./migrate.ts')).migrate,
  erase: async () => (await import('./erase.ts')).erase,
  lab: async () => (await import('./lab/lab.ts')).lab,
  bench: async () => (await import('./bench.ts')).bench,
};

async function choose(args: readonly string[]): Promise<number> {
  const [name, ...others] = args;
  if (name === undefined) {
    process.stderr.write(HELP);
    return 2;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (name === '--version' || name === '-v') {
    const { version } = createRequire(import.meta.url)('redflag/package.json') as { version: string };
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) throw new UsageError('unknown command; see redflag --help');
  const { chosen: command, rest } = choosePart(await COMMANDS[name]!(), others);
  // Everything behind `--` is a value, also when it reads like an option.
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (options.includes('--help') || options.includes('-h')) {
    process.stdout.write(command.help);
    return 0;
  }
  return command.run(rest);
}

/** Runs one command line and gives its exit code. What went wrong is on standard error then. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return await choose(args);
  } catch (error) {
    const red =
      process.stderr.isTTY && process.stderr.hasColors()
        ? (text: string) => `\u001b[31m${text}\u001b[39m`
        : (text: string) => text;
    const isExpected = error instanceof UsageError || error instanceof CommandError;
    // The system said no (a permission, a full disk): the operator's to mend, and a stack would only hide the reason.
    const isOfSystem = error instanceof Error && 'syscall' in error;
    // Anything else is a defect: the stack helps whoever mends it, and holds no value that was handed in.
    const told = isExpected || isOfSystem ? error.message : ((error as Error)?.stack ?? String(error));
    process.stderr.write(`${red('redflag:')} ${told}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
