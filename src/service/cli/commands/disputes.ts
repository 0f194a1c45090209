import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { count } from '../../../core/domain/text.ts';
import { REQUESTS_LISTED } from '../../../core/domain/dispute.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { text, value } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

const REPORT_ID = value('REPORT_ID', 'the id of a report; put a text with spaces in quotes', String);

export const disputes = command({
  name: 'disputes',
  title: 'open, answer, uphold and reject disputes about reports, and the requests for them',
  forms: {
    list: form({
      summary: 'all disputes, the newest first',
      options: READ,
      async run({ json, data }) {
        printAnswer(await askFolder(data, 'disputes list'), json, format);
      },
    }),
    open: form({
      value: REPORT_ID,
      summary: 'the report counts half until the dispute is decided',
      options: {
        reason: text('TEXT', 'reason for the dispute (required); kept until the report is deleted'),
        ...WRITE,
      },
      async run({ reason, by, json, data }, reportId) {
        if (reason === undefined) throw new UsageError('disputes open expects --reason');
        printAnswer(await askFolder(data, 'disputes open', { reportId, reason, by }), json, format);
      },
    }),
    answer: form({
      value: REPORT_ID,
      summary: 'note what the reporter says about it, before you decide; replaces an earlier answer',
      options: { answer: text('TEXT', 'the answer (required); kept until the report is deleted'), ...WRITE },
      async run({ answer, by, json, data }, reportId) {
        if (answer === undefined) throw new UsageError('disputes answer expects --answer');
        printAnswer(await askFolder(data, 'disputes answer', { reportId, answer, by }), json, format);
      },
    }),
    uphold: decision(
      'uphold',
      "the report was wrong: it no longer counts, is not shown, and lowers its reporter's standing",
    ),
    reject: decision('reject', 'the report was right: it counts as before'),
    requests: form({
      summary: 'what persons ask for on the page /dispute, the oldest first',
      options: READ,
      async run({ json, data }) {
        printAnswer((await findRequests(data)).requests, json, formatRequests);
      },
    }),
    refuse: form({
      usage: 'REQUEST',
      summary: 'delete a request, without a dispute. Opening a dispute deletes the requests about its report',
      options: {
        report: text('REPORT_ID', 'about this report only; without REQUEST, all requests about it'),
        ...WRITE,
      },
      async run({ report: reportId, by, json, data }, [requestId, ...more]) {
        if (requestId === undefined && reportId !== undefined)
          return printAnswer(await refuseAll(data, reportId, by), json, format);
        if (requestId === undefined || more.length > 0)
          throw new UsageError('disputes refuse expects the id of a request');
        printAnswer(await askFolder(data, 'disputes refuse', { requestId, reportId, by }), json, format);
      },
    }),
  },
  notes: `To see the ids of reports, open the link in the reply to a query. Works while a service runs on the
folder.
`,
});

function decision(action: 'uphold' | 'reject', summary: string) {
  return form({
    value: REPORT_ID,
    summary,
    options: WRITE,
    async run({ by, json, data }, reportId) {
      const call = { reportId, upheld: action === 'uphold', by };
      printAnswer(await askFolder(data, 'disputes decide', call), json, format);
    },
  });
}

type Requests = AnswerOf<'disputes requests'>;

/** Refuses the requests about a report that are listed now. */
async function refuseAll(folder: string, reportId: string, by: string): Promise<AnswerOf<'disputes refuse-all'>> {
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

type Answer = AnswerOf<
  'disputes list' | 'disputes open' | 'disputes answer' | 'disputes decide' | 'disputes refuse' | 'disputes refuse-all'
>;

function format(answer: Answer): string {
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
