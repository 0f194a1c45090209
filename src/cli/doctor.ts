import { createInterface } from 'node:readline';
import { diagnoseHash, IdentifierError, type HashDiagnosis } from '../doctor.ts';
import { CommandError, readArguments, readWhole, UsageError, type Command } from './arguments.ts';

/** `redflag doctor`: why a client's hash is not that of its value (spec 2.3). Exits with 0 for a right hash, else with 1. */
export const doctor: Command = {
  help: `redflag doctor [HASH]: say which mistake a client made

Give it an identifier in clear and the hash that a client sent for it. Standard input has the value on its first line,
and on its second the hash when that is no argument; so neither ends up in a shell's history.
It names the mistakes that lead from the value to the hash, and how to mend them; it never prints value or hash.

  --value TEXT       the value, instead of the line (a shell may keep it in its history)
  --prefix TEXT      the service's, put before the value in each round (default service-)
  --iterations N     the service's rounds (default 32000)
  --json             the findings as JSON

Exit codes: 0 the hash is right, 1 it is not, 2 the command line was not understood.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      value: { type: 'string' },
      prefix: { type: 'string' },
      iterations: { type: 'string' },
      json: { type: 'boolean' },
    });
    const options = {
      ...(values.prefix === undefined ? {} : { prefix: values.prefix }),
      ...(values.iterations === undefined
        ? {}
        : { iterations: readWhole('iterations', values.iterations, 1, 0xffff_ffff) }),
    };
    if (positionals.length > 1)
      throw new UsageError('doctor expects one hash; the value comes on standard input, or with --value');
    const missing = [
      ...(values.value === undefined ? ['the value'] : []),
      ...(positionals.length === 0 ? ['the hash'] : []),
    ];
    const lines = missing.length === 0 ? [] : await readLines(missing);
    const value = values.value ?? lines.shift()!;
    const hash = positionals[0] ?? lines.shift()!;

    const diagnosis = await diagnoseHash(value, hash, options).catch((error: unknown) => {
      if (error instanceof IdentifierError)
        throw new CommandError(`the value is ${error.reason === 'empty' ? 'empty' : 'no text'}`);
      throw error;
    });
    process.stdout.write(values.json ? `${JSON.stringify(diagnosis, null, 2)}\n` : word(diagnosis));
    return diagnosis.ok ? 0 : 1;
  },
};

/** One line of standard input for each thing that is missing, as it stands. */
async function readLines(missing: readonly string[]): Promise<string[]> {
  const wanted = `doctor expects ${missing.join(' and ')} on standard input, one a line`;
  if (process.stdin.isTTY) throw new UsageError(wanted);
  const lines: string[] = [];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    lines.push(line);
    if (lines.length > missing.length) break;
  }
  if (lines.length !== missing.length) throw new UsageError(wanted);
  return lines;
}

function word(diagnosis: HashDiagnosis): string {
  if (diagnosis.ok) return `${colour(32, 'right:')} this is the hash of the value\n`;
  const mistakes = diagnosis.mistakes
    .map(({ code, explanation, mend }) => `\n${code}\n  ${explanation}\n  Mend: ${mend}\n`)
    .join('');
  if (diagnosis.determined) {
    const { length } = diagnosis.mistakes;
    return `${colour(31, 'wrong:')} ${length === 1 ? 'one mistake explains' : `${length} mistakes together explain`} this hash\n${mistakes}`;
  }
  const tried =
    diagnosis.tried.length === 0
      ? ''
      : `\nNothing of this gives the hash; it may be that of another value, or of another prefix:\n${diagnosis.tried.map((line) => `  ${line}\n`).join('')}`;
  return `${colour(31, 'wrong:')} this is not the hash of the value${mistakes === '' ? '' : ', nor can it be'}\n${mistakes}${tried}`;
}

/** hasColors() knows NO_COLOR. */
function colour(code: number, text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors() ? `\u001b[${code}m${text}\u001b[39m` : text;
}
