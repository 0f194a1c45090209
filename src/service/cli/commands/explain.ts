import { toIdentifier } from '../../../core/domain/identifier.ts';
import type { Identifier } from '../../../index.ts';
import { readArguments, readMoment, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp } from '../operator-options.ts';
import { onOneLine, printAnswer } from '../output.ts';

export const explain: Command = {
  help: `redflag explain HASH…: show the answer to a query for these hashes, and why

Write each HASH with its kind, as the client sends it: email=HASH, ip=HASH. A hash without a kind has
the kind other, which weighs less than email. Compute a hash with redflag hash. The command records nothing and
ignores the rate limits.

  --as-of DATE   the answer at an earlier time: a day (00:00 UTC) or a time, as in 2026-01-31 or 2026-01-31T12:00:00Z;
                 data that was deleted since then is not included
  --json         print all details as JSON
${dataHelp(17)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'as-of'], flags: ['json'] });
    if (positionals.length === 0) throw new UsageError('explain expects at least one hash; see redflag explain --help');
    const identifiers = positionals.map((text, index) => readIdentifier(text, index + 1));
    const asOf = values['as-of'] === undefined ? undefined : readMoment('as-of', values['as-of']);
    if (asOf !== undefined && asOf > Date.now()) throw new UsageError('--as-of expects a time in the past');
    const explanation = await askFolder(dataFolder(values.data), 'explain', {
      identifiers,
      ...(asOf === undefined ? {} : { asOf }),
    });
    printAnswer(explanation, values.json, ({ sentences }) =>
      sentences.map((sentence) => `${onOneLine(sentence)}\n`).join(''),
    );
  },
};

function readIdentifier(text: string, position: number): Identifier {
  const at = text.indexOf('=');
  const identifier = at === -1 ? toIdentifier('other', text) : toIdentifier(text.slice(0, at), text.slice(at + 1));
  // The message contains the position, not the value: the value may be personal data.
  if (!identifier.ok)
    throw new UsageError(
      `value ${position} must be a hash of 40 hex characters, or KIND=HASH with a lowercase kind, as in email=HASH`,
    );
  return identifier.value;
}
