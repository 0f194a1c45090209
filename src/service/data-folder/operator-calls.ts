import { toAuditNote } from '../../core/domain/audit.ts';
import { protectsNow } from '../../core/domain/protection.ts';
import { pepperFingerprint, unwrap, type KeyScope, type Reporter } from '../../index.ts';
import type { AuditEntry, DamagedEntry, DisputeRequestPlace, ExplainRequest } from '../../operator.ts';
import type { ProgramEngine } from './program-engine.ts';
import { wordRefusal } from '../../core/protocol/wording.ts';
import { DataFolderError, withDataFolderErrors } from './errors.ts';
import { findReporter } from './find-reporter.ts';
import { PANEL_CALLS } from './panel-calls.ts';
import { SEALED_CALLS } from './sealed/calls.ts';
import { addPepper } from './pepper-file.ts';
import { UPKEEP_CALLS, type Place } from './upkeep-calls.ts';
import { WEBHOOK_CALLS } from './webhook-calls.ts';

type RequestOf<
  Name extends
    'openDispute' | 'decideDispute' | 'refuseDisputeRequest' | 'refuseDisputeRequests' | 'protect' | 'unprotect',
> = Parameters<ProgramEngine[Name]>[0];

/** The operator's name; missing from commands of older versions. */
interface By {
  readonly by?: string | undefined;
}

const done = <Did extends string>(did: Did): { readonly did: Did } => ({ did });

/**
 * All calls that operators' commands make to an engine, in this process or in the running service. Arguments and
 * answers are plain data. Any other call over the socket is refused.
 */
const CALLS = {
  'keys create': async (
    engine: ProgramEngine,
    call: {
      readonly name: string;
      readonly verified: boolean;
      readonly scope: KeyScope | null;
      readonly endsAt: number | null;
    } & By,
  ) => {
    const { name, verified, scope, endsAt, by } = call;
    const known = await findReporter(engine, name);
    // A key of it would count as verified, and the operator asked for the opposite.
    if (known?.verified === true && !verified)
      throw new DataFolderError(
        'this reporter exists and is verified, and --unverified is only for a new one: leave it out, or choose another name',
      );
    const reporter = known ?? unwrap(await engine.createReporter({ name, verified, by }));
    return {
      ...done('create'),
      key: unwrap(await engine.issueKey({ reporterId: reporter.reporterId, scope, endsAt, by })),
      reporter,
    };
  },

  'keys list': async (engine: ProgramEngine) => {
    const reporterOf = await findReporters(engine);
    return (await engine.listKeys()).map((key) => {
      const { name, verified, suspended } = reporterOf(key);
      return { ...key, reporter: name, verified, suspended, ended: key.endsAt !== null && key.endsAt <= Date.now() };
    });
  },

  'keys rotate': async (
    engine: ProgramEngine,
    call: { readonly keyId: string; readonly graceSeconds: number } & By,
  ) => {
    const key = unwrap(await engine.rotateKey(call));
    return { ...done('rotate'), key, reporter: (await findReporters(engine, [key.reporterId]))(key) };
  },

  'keys revoke': async (engine: ProgramEngine, call: { readonly keyId: string } & By) => {
    unwrap(await engine.revokeKey(call));
    return done('revoke');
  },

  'reporters list': (engine: ProgramEngine) => engine.listStandings(),
  'reporters budget': async (
    engine: ProgramEngine,
    { name, identifiersPerDay, by }: { readonly name: string; readonly identifiersPerDay: number | null } & By,
  ) => {
    const reporter = await findReporter(engine, name);
    unwrap(await engine.setBudget({ reporterId: reporter?.reporterId ?? '', identifiersPerDay, by }));
    return done('budget');
  },
  'reporters suspend': async (
    engine: ProgramEngine,
    { name, suspended, by }: { readonly name: string; readonly suspended: boolean } & By,
  ) => {
    const reporter = await findReporter(engine, name);
    unwrap(await engine.suspendReporter({ reporterId: reporter?.reporterId ?? '', suspended, by }));
    return done(suspended ? 'suspend' : 'unsuspend');
  },
  'reporters contact': async (
    engine: ProgramEngine,
    { name, contact, by }: { readonly name: string; readonly contact: string | null } & By,
  ) => {
    const reporter = await findReporter(engine, name);
    unwrap(await engine.updateReporter({ reporterId: reporter?.reporterId ?? '', contact, by }));
    return done('contact');
  },
  'reporters verify': async (
    engine: ProgramEngine,
    { name, verified, by }: { readonly name: string; readonly verified: boolean } & By,
  ) => {
    const reporter = await findReporter(engine, name);
    unwrap(await engine.updateReporter({ reporterId: reporter?.reporterId ?? '', verified, by }));
    return done(verified ? 'verify' : 'unverify');
  },
  'reporters recompute': (engine: ProgramEngine) => engine.recomputeTrust(),

  'disputes list': async (engine: ProgramEngine) => {
    const disputes = await engine.listDisputes();
    const reporterOf = await findReporters(engine, reporterIdsOf(disputes));
    return disputes.map((dispute) => ({ ...dispute, reporter: reporterOf(dispute).name }));
  },

  'disputes open': async (engine: ProgramEngine, call: RequestOf<'openDispute'>) => {
    unwrap(await engine.openDispute(call));
    return done('open');
  },

  'disputes decide': async (engine: ProgramEngine, call: RequestOf<'decideDispute'>) => {
    unwrap(await engine.decideDispute(call));
    return done(call.upheld ? 'uphold' : 'reject');
  },

  'disputes answer': async (
    engine: ProgramEngine,
    { reportId, answer, by }: { readonly reportId: string; readonly answer: string } & By,
  ) => {
    const open = (await engine.listDisputes({ reportId })).find(({ decidedAt }) => decidedAt === null);
    unwrap(await engine.answerDispute({ reportId, reporterId: open?.reporterId ?? '', answer, by }));
    return done('answer');
  },

  'disputes requests': async (
    engine: ProgramEngine,
    { after }: { readonly after?: DisputeRequestPlace | undefined } = {},
  ) => {
    const requests = await engine.listDisputeRequests({ after });
    const reporterOf = await findReporters(engine, reporterIdsOf(requests));
    return { requests: requests.map((request) => ({ ...request, reporter: reporterOf(request).name })) };
  },

  'disputes refuse': async (engine: ProgramEngine, call: RequestOf<'refuseDisputeRequest'>) => {
    unwrap(await engine.refuseDisputeRequest(call));
    return done('refuse');
  },

  'disputes refuse-all': async (engine: ProgramEngine, call: RequestOf<'refuseDisputeRequests'>) => ({
    ...done('refuse-all'),
    ...unwrap(await engine.refuseDisputeRequests(call)),
  }),

  'allow list': async (engine: ProgramEngine) =>
    (await engine.listProtected()).map((protection) => ({
      ...protection,
      protects: protectsNow(protection, Date.now()),
    })),

  'allow add': async (engine: ProgramEngine, call: RequestOf<'protect'>) => {
    unwrap(await engine.protect(call));
    return done('add');
  },

  'allow remove': async (engine: ProgramEngine, call: RequestOf<'unprotect'>) => {
    unwrap(await engine.unprotect(call));
    return done('remove');
  },

  'pepper status': (engine: ProgramEngine) => engine.pepperStatus(),

  'pepper rotate': async (engine: ProgramEngine, { by }: By, { folder, store }: Place) => {
    const { moving, spare, generation } = await engine.pepperStatus();
    if (store.shared && spare === 0 && !moving) {
      throw new DataFolderError(
        'several processes may use this store: first run redflag pepper add, copy the pepper file to every process and restart each process; then run redflag pepper rotate',
      );
    }
    // Write the file first: identifiers under a lost pepper cannot be matched again.
    const moved = await engine.rotatePepper(
      spare > 0 || moving ? { by } : { pepper: await addPepper(folder, generation), by },
    );
    const { fingerprints } = await engine.pepperStatus();
    return { moved, fingerprint: fingerprints.at(-1) ?? '' };
  },

  'pepper add': async (engine: ProgramEngine, { by }: By, { folder }: Place) => {
    const subject = pepperFingerprint(await addPepper(folder, 0));
    unwrap(await engine.recordAction({ action: 'pepper-added', subject, by }));
    return done('add');
  },

  'audit list': async (engine: ProgramEngine, { sinceMs }: { readonly sinceMs: number }) => {
    const found: (AuditEntry | DamagedEntry)[] = [];
    for (let after = 0; ;) {
      const page = await engine.listAudit({ after });
      // Clocks may differ: the times are not in the order of the log.
      found.push(...page.filter((entry) => 'damaged' in entry || entry.atMs >= sinceMs));
      if (page.length === 0) return found;
      after = page.at(-1)?.seq ?? after;
    }
  },

  'audit verify': (engine: ProgramEngine, call: { readonly head?: string }) => engine.verifyAudit(call),

  explain: async (engine: ProgramEngine, call: ExplainRequest) => unwrap(await engine.explain(call)),

  ...UPKEEP_CALLS,
  ...WEBHOOK_CALLS,
  ...PANEL_CALLS,
  ...SEALED_CALLS,
};

