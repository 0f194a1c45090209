import { createInterface } from 'node:readline';
import { hashIdentifiers, IdentifierError } from '../hash.ts';
import { CommandError, readArguments, readWhole, UsageError, type Command } from './arguments.ts';

/** `redflag hash`: one line of 40 hex characters for each value, in order (spec 2.3). */
export const hash: Command = {
  help: `redflag hash [VALUE…]: hash identifiers as a client does

Each value is trimmed, its spaces are removed, it is lowercased and hashed; the answers come one a line, in order.
Without a value the lines of standard input are hashed, so that no address ends up in a shell's history.

  --prefix TEXT      put before the value in each round (default service-)
  --iterations N     rounds (default 32000)

A value that begins with a hyphen goes behind --, as in: redflag hash -- -x
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { prefix: { type: 'string' }, iterations: { type: 'string' } });
    const options = {
      ...(values.prefix === undefined ? {} : { prefix: values.prefix }),
      ...(values.iterations === undefined ? {} : { iterations: readWhole('iterations', values.iterations, 1, 0xffff_ffff) }),
    };
    if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('hash expects at least one value, or lines on standard input');
    if (positionals.length > 0) {
      const hashes = await hashIdentifiers(positionals, options).catch((error: unknown) => complain(error, (index) => `value ${index + 1}`));
      for (const line of hashes) process.stdout.write(`${line}\n`);
      return 0;
    }
    let lineNumber = 0;
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      lineNumber++;
      const [hashed] = await hashIdentifiers([line], options).catch((error: unknown) => complain(error, () => `line ${lineNumber}`));
      process.stdout.write(`${hashed}\n`);
    }
    return 0;
  },
};

/** Says which value is nobody's identifier, never the value. */
function complain(error: unknown, where: (index: number) => string): never {
  if (error instanceof IdentifierError) throw new CommandError(`${where(error.index ?? 0)} ${error.reason === 'empty' ? 'is empty' : 'is no text'}`);
  throw error;
}
