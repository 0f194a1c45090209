import { toIdentifier } from '../domain/identifier.ts';
import type { Identifier } from '../index.ts';
import { readArguments, readMoment, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { onOneLine } from './table.ts';

/** `redflag explain`: what a query would answer, and where its numbers come from. */
export const explain: Command = {
  help: `redflag explain HASH…: what a query of these hashes answers, and why

Each HASH is written with its kind, as the client sends it: email=HASH, ip=HASH. A bare one is taken for the kind other, which
says less than an email. redflag hash makes a hash of a value. Nothing is recorded, and no limit counts.

  --as-of DATE   as it was then: a day (its beginning, UTC) or a time, as in 2026-01-31 or 2026-01-31T12:00:00Z;
                 what was deleted since is not in it
  --json         all of it, for programs
  --data DIR     folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                 where the reports are if they are on a PostgreSQL server

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' },
      'as-of': { type: 'string' },
      json: { type: 'boolean' },
    });
    if (positionals.length === 0) throw new UsageError('explain expects at least one hash; see redflag explain --help');
    const identifiers = positionals.map((text, index) => readIdentifier(text, index + 1));
    const asOf = values['as-of'] === undefined ? undefined : readMoment('as-of', values['as-of']);
    if (asOf !== undefined && asOf > Date.now()) throw new UsageError('--as-of expects a moment that has been');
    const explanation = await askFolder(values.data ?? DATA_FOLDER, 'explain', {
      identifiers,
      ...(asOf === undefined ? {} : { asOf }),
    });
    process.stdout.write(
      values.json
        ? `${JSON.stringify(explanation)}\n`
        : explanation.sentences.map((sentence) => `${onOneLine(sentence)}\n`).join(''),
    );
    return 0;
  },
};

function readIdentifier(text: string, position: number): Identifier {
  const at = text.indexOf('=');
  const identifier = at === -1 ? toIdentifier('other', text) : toIdentifier(text.slice(0, at), text.slice(at + 1));
  // Which one, and never what it is: it may be somebody's address.
  if (!identifier.ok)
    throw new UsageError(
      `value ${position} is no hash of 40 hex characters, alone or behind its kind as in email=HASH`,
    );
  return identifier.value;
}