const reporterIdsOf = (of: readonly { readonly reporterId: string }[]): string[] => of.map((one) => one.reporterId);

/** Returns a function that finds the reporter of a key or dispute: all reporters, or those with these ids. */
async function findReporters(
  engine: ProgramEngine,
  reporterIds?: readonly string[],
): Promise<(of: { readonly reporterId: string }) => Reporter> {
  const byId = new Map(
    (await engine.listReporters({ reporterIds })).map((reporter) => [reporter.reporterId, reporter]),
  );
  return ({ reporterId }) => {
    const reporter = byId.get(reporterId);
    if (!reporter)
      throw new DataFolderError('the store lacks a reporter that another row refers to: run redflag check');
    return reporter;
  };
}

type Calls = typeof CALLS;
export type CallName = keyof Calls;
export type CallOf<Name extends CallName> = Parameters<Calls[Name]>[1];
export type AnswerOf<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

/** A call as sent over the socket. */
export interface OperatorCall<Name extends CallName = CallName> {
  readonly do: Name;
  readonly with: CallOf<Name>;
}

/** The calls, typed so that each name requires its own argument. */
const RUN: {
  readonly [Name in CallName]: (engine: ProgramEngine, given: CallOf<Name>, place: Place) => Promise<AnswerOf<Name>>;
} = CALLS;

/** Runs a call. Throws DataFolderError if it is refused or unknown. */
export async function runOperatorCall<Name extends CallName>(
  engine: ProgramEngine,
  call: OperatorCall<Name>,
  place: Place,
): Promise<AnswerOf<Name>> {
  // The call may come from another program over the socket.
  if (typeof call.do !== 'string' || !Object.hasOwn(CALLS, call.do))
    throw new DataFolderError(
      'the running service does not know this command; restart the service with this version of redflag',
    );
  // First of all: a call with a name that the audit log refuses must change nothing.
  const { by } = (call.with ?? {}) as By;
  const note = toAuditNote(by, Date.now);
  if (!note.ok) throw new DataFolderError(wordRefusal(note.refusal));
  return withDataFolderErrors(RUN[call.do](engine, call.with, place));
}
