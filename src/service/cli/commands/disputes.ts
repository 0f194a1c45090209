import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { count } from '../../../core/domain/text.ts';
import { disputeStateAt, REQUESTS_LISTED, type Dispute, type DisputeRequest } from '../../../core/domain/dispute.ts';
import { unwrap } from '../../../core/domain/refusal.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { flag, text, value } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import type { Calls } from '../../data-folder/calls.ts';
import { findReporters } from '../../data-folder/reporter-names.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

/** What the person reads, beside a decision or a refusal. */
const ANSWER = text('TEXT', 'answer to the persons who asked, read with a case number; reporters do not see it');
const REPORT_ID = value('REPORT_ID', 'the id of a report; put a text with spaces in quotes', String);

export const disputes = command({
  name: 'disputes',
  title: 'open, answer, uphold and reject disputes about reports, and the requests for them',
  forms: {
    list: form({
      summary: 'all disputes, the newest first',
      options: READ,
      async run({ json, data }) {
        const found = await askFolder(data, listWithAlike);
        printAnswer(found, json, formatDisputes);
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
        const disputes = await askFolder(data, async (engine) => {
          unwrap(await engine.openDispute({ reportId, reason, by }));
          return engine.listDisputes({ reportId });
        });
        const effect = disputeStateAt(disputes, Infinity) === 'upheld' ? 'stays wrong' : 'counts half';
        printAnswer({ did: 'open' }, json, () => `Opened: the report ${effect} until the dispute is decided.\n`);
      },
    }),
    answer: form({
      value: REPORT_ID,
      summary: 'note what the reporter says about it, before you decide; replaces an earlier answer',
      options: { answer: text('TEXT', 'the answer (required); kept until the report is deleted'), ...WRITE },
      async run({ answer, by, json, data }, reportId) {
        if (answer === undefined) throw new UsageError('disputes answer expects --answer');
        await askFolder(data, async (engine) => {
          const open = (await engine.listDisputes({ reportId })).find(({ decidedAt }) => decidedAt === null);
          unwrap(await engine.answerDispute({ reportId, reporterId: open?.reporterId ?? '', answer, by }));
        });
        printAnswer({ did: 'answer' }, json, () => 'Noted: the answer is shown with the dispute.\n');
      },
    }),
    uphold: form({
      value: REPORT_ID,
      summary: "the report was wrong: it no longer counts, is not shown, and lowers its reporter's standing",
      options: {
        alike: flag('also upholds the earlier reports of the same reporter about the same person'),
        answer: ANSWER,
        ...WRITE,
      },
      async run({ alike, answer, by, json, data }, reportId) {
        const { earlier, answered } = await askFolder(data, async (engine) => {
          const [counted] = await engine.countAlike({ reportIds: [reportId] });
          const decision = { reportId, upheld: true, alike, answer, by };
          const decided = await countAnswered(engine, [reportId], answer, async () =>
            unwrap(await engine.decideDispute(decision)),
          );
          return { earlier: counted?.reports ?? 0, answered: decided };
        });
        const done = { did: 'uphold', ...(earlier > 0 && { alike: earlier }), answered };
        printAnswer(done, json, () => formatUpheld(earlier, alike) + formatAnswered(answered));
      },
    }),
    reject: form({
      value: REPORT_ID,
      summary: 'the report was right: it counts as before',
      options: { answer: ANSWER, ...WRITE },
      async run({ answer, by, json, data }, reportId) {
        const decision = { reportId, upheld: false, answer, by };
        const answered = await askFolder(data, (engine) =>
          countAnswered(engine, [reportId], answer, async () => unwrap(await engine.decideDispute(decision))),
        );
        const done = 'Rejected: the report counts as before.\n';
        printAnswer({ did: 'reject', answered }, json, () => done + formatAnswered(answered));
      },
    }),
    requests: form({
      summary: 'what persons ask for on the page /dispute, the oldest first',
      options: READ,
      async run({ json, data }) {
        const found = await askFolder(data, listRequestsWithAlike);
        printAnswer(found, json, formatRequests);
      },
    }),
    refuse: form({
      usage: 'REQUEST',
      summary: 'delete a request, without a dispute. Opening a dispute deletes the requests about its report',
      options: {
        report: text('REPORT_ID', 'about this report only; without REQUEST, all requests about it'),
        answer: ANSWER,
        ...WRITE,
      },
      async run({ report: reportId, answer, by, json, data }, [requestId, ...more]) {
        if (requestId === undefined && reportId !== undefined) {
          const { refused, answered } = await askFolder(data, (engine) => refuseAll(engine, { reportId, by }, answer));
          const done = `Refused: ${count(refused, 'request is', 'requests are')} deleted.\n`;
          return printAnswer({ did: 'refuse-all', refused, answered }, json, () => done + formatAnswered(answered));
        }
        if (requestId === undefined || more.length > 0)
          throw new UsageError('disputes refuse expects the id of a request');
        const request = { requestId, reportId, answer, by };
        const answered = await askFolder(data, async (engine) => {
          const waiting = answer === undefined ? [] : await listRequests(engine);
          const about = waiting.flatMap((one) => (one.requestId === requestId ? one.reportId : []));
          return countAnswered(engine, about, answer, async () => unwrap(await engine.refuseDisputeRequest(request)));
        });
        printAnswer(
          { did: 'refuse', answered },
          json,
          () => `Refused: the request is deleted.\n${formatAnswered(answered)}`,
        );
      },
    }),
  },
  notes: `To see the ids of reports, open the link in the reply to a query. Works while a service runs on the
folder.
`,
});

