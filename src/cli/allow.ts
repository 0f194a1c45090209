import { readArguments, readMoment, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import type { AnswerOf } from './operator-call.ts';
import { readOperator } from './operator-name.ts';
import { formatMoment, formatTable } from './table.ts';

/** `redflag allow`: the allow-list of a data folder. */
export const allow: Command = {
  help: `redflag allow: identifiers that no report can make risky

A payment provider's domain, a shop's own address: reports may name them, and they match nothing.

  redflag allow list           what is or ever was on the list
      --json                   the same for programs
  redflag allow add HASH       put a hash on the list
      --reason TEXT            why
      --until DATE             until then only: a day (its beginning, UTC) or a time,
                               as in 2030-01-31 or 2030-01-31T12:00:00Z
  redflag allow remove HASH    take it off, from now on

  --by NAME                    who does it, for the record (default your login name)
  --data DIR                   folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                               where the reports are if they are on a PostgreSQL server

Only hashes are taken: the service never sees a value. redflag hash makes one:

  redflag allow add $(redflag hash shop.example) --reason "Our own domain"

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' },
      reason: { type: 'string' },
      until: { type: 'string' },
      by: { type: 'string' },
      json: { type: 'boolean' },
    });
    const answer = await call(values.data ?? DATA_FOLDER, positionals, values);
    process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : format(answer));
    return 0;
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
  for (const name of ['reason', 'until'] as const)
    if (values[name] !== undefined && action !== 'add') throw new UsageError(`--${name} belongs to allow add`);
  if (action === 'list') {
    if (text !== undefined) throw new UsageError('allow list expects no value');
    if (values.by !== undefined) throw new UsageError('--by belongs to allow add and remove');
    return askFolder(folder, 'allow list');
  }
  const hash = text?.toLowerCase();
  // Never shown: it may be somebody's address.
  if (hash === undefined || !/^[0-9a-f]{40}$/.test(hash) || more.length > 0)
    throw new UsageError(
      `allow ${action} expects one hash of 40 hex characters, as redflag hash gives it; put a reason with spaces in quotes`,
    );
  if (action === 'remove') return askFolder(folder, 'allow remove', { hash, by: readOperator(values.by) });
  if (values.reason === undefined) throw new UsageError('allow add expects --reason');
  const endsAt = values.until === undefined ? undefined : readMoment('until', values.until);
  if (endsAt !== undefined && endsAt <= Date.now()) throw new UsageError('--until expects a moment to come');
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
      ? 'On the list: it matches nothing from now on.\n'
      : 'Off the list: it matches from now on.\n';
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
