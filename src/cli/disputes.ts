import { readArguments, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import type { AnswerOf } from './operator-call.ts';
import { readOperator } from './operator-name.ts';
import { formatMoment, formatTable } from './table.ts';

/** `redflag disputes`: reports that somebody says are wrong. */
export const disputes: Command = {
  help: `redflag disputes: reports that are said to be wrong

  redflag disputes list              all disputes, the newest first
      --json                         the same for programs
  redflag disputes open REPORT_ID    the report counts half until it is decided
      --reason TEXT                  why; kept until the report is deleted
  redflag disputes uphold REPORT_ID  the report was wrong: it counts for nothing, is not shown,
                                     and costs its reporter standing
  redflag disputes reject REPORT_ID  the report was right: it counts as before

  --by NAME                          who opens or decides it, for the record (default your login name)
  --data DIR                         folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                                     where the reports are if they are on a PostgreSQL server

A report's id is in what its link shows. Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' },
      reason: { type: 'string' },
      by: { type: 'string' },
      json: { type: 'boolean' },
    });
    const answer = await call(values.data ?? DATA_FOLDER, positionals, values);
    process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : format(answer));
    return 0;
  },
};

type Answer = AnswerOf<'disputes list' | 'disputes open' | 'disputes decide'>;

function call(
  folder: string,
  positionals: readonly string[],
  values: { reason?: string; by?: string },
): Promise<Answer> {
  const [action, reportId, ...more] = positionals;
  if (action === undefined || !['list', 'open', 'uphold', 'reject'].includes(action))
    throw new UsageError('disputes expects list, open, uphold or reject; see redflag disputes --help');
  if (values.reason !== undefined && action !== 'open') throw new UsageError('--reason belongs to disputes open');
  if (action === 'list') {
    if (reportId !== undefined) throw new UsageError('disputes list expects no value');
    if (values.by !== undefined) throw new UsageError('--by belongs to disputes open, uphold and reject');
    return askFolder(folder, 'disputes list');
  }
  if (reportId === undefined) throw new UsageError(`disputes ${action} expects the id of a report`);
  if (more.length > 0) throw new UsageError(`disputes ${action} expects one value; put a reason with spaces in quotes`);
  if (action === 'open') {
    if (values.reason === undefined) throw new UsageError('disputes open expects --reason');
    return askFolder(folder, 'disputes open', { reportId, reason: values.reason, by: readOperator(values.by) });
  }
  return askFolder(folder, 'disputes decide', { reportId, upheld: action === 'uphold', by: readOperator(values.by) });
}

const DONE = {
  open: 'Opened: the report counts half until this is decided.\n',
  uphold: 'Upheld: the report counts for nothing and is not shown.\n',
  reject: 'Rejected: the report counts as before.\n',
} as const;

function format(answer: Answer): string {
  if ('did' in answer) return DONE[answer.did];
  const rows = answer.map((dispute) => [
    dispute.reportId,
    dispute.reporter,
    dispute.upheld === null ? 'open' : dispute.upheld ? 'upheld' : 'rejected',
    formatMoment(dispute.openedAt),
    dispute.openedBy,
    formatMoment(dispute.decidedAt),
    dispute.decidedBy ?? '-',
    dispute.reason === '' ? '-' : dispute.reason,
  ]);
  return formatTable([['REPORT', 'REPORTER', 'STATE', 'OPENED', 'BY', 'DECIDED', 'BY', 'REASON'], ...rows]);
}