/** Says what an upheld dispute did. `earlier` is the number of alike reports that are older than the dispute. */
function formatUpheld(earlier: number, alike: boolean): string {
  const upheld = 'Upheld: the report no longer counts and is not shown.\n';
  if (earlier === 0) return upheld;
  if (alike) return `${upheld}Also upheld: ${formatAlike(earlier)}.\n`;
  return `${upheld}Not upheld: ${formatAlike(earlier)}. Open another dispute about this report and use --alike.\n`;
}

const formatAlike = (reports: number): string =>
  `${count(reports, 'earlier report')} of the same reporter about the same person`;

type NamedDispute<T> = T & { readonly reporter: string };

/** Adds the names of the reporters. */
async function withReporters<T extends { readonly reporterId: string }>(
  engine: Calls,
  found: readonly T[],
): Promise<NamedDispute<T>[]> {
  const reporterOf = await findReporters(engine, found);
  return found.map((one) => ({ ...one, reporter: reporterOf(one).name }));
}

type ListedDispute = NamedDispute<Dispute> & {
  /** Number of reports that `--alike` would also uphold. A decided dispute has none. */
  readonly alike?: number;
};

async function listWithAlike(engine: Calls): Promise<ListedDispute[]> {
  const disputes = await withReporters(engine, await engine.listDisputes());
  const reportIds = disputes.filter(({ decidedAt }) => decidedAt === null).map(({ reportId }) => reportId);
  const counted = reportIds.length === 0 ? [] : await engine.countAlike({ reportIds });
  const alike = new Map(counted.map(({ reportId, reports }) => [reportId, reports]));
  return disputes.map((one) => (one.decidedAt === null ? { ...one, alike: alike.get(one.reportId) ?? 0 } : one));
}

/** Refuses the requests about a report that are listed now, with an answer if there is one. Returns their number. */
async function refuseAll(
  engine: Calls,
  { reportId, by }: { readonly reportId: string; readonly by: string },
  answer: string | undefined,
): Promise<{ readonly refused: number; readonly answered: number | undefined }> {
  const about = (await listRequests(engine)).filter((request) => request.reportId === reportId);
  const requestIds = about.map((one) => one.requestId);
  let refused = 0;
  const answered = await countAnswered(engine, [reportId], answer, async () => {
    ({ refused } = unwrap(await engine.refuseDisputeRequests({ reportId, requestIds, answer, by })));
  });
  return { refused, answered };
}

