import { ENGINE } from '../../domain/audit.ts';
import type { Protection } from '../../domain/protection.ts';
import { record } from './audit.ts';
import { DISPUTE, IDENTIFIER, PROTECTION, REPORT } from './catalogue.ts';
import { forgetClaim, hasWaitingRequest } from './claims.ts';
import { eraseDisputeRequests } from './dispute-requests.ts';
import { answerCases, openCases } from './person-cases.ts';
import { change, find, put, read, readWhere } from './rows.ts';
import { identifiersOf } from './removal.ts';
import { judgedLock, UNDECIDED, upholdAlike } from './repeats.ts';
import { EVERYBODY, type SingleRead } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { pick } from './table.ts';

const PROTECTED = pick(PROTECTION, 'hash', 'addedAt', 'addedBy', 'reason', 'endsAt', 'endedBy');

/** Disputes and the allow-list. */
export const MODERATION_WORK = {
  *openDispute({ reportId, openedAt, openedBy, reason }, note) {
    yield { lock: [`report/${reportId}`] };
    const [report] = yield* find(REPORT, 'reportId', [reportId]);
    const disputes = yield* find(DISPUTE, 'reportId', [reportId]);
    // A deleted report can be disputed if it was disputed before, because its reporter still bears the loss, or if
    // requests kept its identifiers. No reason is stored then, because it could describe the person.
    const isDeleted = report?.removedAt !== null;
    if (!report) return 'unknown';
    if (isDeleted && disputes.length === 0 && !(yield* hasWaitingRequest(reportId))) return 'unknown';
    // One open dispute at a time, in the order of time: the last decision counts.
    if (disputes.some((dispute) => dispute.decidedAt === null || dispute.openedAt >= openedAt)) return 'open';
    // The UPDATE below uses the same index. Verify that it leads to exactly the identifiers of this report.
    if (!isDeleted) yield* identifiersOf(reportId);
    const { reporterId } = report;
    const opened = { reportId, reporterId, openedAt, openedBy, reason: isDeleted ? '' : reason };
    yield* put(DISPUTE, [{ ...UNDECIDED, ...opened }]);
    yield* openCases(reportId);
    yield* eraseDisputeRequests(reportId);
    yield* change(IDENTIFIER, { reportId, disputed: false }, { disputed: [false, true] });
    // From now on, a query looks up the dispute, and will see its decision too.
    yield { seenBy: [EVERYBODY] };
    yield* record(note, { action: 'dispute-opened', reporterId, subject: reportId });
    return 'opened';
  },

  *decideDispute({ reportId, upheld, decidedAt, decidedBy, weakKinds, alike, claimRules, found, answer }, note) {
    const rules = weakKinds && { weakKinds, claimRules };
    // Before the locks: all of them are taken at once, or two decisions could wait for each other.
    const [first] = upheld && rules ? yield* find(DISPUTE, 'reportId', [reportId]) : [];
    yield { lock: [`report/${reportId}`, ...(first ? [judgedLock(first.reporterId)] : [])] };
    const disputes = yield* find(DISPUTE, 'reportId', [reportId]);
    const open = disputes.find((dispute) => dispute.decidedAt === null);
    if (!open) return 'none';
    const by = alike && (claimRules ?? 0) >= 6 ? decidedBy : undefined;
    const repeated = upheld && rules ? yield* upholdAlike(open, rules, decidedAt, alike, found, by) : [];
    const isDecided = !found || found.searchedAt !== undefined;
    // The claim was right, so a repetition may count: the identifiers have no use any more.
    if (isDecided)
      yield* change(
        DISPUTE,
        { reportId, decidedAt: null },
        { decidedAt: [null, decidedAt], decidedBy: [null, decidedBy], upheld: [null, upheld] },
      );
    if (!upheld) yield* forgetClaim(reportId, claimRules);
    const recordAnswer = yield* answerCases(isDecided ? answer : undefined, [{ reportId }]);
    const action = upheld ? 'dispute-upheld' : 'dispute-rejected';
    for (const subject of isDecided ? [reportId, ...repeated] : repeated)
      yield* record(note, { action, reporterId: open.reporterId, subject });
    yield* recordAnswer(note);
    return isDecided ? 'decided' : 'continued';
  },

  *reopenDispute({ reportId, decidedAt }, note) {
    const [known] = yield* find(REPORT, 'reportId', [reportId]);
    if (!known) return 'none';
    yield { lock: [`report/${reportId}`, judgedLock(known.reporterId)] };
    const [report] = yield* find(REPORT, 'reportId', [reportId]);
    const disputes = yield* find(DISPUTE, 'reportId', [reportId]);
    const last = disputes.sort((a, b) => a.openedAt - b.openedAt).at(-1);
    if (!report || last?.decidedAt !== decidedAt) return 'none';
    // Of a deleted report, only a wrong claim that people found is kept, and an open dispute must be able to uphold it.
    if (report.removedAt !== null && (!last.upheld || last.openedBy === ENGINE)) return 'none';
    yield* change(
      DISPUTE,
      { reportId, openedAt: last.openedAt },
      { decidedAt: [decidedAt, null], decidedBy: [last.decidedBy, null], upheld: [last.upheld, null] },
    );
    yield* record(note, { action: 'dispute-reopened', reporterId: last.reporterId, subject: reportId });
    return 'reopened';
  },

  *answerDispute({ reportId, reporterId, answer, answeredAt }, note) {
    yield { lock: [`report/${reportId}`] };
    const [report] = yield* find(REPORT, 'reportId', [reportId]);
    // No answer is stored after the deletion of the report, because it could describe the person.
    if (report?.reporterId !== reporterId || report.removedAt !== null) return 'none';
    const disputes = yield* find(DISPUTE, 'reportId', [reportId]);
    const open = disputes.find((dispute) => dispute.decidedAt === null);
    if (!open) return 'none';
    if (open.answer === answer) return 'answered';
    yield* change(
      DISPUTE,
      { reportId, openedAt: open.openedAt },
      { answer: [open.answer, answer], answeredAt: [open.answeredAt, answeredAt] },
    );
    yield* record(note, { action: 'dispute-answered', reporterId, subject: reportId });
    return 'answered';
  },

  findDisputes: (reportIds) => find(DISPUTE, 'reportId', reportIds),

  listDisputes: ({ reporterId, reportId } = {}) =>
    readWhere(DISPUTE, { reporterId, reportId }, 'opened_at DESC, report_id'),

  *addProtection({ generation = 0, element = null, seal = null, ...protection }, note) {
    const { hash, addedAt } = protection;
    yield { lock: [`protection/${hash}`] };
    const entries = yield* find(PROTECTED, 'hash', [hash]);
    if (entries.some(({ endsAt, ...one }) => endsAt === null || endsAt > addedAt || one.addedAt >= addedAt))
      return 'protected';
    yield* put(PROTECTION, [
      { ...protection, endedBy: null, generation, element, seal: element === null ? null : seal },
    ]);
    yield* record(note, { action: 'allow-list-added' });
    return 'added';
  },

  *endProtection({ hash, endsAt, endedBy }, note) {
    yield { lock: [`protection/${hash}`] };
    const entries = yield* find(PROTECTED, 'hash', [hash]);
    const open = entries.filter((entry) => entry.endsAt === null || entry.endsAt > endsAt);
    for (const { addedAt, ...old } of open)
      yield* change(PROTECTION, { hash, addedAt }, { endsAt: [old.endsAt, endsAt], endedBy: [old.endedBy, endedBy] });
    if (open.length === 0) return 'none';
    yield* record(note, { action: 'allow-list-removed' });
    return 'ended';
  },

  findProtections,

  listProtections: () => read(PROTECTED, 'ORDER BY hash, added_at'),
} satisfies Partial<StoreWork>;

/** Returns all entries of the allow-list for these hashes. */
export function findProtections(hashes: readonly string[]): SingleRead<Protection[]> {
  return find(PROTECTED, 'hash', hashes);
}
