import { isCode } from '../domain/identifier.ts';
import { requireString } from '../domain/options.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { KeyScope } from '../domain/reporter.ts';
import type { KeyRequest, KeyWithReporter } from '../store/records.ts';
import { type BudgetOf, type Throttle, addressBucket } from './limits.ts';
import type { EngineContext } from './context.ts';

/**
 * Throws TypeError if the request is not an object. At the first request, waits until the operator's secret is
 * verified.
 */
export async function begin({ secretCheck }: EngineContext, request: unknown): Promise<void> {
  if (typeof request !== 'object' || request === null)
    throw new TypeError('"request" expected an object, got something else');
  if (secretCheck.state === 'unchecked') await secretCheck.ready();
}

/** Who sends a request: a known reporter, or a key that the operation must still check. */
export type Caller = KnownCaller | UncheckedCaller;

export interface KnownCaller {
  readonly reporterId: string;
  readonly key?: undefined;
}

/** A caller whose request was counted. */
export interface CountedCaller extends KnownCaller {
  /** Counts nothing for the request after all, because the service could not do its work. Call it once at most. */
  giveBack(): void;
}

export interface UncheckedCaller {
  readonly reporterId?: undefined;
  readonly key: KeyCheck;
}

/** The check of a request's key. It counts the request, so call {@link admit} once. */
export interface KeyCheck {
  /** What to ask the store. */
  readonly request: KeyRequest;
  /** The key's reporter if this process has found the key before. Only {@link admit} tells whether it works now. */
  readonly knownReporterId: string | undefined;
  /** Returns the id of the key's reporter, or the refusal. `stored` is the store's answer. */
  admit(stored: KeyWithReporter | undefined): Promise<Outcome<string>>;
}

/** What every request with a key has. */
export interface Authentication {
  /** The reporter's key, 16 lowercase hex characters. Other text is refused with `unknown-key`. */
  readonly apiKey: string;
  /** The client's address, if known. Too many keys that do not work are refused. A key that works here never is. */
  readonly client?: string | undefined;
}

/** What a request costs. */
export interface Cost {
  /** Tokens of the throttle, at least 1. */
  readonly tokens: number;
  /** Identifiers of the budget, if the operation has one. */
  readonly budget: number;
  /** Identifiers that the usage counts as looked up. */
  readonly lookedUp: number;
}

const ONE_REQUEST: Cost = { tokens: 1, budget: 1, lookedUp: 0 };

/** An operation that needs a key, and how its requests are counted. */
interface KeyedOperation<Request, Value> {
  /** Counts the requests of the key's reporter. */
  readonly throttle: Throttle;
  /** The scope that a key of a narrower scope must have; undefined if any key will do. */
  readonly needs: KeyScope | undefined;
  /** Returns what a request costs. Default: one token, and one of the budget. */
  readonly costOf?: (request: Request) => Cost;
  /** The budget that a request counts against, too. */
  readonly budgetOf?: BudgetOf | undefined;
  /**
   * True if the budget takes back what a request cost, by its outcome; undefined for a failure. Default: only if it was
   * refused for want of room. The tokens stay taken: without them, such work could be asked for without limit.
   */
  readonly isRefunded?: (outcome: Outcome<Value> | undefined) => boolean;
  run(context: EngineContext, caller: CountedCaller, request: Request): Promise<Outcome<Value>>;
  /**
   * The same for an unchecked key. On a shared store, where each read is a round trip, it runs instead: its first read
   * also finds the key.
   */
  readonly runUnchecked?: (
    context: EngineContext,
    caller: UncheckedCaller,
    request: Request,
  ) => Promise<Outcome<Value>>;
}

/**
 * Returns an operation that needs an API key. The operation finds the key's reporter (protocol 5) and counts the
 * request against the reporter's limits (protocol 8). Only known keys have buckets there, so guessed keys use no
 * memory. The store looks up the key's keyed digest, so the response time reveals nothing about a guessed key.
 */