/** Reports that one call reads cases of. */
const MAX_REPORTS = 50;

/**
 * Does something that answers the persons who asked about these reports. Returns how many cases have the answer;
 * undefined without one. Asks for the cases first: an older service that runs on the data folder does not know this
 * call, and would decide without the answer.
 */
async function countAnswered(
  engine: Calls,
  reportIds: readonly string[],
  answer: string | undefined,
  act: () => Promise<unknown>,
): Promise<number | undefined> {
  const countAnswers = async (): Promise<number> => {
    const cases = await engine.listPersonCases({ reportIds: reportIds.slice(0, MAX_REPORTS) });
    return cases.flatMap(({ messages }) => messages.filter(({ fromOperator }) => fromOperator)).length;
  };
  const before = answer === undefined ? undefined : await countAnswers();
  await act();
  return before === undefined ? undefined : (await countAnswers()) - before;
}

function formatAnswered(cases: number | undefined): string {
  if (cases === undefined) return '';
  return cases === 0
    ? 'Not answered: no person with a case number asked.\n'
    : `Answered: the text is in ${count(cases, 'case')}.\n`;
}

/** Returns all requests that wait, page by page. */
async function listRequests(engine: Calls): Promise<DisputeRequest[]> {
  const requests: DisputeRequest[] = [];
  for (;;) {
    const last = requests.at(-1);
    const after = last && { requestedAt: last.requestedAt, requestId: last.requestId, reportId: last.reportId };
    const page = await engine.listDisputeRequests({ after });
    requests.push(...page);
    if (page.length < REQUESTS_LISTED) return requests;
  }
}

function formatDisputes(disputes: readonly ListedDispute[]): string {
  const rows = disputes.map((dispute) => [
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
  const lines = disputes.flatMap(({ reportId, alike = 0 }) =>
    alike > 0 ? [`${reportId}: ${formatAlike(alike)}.\n`] : [],
  );
  const table = formatTable([
    ['REPORT', 'REPORTER', 'STATE', 'OPENED', 'BY', 'DECIDED', 'BY', 'REASON', 'ANSWER'],
    ...rows,
  ]);
  return lines.length === 0
    ? table
    : `${table}\n${lines.join('')}To uphold them too, use disputes uphold with --alike.\n`;
}

type ListedRequest = NamedDispute<DisputeRequest> & {
  /** For a report that its reporter deleted: how many reports of the reporter are about the same person. */
  readonly alike?: number;
};

async function listRequestsWithAlike(engine: Calls): Promise<ListedRequest[]> {
  const requests = await withReporters(engine, await listRequests(engine));
  const reportIds = [...new Set(requests.map(({ reportId }) => reportId))];
  const counted = reportIds.length === 0 ? [] : await engine.countAlike({ reportIds });
  const alike = new Map(counted.map(({ reportId, reports }) => [reportId, reports]));
  return requests.map((one) => {
    const reports = alike.get(one.reportId);
    return reports === undefined ? one : { ...one, alike: reports };
  });
}

function formatRequests(requests: readonly ListedRequest[]): string {
  const rows = requests.map(({ requestId, reportId, reporter, requestedAt, reason }) => {
    return [requestId, reportId, reporter, formatMoment(requestedAt), reason];
  });
  const table = formatTable([['REQUEST', 'REPORT', 'REPORTER', 'REQUESTED', 'REASON'], ...rows]);
  const deleted = new Map(
    requests.flatMap(({ reportId, alike }) => (alike === undefined ? [] : [[reportId, alike] as const])),
  );
  const lines = [...deleted].map(([reportId, alike]) => `${reportId}: deleted report, filed again: ${alike} alike.\n`);
  return lines.length === 0 ? table : `${table}\n${lines.join('')}`;
}
