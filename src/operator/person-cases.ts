import {
  DISPUTE_BOUNDS,
  disputeStateAt,
  type CaseMessage,
  type CaseReport,
  type CaseRequest,
  type Dispute,
  type PersonCase,
} from '../core/domain/dispute.ts';
import { toWho } from '../core/domain/audit.ts';
import { areCodes, isCode } from '../core/domain/identifier.ts';
import { requireString } from '../core/domain/options.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../core/domain/refusal.ts';
import type { EngineContext, WithContext } from '../core/engine/context.ts';
import { addressBucket } from '../core/engine/limits.ts';
import { StoreDamagedError } from '../core/store/errors.ts';
import { CASE_MESSAGE, DISPUTE, PERSON_CASE } from '../core/store/sql/catalogue.ts';
import type { RowOf } from '../core/store/sql/columns.ts';
import { find } from '../core/store/sql/rows.ts';
import type { CaseAnswer } from '../core/store/records.ts';
import { readCaseNumber } from './case-number.ts';
import { answerInStep, CASE_MS, toPersonsText } from './request-dispute.ts';
import { toAnswer } from './statement.ts';

/** Messages of the person that a case keeps, and of the operator beside decisions and refusals. */
const MAX_MESSAGES = DISPUTE_BOUNDS.messages;
/** Looks at cases, and messages, from one network. A message also counts as a request for a dispute. */
const CASE_LIMIT: RateLimit = { name: 'case', requests: 60, windowSeconds: 3600 };
/** Reports whose cases are read or answered at once. */
const MAX_REPORTS = 50;

/** Messages between the operator and persons who asked for a dispute. */
export interface PersonCases {
  /**
   * Returns the messages of cases about these reports (at most 50), oldest first: what persons have written since their
   * requests, and what they were answered.
   */
  listPersonCases(request: { readonly reportIds: readonly string[] }): Promise<readonly WrittenCase[]>;
  /**
   * Answers the persons who asked about these reports (at most 50): they read it on the pages of their cases. With
   * `requestId`, only those of this request. `answer` has 1 to 500 code points; reporters do not see it. Returns to how
   * many cases it was added. The audit log has an entry, with the report if there is one.
   * To answer with a decision or a refusal, pass `answer` to that call: both are then one write. A request that you
   * answer here, and refuse later without an answer, is shown as refused unless its page shows another report. Refuses
   * with `invalid-note`, `personal-data` or `invalid-name`.
   */
  answerPersons(request: {
    readonly reportIds: readonly string[];
    readonly requestId?: string | undefined;
    readonly answer: string;
    readonly by: string;
  }): Promise<Outcome<{ readonly cases: number }>>;
}

/** A case as the operator sees it. */
export interface WrittenCase {
  /** 16 lowercase hex characters. They do not tell the number. */
  readonly caseId: string;
  /** Ids of its requests that wait, about the reports that were asked for. */
  readonly requestIds: readonly string[];
  /** Those of the reports that it is about. */
  readonly reportIds: readonly string[];
  /** Oldest first. */
  readonly messages: readonly CaseMessage[];
}

/** Returns the operator's side of the cases of an engine. */
export function createPersonCases({ context }: WithContext): PersonCases {
  const { store } = context;
  const linksOf = (reportIds: readonly string[]) => {
    if (reportIds.length > MAX_REPORTS) throw new RangeError(`"reportIds" expected at most ${MAX_REPORTS} ids`);
    return store.read(() => find(PERSON_CASE, 'reportId', [...new Set(reportIds.filter(isCode))]));
  };
  return context.secretCheck.guard<PersonCases>({
    async listPersonCases({ reportIds }) {
      const links = await linksOf(reportIds);
      const caseIds = [...new Set(links.map(({ caseId }) => caseId))];
      const messages = await store.read(() => find(CASE_MESSAGE, 'caseId', caseIds));
      return caseIds.map((caseId) => {
        const own = links.filter((one) => one.caseId === caseId);
        return {
          caseId,
          requestIds: own.flatMap(({ requestId }) => requestId ?? []),
          reportIds: own.map(({ reportId }) => reportId),
          messages: inOrder(messages.filter((one) => one.caseId === caseId)),
        };
      });
    },

    async answerPersons({ reportIds, requestId, answer, by }) {
      const who = toWho(by);
      if (!who.ok) return who;
      const said = toCaseAnswer(context, answer);
      if (!said.ok) return said;
      const links = areCodes({ requestId }) ? await linksOf(reportIds) : [];
      const meant = links.filter((one) => requestId === undefined || one.requestId === requestId);
      const [reportId, ...others] = new Set(meant.map((one) => one.reportId));
      const message = {
        ...said.value,
        caseIds: [...new Set(meant.map(({ caseId }) => caseId))],
        fromOperator: true,
        reportId: others.length === 0 ? reportId : undefined,
      };
      const cases = await store.addCaseMessage(message, { actor: who.value, atMs: message.atMs });
      return accept({ cases });
    },
  });
}

/** Returns an answer to persons as the store takes it. Refuses with `invalid-note` or `personal-data`. */
export function toCaseAnswer({ settings, effects }: EngineContext, answer: string): Outcome<CaseAnswer> {
  const said = toAnswer(settings, answer);
  if (!said.ok) return said;
  const atMs = effects.clock();
  return accept({ text: said.value, atMs, most: MAX_MESSAGES, endedBefore: atMs - CASE_MS });
}

/**
 * Returns the function that answers a person with a case number, and takes what the person writes. Refuses a number
 * that this service did not make with `not-found`, and otherwise as a request for a dispute. Answers alike, also in
 * time, whether or not the case is stored: until the operator acts, nothing tells whether reports match.
 */