export function withAuthentication<Request, Value>(
  context: EngineContext,
  operation: KeyedOperation<Request, Value>,
): (request: Request & Authentication) => Promise<Outcome<Value>> {
  const { throttle, needs, costOf, budgetOf, isRefunded = wasOverloaded, run, runUnchecked } = operation;
  const { store, peppers, secrets, secretCheck, limits, usage, effects } = context;
  /** Refuses a key that does not work, and counts the refusal against the client's address. */
  const refuseKey = async (client: string | undefined, reason: KeyRefusal): Promise<Outcome<never>> => {
    const allowed =
      client === undefined ? undefined : await limits.throttles['unknown-key'].take(addressBucket(client));
    return allowed?.ok === false ? allowed : refuse({ reason });
  };
  return async (request) => {
    await begin(context, request);
    const { apiKey, client } = request;
    if (client !== undefined) requireString('client', client);
    if (!isCode(apiKey)) return refuseKey(client, 'unknown-key');
    const atMs = effects.clock();
    const digest = secrets.keyDigest(apiKey);
    const cost = costOf?.(request) ?? ONE_REQUEST;
    const ticket = throttle.ask(digest, cost.tokens);
    const keyRequest = { digest, tokens: ticket.tokens, atMs, needs };

    /** The reporter whose budget has the cost of this request. */
    let charged: string | undefined;
    const refund = (): void => {
      if (charged !== undefined) store.giveBack(charged, cost.budget);
      charged = undefined;
    };
    const settle = (outcome: Outcome<Value>): Outcome<Value> => {
      if (isRefunded(outcome)) refund();
      return outcome;
    };

    const admit = async (stored: KeyWithReporter | undefined): Promise<Outcome<string>> => {
      if (stored && secretCheck.state !== 'verified') await secretCheck.keyRecognised();
      const refused = refusalOf(stored, atMs, needs);
      if (refused || !stored) {
        ticket.cancel();
        if (stored && refused === 'revoked-key') usage.endedKeyUsed(stored, atMs);
        return refuseKey(client, refused ?? 'unknown-key');
      }
      let allowed = await ticket.count(stored);
      // If the budget refuses, the tokens stay taken: a reporter without budget must not ask without limit.
      const { reporter } = stored;
      if (allowed.ok && budgetOf) allowed = await limits.spend(reporter, budgetOf(reporter), cost.budget);
      if (!allowed.ok) return allowed;
      usage.used(stored, cost.lookedUp, atMs);
      if (budgetOf) charged = reporter.reporterId;
      return accept(reporter.reporterId);
    };

    try {
      // The operation may write or compute before it reads. Only a valid key may cause that.
      const known = ticket.knownReporterId;
      const isSpent = known !== undefined && limits.isSpent(known);
      if (runUnchecked && store.shared && !peppers.needsKey && !isSpent)
        return settle(
          await runUnchecked(context, { key: { request: keyRequest, admit, knownReporterId: known } }, request),
        );
      const stored = await store.findKey(keyRequest);
      const admitted = await admit(stored);
      if (!admitted.ok) return admitted;
      const giveBack = (): void => {
        refund();
        ticket.giveBack();
        if (stored) usage.unused(stored, cost.lookedUp);
      };
      return settle(await run(context, { reporterId: admitted.value, giveBack }, request));
    } catch (error) {
      ticket.cancel();
      if (isRefunded(undefined)) refund();
      throw error;
    }
  };
}

/** True if a request was refused because too many others run or wait. */
function wasOverloaded(outcome: Outcome<unknown> | undefined): boolean {
  return outcome?.ok === false && outcome.refusal.reason === 'overloaded';
}

type KeyRefusal = 'unknown-key' | 'revoked-key' | 'suspended-key' | 'key-scope';

function refusalOf(
  stored: KeyWithReporter | undefined,
  atMs: number,
  needed: KeyScope | undefined,
): KeyRefusal | undefined {
  if (!stored) return undefined;
  const { endsAt, scope } = stored.key;
  if (endsAt !== null && endsAt <= atMs) return 'revoked-key';
  if (stored.reporter.suspended) return 'suspended-key';
  return scope === null || needed === undefined || scope === needed ? undefined : 'key-scope';
}
