import { readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { count } from '../../../core/domain/text.ts';
import { REQUESTS_LISTED } from '../../../core/domain/dispute.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const disputes: Command = {
  help: `redflag disputes: open, answer, uphold and reject disputes about reports, and the requests for them

  redflag disputes list              all disputes, the newest first
      --json                         print JSON
  redflag disputes open REPORT_ID    the report counts half until the dispute is decided
      --reason TEXT                  reason for the dispute (required); kept until the report is
                                     deleted
  redflag disputes answer REPORT_ID  note what the reporter says about it, before you decide; replaces
                                     an earlier answer
      --answer TEXT                  the answer (required); kept until the report is deleted
  redflag disputes uphold REPORT_ID  the report was wrong: it no longer counts, is not shown,
                                     and lowers its reporter's standing
  redflag disputes reject REPORT_ID  the report was right: it counts as before
  redflag disputes requests          what persons ask for on the page /dispute, the oldest first
      --json                         print JSON
  redflag disputes refuse REQUEST    delete a request, without a dispute. Opening a dispute
                                     deletes the requests about its report
      --report REPORT_ID             about this report only; without REQUEST, all requests about it

  --by NAME                          the operator's name, for the record (default your login name)
${dataHelp(37)}

To see the ids of reports, open the link in the reply to a query. Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'reason', 'answer', 'report', 'by'],
      flags: ['json'],
    });
    const answer = await call(dataFolder(values.data), positionals, values);
    if ('requests' in answer) printAnswer(answer.requests, values.json, formatRequests);
    else printAnswer(answer, values.json, format);
  },
};

type Answer = AnswerOf<
  | 'disputes list'
  | 'disputes open'
  | 'disputes answer'
  | 'disputes decide'
  | 'disputes requests'
  | 'disputes refuse'
  | 'disputes refuse-all'
>;

type Requests = AnswerOf<'disputes requests'>;

const ACTIONS = ['list', 'open', 'answer', 'uphold', 'reject', 'requests', 'refuse'];

function call(
  folder: string,
  positionals: readonly string[],
  values: { reason?: string; answer?: string; report?: string; by?: string },
): Promise<Answer> {
  const [action, id, ...more] = positionals;
  if (action === undefined || !ACTIONS.includes(action))
    throw new UsageError(
      'disputes expects list, open, answer, uphold, reject, requests or refuse; see redflag disputes --help',
    );
  if (action !== 'open') refuseOptions(values, ['reason'], 'belongs to disputes open');
  if (action !== 'answer') refuseOptions(values, ['answer'], 'belongs to disputes answer');
  if (action !== 'refuse') refuseOptions(values, ['report'], 'belongs to disputes refuse');
  if (action === 'list' || action === 'requests') {
    if (id !== undefined) throw new UsageError(`disputes ${action} expects no value`);
    refuseOptions(values, ['by'], 'belongs to disputes open, answer, uphold, reject and refuse');
    return action === 'list' ? askFolder(folder, 'disputes list') : findRequests(folder);
  }
  const of = action === 'refuse' ? 'request' : 'report';
  if (action === 'refuse' && id === undefined && values.report !== undefined)
    return refuseAll(folder, values.report, readOperator(values.by));
  if (id === undefined) throw new UsageError(`disputes ${action} expects the id of a ${of}`);
  if (more.length > 0) throw new UsageError(`disputes ${action} expects one value; put a text with spaces in quotes`);
  const by = readOperator(values.by);
  if (action === 'open') {
    if (values.reason === undefined) throw new UsageError('disputes open expects --reason');
    return askFolder(folder, 'disputes open', { reportId: id, reason: values.reason, by });
  }
  if (action === 'answer') {
    if (values.answer === undefined) throw new UsageError('disputes answer expects --answer');
    return askFolder(folder, 'disputes answer', { reportId: id, answer: values.answer, by });
  }
  if (action === 'refuse') return askFolder(folder, 'disputes refuse', { requestId: id, reportId: values.report, by });
  return askFolder(folder, 'disputes decide', { reportId: id, upheld: action === 'uphold', by });
}

/** Refuses the requests about a report that are listed now. */
async function refuseAll(folder: string, reportId: string, by: string): Promise<Answer> {
  const about = (await findRequests(folder)).requests.filter((request) => request.reportId === reportId);
  return askFolder(folder, 'disputes refuse-all', { reportId, requestIds: about.map((one) => one.requestId), by });
}

/** Returns all requests that wait, page by page. */
async function findRequests(folder: string): Promise<Requests> {
  const requests: Requests['requests'] = [];
  for (;;) {
    const last = requests.at(-1);
    const after = last && { requestedAt: last.requestedAt, requestId: last.requestId, reportId: last.reportId };
    const page = (await askFolder(folder, 'disputes requests', { after })).requests;
    requests.push(...page);
    if (page.length < REQUESTS_LISTED) return { requests };
  }
}

const DONE = {
  open: 'Opened: the report counts half until the dispute is decided.\n',
  answer: 'Noted: the answer is shown with the dispute.\n',
  uphold: 'Upheld: the report no longer counts and is not shown.\n',
  reject: 'Rejected: the report counts as before.\n',
  refuse: 'Refused: the request is deleted.\n',
};

function format(answer: Exclude<Answer, Requests>): string {
  if ('refused' in answer) return `Refused: ${count(answer.refused, 'request is', 'requests are')} deleted.\n`;
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
    dispute.answer ?? '-',
  ]);
  return formatTable([['REPORT', 'REPORTER', 'STATE', 'OPENED', 'BY', 'DECIDED', 'BY', 'REASON', 'ANSWER'], ...rows]);
}

function formatRequests(requests: Requests['requests']): string {
  const rows = requests.map(({ requestId, reportId, reporter, requestedAt, reason }) => {
    return [requestId, reportId, reporter, formatMoment(requestedAt), reason];
  });
  return formatTable([['REQUEST', 'REPORT', 'REPORTER', 'REQUESTED', 'REASON'], ...rows]);
}
