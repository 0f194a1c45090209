import { readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const disputes: Command = {
  help: `redflag disputes: open, uphold and reject disputes about reports

  redflag disputes list              all disputes, the newest first
      --json                         print JSON
  redflag disputes open REPORT_ID    the report counts half until the dispute is decided
      --reason TEXT                  reason for the dispute (required); kept until the report is
                                     deleted
  redflag disputes uphold REPORT_ID  the report was wrong: it no longer counts, is not shown,
                                     and lowers its reporter's standing
  redflag disputes reject REPORT_ID  the report was right: it counts as before

  --by NAME                          the operator's name, for the record (default your login name)
${dataHelp(37)}

To see the ids of reports, open the link in the reply to a query. Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'reason', 'by'], flags: ['json'] });
    printAnswer(await call(dataFolder(values.data), positionals, values), values.json, format);
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
  if (action !== 'open') refuseOptions(values, ['reason'], 'belongs to disputes open');
  if (action === 'list') {
    if (reportId !== undefined) throw new UsageError('disputes list expects no value');
    refuseOptions(values, ['by'], 'belongs to disputes open, uphold and reject');
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
  open: 'Opened: the report counts half until the dispute is decided.\n',
  uphold: 'Upheld: the report no longer counts and is not shown.\n',
  reject: 'Rejected: the report counts as before.\n',
};

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
