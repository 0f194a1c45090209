import { toIdentifier } from '../../../core/domain/identifier.ts';
import { unwrap } from '../../../core/domain/refusal.ts';
import type { Identifier } from '../../../index.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { flag, parseMoment, text } from '../option.ts';
import { DATA } from '../operator-options.ts';
import { onOneLine, printAnswer } from '../output.ts';

export const explain = command({
  name: 'explain',
  title: 'show the answer to a query for these hashes, and why',
  about: `Write each HASH with its kind, as the client sends it: email=HASH, ip=HASH. A hash without a kind has
the kind other, which weighs less than email. Compute a hash with redflag hash. The command records
nothing and ignores the rate limits.
`,
  forms: {
    '': form({
      usage: 'HASH…',
      options: {
        'as-of': text(
          'DATE',
          'the answer at an earlier time: a day (00:00 UTC) or a time, as in 2026-01-31 or 2026-01-31T12:00:00Z; data that was deleted since then is not included',
          { read: parsePast },
        ),
        json: flag('print all details as JSON'),
        ...DATA,
      },
      async run({ 'as-of': asOf, json, data }, words) {
        if (words.length === 0) throw new UsageError('explain expects at least one hash; see redflag explain --help');
        const identifiers = words.map((word, index) => readIdentifier(word, index + 1));
        const request = { identifiers, ...(asOf === undefined ? {} : { asOf }) };
        const explanation = await askFolder(data, async (engine) => unwrap(await engine.explain(request)));
        printAnswer(explanation, json, ({ sentences }) =>
          sentences.map((sentence) => `${onOneLine(sentence)}\n`).join(''),
        );
      },
    }),
  },
  notes: 'Works while a service runs on the folder.',
});

function parsePast(value: string): number {
  const at = parseMoment(value);
  if (at > Date.now()) throw new UsageError('expects a time in the past');
  return at;
}

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
