import { protectsAt } from '../domain/protection.ts';
import { RefusedError, StoreUnavailableError, unwrap, type Engine, type Identifier } from '../index.ts';
import { wordRefusal } from '../protocol/wording.ts';
import { CommandError } from './arguments.ts';
import { reasonOf } from './open-store.ts';
import { addPepper } from './pepper-file.ts';
import { UPKEEP_CALLS, type Place } from './upkeep-calls.ts';

/**
 * All that the commands of an operator ask of an engine: here, or of a service that runs on the folder, so arguments and answers are plain data.
 * The closed list: whatever else comes over the socket is refused.
 */
const CALLS = {
  'keys create': async (engine: Engine, call: { readonly name: string; readonly verified: boolean }) => {
    // A name that is there already gets one more key.
    const reporter =
      (await engine.listReporters()).find(({ name }) => name === call.name.trim()) ??
      unwrap(await engine.createReporter(call));
    return { did: 'create' as const, key: unwrap(await engine.issueKey(reporter)), reporter };
  },

  'keys list': async (engine: Engine) => {
    const byId = new Map((await engine.listReporters()).map((reporter) => [reporter.reporterId, reporter]));
    return (await engine.listKeys()).map((key) => {
      const { name, verified, suspended } = byId.get(key.reporterId)!;
      return { ...key, reporter: name, verified, suspended, ended: key.endsAt !== null && key.endsAt <= Date.now() };
    });
  },

  'keys rotate': async (engine: Engine, call: { readonly keyId: string; readonly graceSeconds: number }) => {
    const key = unwrap(await engine.rotateKey(call));
    return {
      did: 'rotate' as const,
      key,
      reporter: (await engine.listReporters()).find(({ reporterId }) => reporterId === key.reporterId)!,
    };
  },

  'keys revoke': async (engine: Engine, call: { readonly keyId: string }) => {
    unwrap(await engine.revokeKey(call));
    return { did: 'revoke' as const };
  },

  'reporters list': (engine: Engine) => engine.listStandings(),
  'reporters recompute': (engine: Engine) => engine.recomputeTrust(),

  'disputes list': async (engine: Engine) => {
    const names = new Map((await engine.listReporters()).map(({ reporterId, name }) => [reporterId, name]));
    return (await engine.listDisputes()).map((dispute) => ({ ...dispute, reporter: names.get(dispute.reporterId)! }));
  },

  'disputes open': async (
    engine: Engine,
    call: { readonly reportId: string; readonly reason: string; readonly by: string },
  ) => {
    unwrap(await engine.openDispute(call));
    return { did: 'open' as const };
  },

  'disputes decide': async (
    engine: Engine,
    call: { readonly reportId: string; readonly upheld: boolean; readonly by: string },
  ) => {
    unwrap(await engine.decideDispute(call));
    return { did: call.upheld ? ('uphold' as const) : ('reject' as const) };
  },

  'allow list': async (engine: Engine) =>
    (await engine.listProtected()).map((protection) => ({
      ...protection,
      protects: protectsAt(protection, Date.now()),
    })),

  'allow add': async (
    engine: Engine,
    call: { readonly hash: string; readonly reason: string; readonly by: string; readonly endsAt?: number },
  ) => {
    unwrap(await engine.protect(call));
    return { did: 'add' as const };
  },

  'allow remove': async (engine: Engine, call: { readonly hash: string; readonly by: string }) => {
    unwrap(await engine.unprotect(call));
    return { did: 'remove' as const };
  },

  'pepper status': (engine: Engine) => engine.pepperStatus(),

  'pepper rotate': async (engine: Engine, _: undefined, { pepperFile, store }: Place) => {
    const { moving, spare } = await engine.pepperStatus();
    if (store.shared && spare === 0 && !moving) {
      throw new CommandError(
        'several processes may use this store, and all of them need the new pepper first: redflag pepper add, give the file to each and start it anew, then rotate',
      );
    }
    // In the file first: what is stored under a pepper that is nowhere is lost.
    const moved = await engine.rotatePepper(spare > 0 || moving ? {} : { pepper: await addPepper(pepperFile) });
    return { moved, fingerprint: (await engine.pepperStatus()).fingerprints.at(-1)! };
  },

  explain: async (engine: Engine, call: { readonly identifiers: readonly Identifier[]; readonly asOf?: number }) =>
    unwrap(await engine.explain(call)),

  ...UPKEEP_CALLS,
};

type Calls = typeof CALLS;
export type CallName = keyof Calls;
/** What a call takes and what it answers. */
export type CallOf<Name extends CallName> = Parameters<Calls[Name]>[1];
export type AnswerOf<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

/** Does a call as it crosses the socket: its name, and what it takes. Throws CommandError with the words for what was refused. */
export async function runOperatorCall(engine: Engine, call: unknown, place: Place): Promise<unknown> {
  const { do: name, with: given } = call as { do?: unknown; with?: unknown };
  if (typeof name !== 'string' || !Object.hasOwn(CALLS, name))
    throw new CommandError('the service does not know this command; it may be of another version');
  const run = CALLS[name as CallName] as (engine: Engine, given: unknown, place: Place) => Promise<unknown>;
  try {
    return await run(engine, given, place);
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw new CommandError(reasonOf(error));
    if (error instanceof RefusedError) throw new CommandError(wordRefusal(error.refusal));
    throw error;
  }
}
