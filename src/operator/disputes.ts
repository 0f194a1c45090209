import { ENGINE, toWho, type AuditNote } from '../core/domain/audit.ts';
import {
  REQUESTS_LISTED,
  type Dispute,
  type DisputeFilter,
  type DisputeRequest,
  type DisputeRequestPlace,
} from '../core/domain/dispute.ts';
import { areCodes, isCode } from '../core/domain/identifier.ts';
import { nameOf, refuseUnknown, requireBoolean, requireWhole } from '../core/domain/options.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { WithContext } from '../core/engine/context.ts';
import type { CaseAnswer } from '../core/store/records.ts';
import { CLAIM_RULES } from '../core/store/sql/catalogue.ts';
import { ALIKE_AT_ONCE, hashesOf, namedBy } from '../core/store/sql/repeats.ts';
import { countEarlier, searchAlike } from './alike.ts';
import { toCaseAnswer } from './person-cases.ts';
import { toStatement } from './statement.ts';

/** How long a decision can be taken back. Later, another dispute corrects it. */
export const UNDO_MS = 600_000;

/** How many reports are like a report, of the same reporter about the same person. */
export interface AlikeReports {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** How many are alike: with `isCut`, at least. */
  readonly reports: number;
  /** True if the search ended before it had read all of them. */
  readonly isCut?: true;
}