export function createReadCase(context: EngineContext): (request: CaseRequest) => Promise<Outcome<PersonCase>> {
  const throttle = context.limits.createThrottle(CASE_LIMIT);
  return async ({ number, text, about, client }) => {
    if (client !== undefined) {
      requireString('client', client);
      const network = addressBucket(client, 48);
      const allowed = await throttle.take(network);
      if (!allowed.ok) return allowed;
      const filed = text === undefined ? allowed : await context.limits.throttles.dispute.take(network);
      if (!filed.ok) return filed;
    }
    const said = text === undefined ? accept('') : toPersonsText(context.settings, text);
    if (!said.ok) return said;
    return answerInStep(context.effects, async () => {
      const known = readCaseNumber(context, number);
      if (!known) return refuse({ reason: 'not-found' });
      const { caseId, madeAt } = known;
      const found = await read(context, caseId, said.value, about).catch((error: unknown) => {
        // Without the store, no number is answered. But only a case that is stored has damaged rows.
        if (!(error instanceof StoreDamagedError)) throw error;
        context.notify({ event: 'dispute-request-lost', error });
        return NOTHING;
      });
      return accept({ number: known.number, receivedAt: madeAt, readAt: context.effects.clock(), ...found });
    });
  };
}

const NOTHING: Pick<PersonCase, 'reports' | 'messages' | 'isFull'> = { reports: [], messages: [], isFull: false };

async function read(
  { store, effects, notify }: EngineContext,
  caseId: string,
  text: string,
  about: string | undefined,
) {
  const links = await store.read(() => find(PERSON_CASE, 'caseId', [caseId]));
  const atMs = effects.clock();
  const endedBefore = atMs - CASE_MS;
  const reportIds = links.map(({ reportId }) => reportId);
  const disputes = await store.read(() => find(DISPUTE, 'reportId', reportIds));
  // The person may learn nothing from reports on which the operator has not acted. So they count only while no report
  // is shown: until then, each number takes messages alike.
  const shown = links.flatMap((link) => {
    const state = toState(link, disputes);
    return state ? [{ ...state, reportId: link.reportId }] : [];
  });
  const isOpen = shown.length === 0 ? links.length > 0 : shown.some(({ state }) => state === 'open');
  const isShown = (reportId: string | null | undefined): boolean => shown.some((one) => one.reportId === reportId);
  const reportId = isShown(about) ? about : undefined;
  const message = { caseIds: [caseId], fromOperator: false, text, atMs, most: MAX_MESSAGES, endedBefore, reportId };
  if (text !== '' && isOpen)
    // Only a case that is stored writes, so the answer must not tell that the write failed.
    await store.addCaseMessage(message).catch((error: unknown) => notify({ event: 'dispute-request-lost', error }));
  const written = inOrder(await store.read(() => find(CASE_MESSAGE, 'caseId', [caseId])));
  const messages = written.map((one) => (isShown(one.reportId) ? one : { ...one, reportId: null }));
  const answeredAt = Math.max(-1, ...messages.flatMap(({ fromOperator, at }) => (fromOperator ? at : [])));
  const found = await store.findReports(shown.map(({ reportId }) => reportId));
  const reports = shown.map(({ state, at = answeredAt, reportId }): CaseReport => {
    const report = found.find((one) => one.reportId === reportId);
    return {
      reportId,
      state,
      at,
      report: report && { type: report.type, reporter: report.reporter, createdAt: report.createdAt },
    };
  });
  const lastAt = Math.max(answeredAt, ...reports.map(({ at }) => at));
  const isEnded = lastAt < endedBefore && reports.every(({ state }) => state !== 'open');
  // A case that waits says nothing, not even what its person has written.
  if (isEnded) return NOTHING;
  const own = messages.filter(({ fromOperator }) => !fromOperator);
  const isFull = text !== '' && isOpen && own.length >= MAX_MESSAGES && !own.some((one) => one.text === text);
  return { reports: reports.sort((a, b) => a.at - b.at), messages, isFull };
}

type PersonLink = RowOf<(typeof PERSON_CASE)['columns']>;

/** Returns what the operator did about a report since the request; undefined if nothing. */
function toState(
  { reportId, requestId, receivedAt }: PersonLink,
  all: readonly Dispute[],
): (Pick<CaseReport, 'state'> & { readonly at?: number }) | undefined {
  if (requestId !== null) return undefined;
  const disputes = all.filter((one) => one.reportId === reportId);
  // A dispute that was open when the request came is shown when it is decided. Shown before, it would tell strangers at
  // once that a report matches.
  const since = disputes.filter(({ openedAt, decidedAt }) => (decidedAt ?? openedAt) >= receivedAt);
  const state = disputeStateAt(since, Infinity);
  const [last] = since.sort((a, b) => b.openedAt - a.openedAt);
  if (state === 'open') return { state, at: last!.openedAt };
  if (state !== 'none') return { state, at: since.find(({ decidedAt }) => decidedAt !== null)!.decidedAt! };
  return disputes.some(({ decidedAt }) => decidedAt === null) ? undefined : { state: 'refused' };
}

function inOrder(
  messages: readonly (Omit<CaseMessage, 'at'> & { readonly position: number; readonly atMs: number })[],
): CaseMessage[] {
  return [...messages]
    .sort((a, b) => a.position - b.position)
    .map(({ atMs, fromOperator, text, reportId }) => ({ at: atMs, fromOperator, text, reportId }));
}
