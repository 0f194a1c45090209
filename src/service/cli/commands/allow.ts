import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { parseFuture, text, withDefault } from '../option.ts';
import { BY, DATA, JSON_OUTPUT } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const allow = command({
  name: 'allow',
  title: 'exempt identifiers from matching',
  about: `An identifier on the allow-list matches no report. Add identifiers that many people share, such as
the domain of a payment provider or the address of a shop.
`,
  forms: {
    list: form({
      summary: 'list current and past entries',
      options: { ...JSON_OUTPUT, ...DATA },
      async run({ json, data }) {
        printAnswer(await askFolder(data, 'allow list'), json, format);
      },
    }),
    add: form({
      usage: 'HASH',
      summary: 'add a hash to the list',
      options: {
        reason: text('TEXT', 'reason for the entry (required)'),
        until: withDefault(
          text('DATE', 'when the entry ends: a day (00:00 UTC) or a time, as in 2030-01-31 or 2030-01-31T12:00:00Z', {
            read: parseFuture,
          }),
          'never',
          () => undefined,
        ),
        ...BY,
        ...JSON_OUTPUT,
        ...DATA,
      },
      async run({ reason, until: endsAt, by, json, data }, words) {
        const hash = readHash('add', words);
        if (reason === undefined) throw new UsageError('allow add expects --reason');
        const entry = { hash, reason, by, ...(endsAt === undefined ? {} : { endsAt }) };
        printAnswer(await askFolder(data, 'allow add', entry), json, format);
      },
    }),
    remove: form({
      usage: 'HASH',
      summary: 'end the entry of a hash now',
      options: { ...BY, ...JSON_OUTPUT, ...DATA },
      async run({ by, json, data }, words) {
        printAnswer(await askFolder(data, 'allow remove', { hash: readHash('remove', words), by }), json, format);
      },
    }),
  },
  notes: `The list takes hashes, never values in clear text. Compute a hash with redflag hash:

  redflag allow add $(redflag hash shop.example) --reason "Our own domain"

Works while a service runs on the folder.
`,
});

function readHash(action: string, [text, ...more]: readonly string[]): string {
  const hash = text?.toLowerCase();
  // Do not show the value: it may be personal data.
  if (hash === undefined || !/^[0-9a-f]{40}$/.test(hash) || more.length > 0)
    throw new UsageError(
      `allow ${action} expects one hash of 40 hex characters, as redflag hash prints it; put a reason with spaces in quotes`,
    );
  return hash;
}

function format(answer: AnswerOf<'allow list' | 'allow add' | 'allow remove'>): string {
  if ('did' in answer)
    return answer.did === 'add'
      ? 'Added: from now on the identifier matches no report.\n'
      : 'Removed: from now on the identifier matches reports again.\n';
  const rows = answer.map(({ hash, protects, reason, addedAt, addedBy, endsAt, endedBy }) => [
    hash,
    protects ? 'protected' : 'ended',
    formatMoment(addedAt),
    addedBy,
    formatMoment(endsAt),
    endedBy ?? '-',
    reason,
  ]);
  return formatTable([['HASH', 'STATE', 'ADDED', 'BY', 'ENDS', 'ENDED BY', 'REASON'], ...rows]);
}