/** Disputes about reports (protocol 3, our choice). */
export interface Disputes {
  /**
   * Opens a dispute about a report. Until the decision, the report counts half. After a decision, you can open another
   * dispute, even if the report was deleted; a report that was found wrong stays so until it is decided. You can also
   * open one if requests waited when the report was deleted. Deletes the requests about the report. `by` is the person
   * who opens it; `reason` has 1 to 500 code points. Refuses with `unknown-report`, `dispute-open`, `invalid-name` or
   * `invalid-note`.
   */
  openDispute(request: {
    readonly reportId: string;
    readonly reason: string;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /**
   * Decides the open dispute about a report. If upheld, the report was wrong: it is not counted or shown, and its
   * reporter's standing falls. The claim stays wrong: reports of the same reporter about the same person since the
   * dispute was opened (or the report deleted before), and later ones, are found wrong too, with a dispute of `engine`.
   * This ends when a later dispute about one of these reports is rejected. With `alike`, also the earlier reports of
   * `countAlike`, whose disputes `by` decides if they add an identifier. Each write finds at most 50 of them wrong, and
   * the last one decides. If the call fails or the process ends before, the dispute is still open: repeat the call. If
   * you reject it instead, the reports found until then stay wrong. If rejected, the report counts as before. All who
   * asked about the report read `answer` (1 to 500 code points), which is stored in the write of the decision. If
   * `openedAt` (ms, UTC) is given, decides no dispute that was opened at another time. Refuses with `no-open-dispute`
   * or `invalid-name`, and because of the answer with `invalid-note` or `personal-data`.
   */
  decideDispute(request: {
    readonly reportId: string;
    readonly openedAt?: number | undefined;
    readonly upheld: boolean;
    readonly alike?: boolean | undefined;
    readonly answer?: string | undefined;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /**
   * Takes back the decision of `decidedAt` (ms, UTC) about a report, within ten minutes: its dispute is open again, the
   * report counts half, and its reporter's standing is as before. Reports of the same reporter about the same person
   * that were found wrong with it or since get an open dispute, too. What was sent stays sent: webhooks get
   * `dispute-reopened`, and an answer stays in the cases. Returns false, and changes nothing, if the time is over, a
   * later dispute was opened, or the report was deleted and the decision had deleted what was kept of it. Refuses with
   * `invalid-name`.
   */
  reopenDispute(request: {
    readonly reportId: string;
    readonly decidedAt: number;
    readonly by: string;
  }): Promise<Outcome<{ readonly reopened: boolean }>>;
  /**
   * Returns, for each of these reports with an open dispute, how many reports of the same reporter about the same
   * person are older than the dispute. They have no dispute of their own, and count unless you decide with `alike`.
   * If a report was deleted before its dispute was opened, those since the deletion are not among them. For a deleted
   * report with requests but no dispute, returns how many such reports there are, of any time. With `effort`, the
   * search ends after about as many rows, for all reports together: where `isCut` is true, there may be more.
   */
  countAlike(request: {
    readonly reportIds: readonly string[];
    readonly effort?: number | undefined;
  }): Promise<readonly AlikeReports[]>;
  /** Returns all disputes, or those that the filter selects, newest first. */
  listDisputes(filter?: DisputeFilter): Promise<readonly Dispute[]>;
  /**
   * Returns the requests of persons that wait for a decision: the 500 (`limit`) that wait longest, oldest first. If it
   * returns so many, pass the last one as `after` to continue. With `reporterId`, those about live reports of one
   * reporter; with `requestId`, one request, about each of its reports. Opening a dispute about a report deletes the
   * requests about it.
   */
  listDisputeRequests(request?: {
    readonly reporterId?: string | undefined;
    readonly requestId?: string | undefined;
    readonly after?: DisputeRequestPlace | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly DisputeRequest[]>;
  /**
   * Deletes a request, without a dispute: about one report, or about all of its reports. `by` is the person who refuses
   * it. Those who sent it read `answer`, which is as that of `decideDispute`. Without it, their pages do not tell that
   * reports matched. A later request of the same network may have the same id. If a part of the request is newer than
   * `seenAt` (ms, UTC), deletes nothing. Refuses with `unknown-request` or `invalid-name`, and because of the answer as
   * `decideDispute`.
   */
  refuseDisputeRequest(request: {
    readonly requestId: string;
    readonly reportId?: string | undefined;
    readonly seenAt?: number | undefined;
    readonly answer?: string | undefined;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /**
   * Deletes these requests about a report, without a dispute, and returns the number of those that waited. Pass the
   * requests that a person has seen: at most 20 wait about one report. `answer` is as that of `refuseDisputeRequest`.
   * Refuses with `unknown-request` if none of them waits, and otherwise as `refuseDisputeRequest`.
   */
  refuseDisputeRequests(request: {
    readonly reportId: string;
    readonly requestIds: readonly string[];
    readonly answer?: string | undefined;
    readonly by: string;
  }): Promise<Outcome<{ readonly refused: number }>>;
}

/** Returns the disputes about reports of an engine, and the requests for them. */
export function createDisputes({ context }: WithContext): Disputes {
  const { store, model, standings, effects } = context;
  const { clock } = effects;
  const answering = (answer: string | undefined): Outcome<{ readonly answer: CaseAnswer } | undefined> => {
    if (answer === undefined) return accept(undefined);
    const said = toCaseAnswer(context, answer);
    return said.ok ? accept({ answer: said.value }) : said;
  };
  const reopen = async (reportId: string, decidedAt: number, note: AuditNote): Promise<boolean> => {
    const reopened = (await store.reopenDispute({ reportId, decidedAt }, note)) === 'reopened';
    if (reopened) await standings?.disputed(reportId);
    return reopened;
  };
  /** Returns what the engine found wrong together with a dispute, or later: it shares a hash with its report. */
  const findFoundWith = async ({ reportId, reporterId, decidedAt }: Dispute): Promise<readonly Dispute[]> => {
    const later = (await store.listDisputes({ reporterId })).filter(
      (one) => one.openedBy === ENGINE && one.upheld && one.openedAt >= decidedAt! && one.reportId !== reportId,
    );
    const named = await store.read(() => namedBy([reportId, ...later.map((one) => one.reportId)]));
    const hashes = hashesOf(named.filter((one) => one.reportId === reportId));
    const linked = new Set(named.filter(({ hash }) => hashes.has(hash)).map((one) => one.reportId));
    return later.filter((one) => linked.has(one.reportId));
  };
  const rules = { weakKinds: model.trust?.weakKinds ?? [], claimRules: CLAIM_RULES };
  return context.secretCheck.guard<Disputes>({
    async openDispute({ reportId, reason, by }) {
      const statement = toStatement(by, reason);
      if (!statement.ok) return statement;
      if (!isCode(reportId)) return refuse({ reason: 'unknown-report' });
      // The newest dispute decides. Give it the latest time, even if the clock was set back.
      const atMs = clock();
      let openedAt = atMs;
      for (const earlier of await store.findDisputes([reportId]))
        openedAt = Math.max(openedAt, earlier.openedAt + 1, (earlier.decidedAt ?? 0) + 1);
      const opened = await store.openDispute(
        { reportId, openedAt, openedBy: statement.value.by, reason: statement.value.reason },
        { actor: statement.value.by, atMs },
      );
      if (opened !== 'opened') return refuse({ reason: opened === 'open' ? 'dispute-open' : 'unknown-report' });
      await standings?.disputed(reportId);
      return accept(undefined);
    },

    async decideDispute({ reportId, openedAt, upheld, alike = false, answer, by }) {
      if (openedAt !== undefined) requireWhole('openedAt', openedAt, 0);
      requireBoolean('upheld', upheld);
      requireBoolean('alike', alike);
      const who = toWho(by);
      if (!who.ok) return who;
      const said = answering(answer);
      if (!said.ok) return said;
      if (!isCode(reportId)) return refuse({ reason: 'no-open-dispute' });
      const open = (await store.findDisputes([reportId])).find(({ decidedAt }) => decidedAt === null);
      // The person has decided about another reason.
      if (openedAt !== undefined && open?.openedAt !== openedAt) return refuse({ reason: 'no-open-dispute' });
      const note = { actor: who.value, atMs: clock() };
      const decidedAt = Math.max(note.atMs, open?.openedAt ?? 0);
      const decision = { reportId, upheld, decidedAt, decidedBy: who.value, ...rules, alike };
      const reportIds = open && upheld ? await store.read(() => searchAlike(open, rules, decidedAt, alike)) : undefined;
      while (reportIds && reportIds.length > ALIKE_AT_ONCE) {
        const found = { reportIds: reportIds.splice(0, ALIKE_AT_ONCE) };
        if ((await store.decideDispute({ ...decision, found }, note)) === 'none') break;
        await effects.giveTurn();
      }
      const last = { ...(reportIds && { found: { reportIds, searchedAt: note.atMs } }), ...said.value };
      if ((await store.decideDispute({ ...decision, ...last }, note)) === 'none')
        return refuse({ reason: 'no-open-dispute' });
      await standings?.disputed(reportId);
      return accept(undefined);
    },

    async reopenDispute({ reportId, decidedAt, by }) {
      requireWhole('decidedAt', decidedAt, 0);
      const who = toWho(by);
      if (!who.ok) return who;
      const note = { actor: who.value, atMs: clock() };
      if (!isCode(reportId) || note.atMs - decidedAt >= UNDO_MS) return accept({ reopened: false });
      const [decided] = (await store.findDisputes([reportId])).filter((one) => one.decidedAt === decidedAt);
      const reopenFound = async (): Promise<void> => {
        for (const one of decided?.upheld ? await findFoundWith(decided) : [])
          await reopen(one.reportId, one.openedAt, note);
      };
      // The dispute itself comes after those: if the process ends before, repeat the call.
      await reopenFound();
      const reopened = await reopen(reportId, decidedAt, note);
      // A report that was stored meanwhile was found wrong, too.
      if (reopened) await reopenFound();
      return accept({ reopened });
    },

    async countAlike(request) {
      refuseUnknown(request, ['reportIds', 'effort']);
      if (request.effort !== undefined) requireWhole('effort', request.effort, 1);
      const effort = { left: request.effort ?? Infinity };
      const found: AlikeReports[] = [];
      for (const reportId of new Set(request.reportIds.filter(isCode))) {
        const reports = await store.read(() => countEarlier(reportId, rules, clock(), effort));
        if (reports !== undefined) found.push({ reportId, reports, ...(effort.left <= 0 && { isCut: true }) });
      }
      return found;
    },

    async listDisputes(filter = {}) {
      refuseUnknown(filter, ['reporterId', 'reportId']);
      if (!areCodes(filter)) return [];
      return store.listDisputes(filter);
    },

    async listDisputeRequests(request = {}) {
      refuseUnknown(request, ['reporterId', 'requestId', 'after', 'limit']);
      const { reporterId, requestId, after, limit = REQUESTS_LISTED } = request;
      requireWhole('limit', limit, 1, REQUESTS_LISTED);
      if (after !== undefined) {
        requireWhole('after.requestedAt', after.requestedAt, 0);
        if (!isCode(after.requestId) || !isCode(after.reportId)) throw new RangeError('"after" expected a request');
      }
      if (!areCodes({ reporterId, requestId })) return [];
      return store.findDisputeRequests({ reporterId, requestId, after, limit });
    },

    async refuseDisputeRequest({ requestId, reportId, seenAt, answer, by }) {
      if (seenAt !== undefined) requireWhole('seenAt', seenAt, 0);
      const who = toWho(by);
      if (!who.ok) return who;
      const said = answering(answer);
      if (!said.ok) return said;
      const isKnown = isCode(requestId) && (reportId === undefined || isCode(reportId));
      if (isKnown && seenAt !== undefined) {
        const waiting = await store.findDisputeRequests({ requestId, limit: REQUESTS_LISTED });
        if (waiting.some(({ requestedAt }) => requestedAt > seenAt)) return refuse({ reason: 'unknown-request' });
      }
      const note = { actor: who.value, atMs: clock() };
      const removal = { requestId, reportId, claimRules: CLAIM_RULES, ...said.value };
      const removed = isKnown ? await store.removeDisputeRequests(removal, note) : 0;
      return removed === 0 ? refuse({ reason: 'unknown-request' }) : accept(undefined);
    },

    async refuseDisputeRequests(request) {
      refuseUnknown(request, ['reportId', 'requestIds', 'answer', 'by']);
      const { reportId, requestIds, answer, by } = request;
      if (!Array.isArray(requestIds)) throw new TypeError(`"requestIds" expected an array, got ${nameOf(requestIds)}`);
      const who = toWho(by);
      if (!who.ok) return who;
      const note = { actor: who.value, atMs: clock() };
      const said = answering(answer);
      if (!said.ok) return said;
      const isKnown = isCode(reportId) && requestIds.every(isCode);
      const removal = { reportId, requestIds, claimRules: CLAIM_RULES, ...said.value };
      const refused = isKnown ? await store.removeDisputeRequests(removal, note) : 0;
      return refused === 0 ? refuse({ reason: 'unknown-request' }) : accept({ refused });
    },
  });
}
