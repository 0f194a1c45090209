import { readArguments, readMoment, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const allow: Command = {
  help: `redflag allow: exempt identifiers from matching

An identifier on the allow-list matches no report. Add identifiers that many people share, such as
the domain of a payment provider or the address of a shop.

  redflag allow list           list current and past entries
      --json                   print JSON
  redflag allow add HASH       add a hash to the list
      --reason TEXT            reason for the entry (required)
      --until DATE             when the entry ends: a day (00:00 UTC) or a time,
                               as in 2030-01-31 or 2030-01-31T12:00:00Z
  redflag allow remove HASH    end the entry of a hash now

  --by NAME                    the operator's name, for the record (default your login name)
${dataHelp(31)}

The list takes hashes, never values in clear text. Compute a hash with redflag hash:

  redflag allow add $(redflag hash shop.example) --reason "Our own domain"

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'reason', 'until', 'by'], flags: ['json'] });
    printAnswer(await call(dataFolder(values.data), positionals, values), values.json, format);
  },
};

type Answer = AnswerOf<'allow list' | 'allow add' | 'allow remove'>;

function call(
  folder: string,
  positionals: readonly string[],
  values: { reason?: string; until?: string; by?: string },
): Promise<Answer> {
  const [action, text, ...more] = positionals;
  if (action === undefined || !['list', 'add', 'remove'].includes(action))
    throw new UsageError('allow expects list, add or remove; see redflag allow --help');
  if (action !== 'add') refuseOptions(values, ['reason', 'until'], 'belongs to allow add');
  if (action === 'list') {
    if (text !== undefined) throw new UsageError('allow list expects no value');
    refuseOptions(values, ['by'], 'belongs to allow add and remove');
    return askFolder(folder, 'allow list');
  }
  const hash = text?.toLowerCase();
  // Do not show the value: it may be personal data.
  if (hash === undefined || !/^[0-9a-f]{40}$/.test(hash) || more.length > 0)
    throw new UsageError(
      `allow ${action} expects one hash of 40 hex characters, as redflag hash prints it; put a reason with spaces in quotes`,
    );
  if (action === 'remove') return askFolder(folder, 'allow remove', { hash, by: readOperator(values.by) });
  if (values.reason === undefined) throw new UsageError('allow add expects --reason');
  const endsAt = values.until === undefined ? undefined : readMoment('until', values.until);
  if (endsAt !== undefined && endsAt <= Date.now()) throw new UsageError('--until expects a time in the future');
  return askFolder(folder, 'allow add', {
    hash,
    reason: values.reason,
    by: readOperator(values.by),
    ...(endsAt === undefined ? {} : { endsAt }),
  });
}

function format(answer: Answer): string {
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
