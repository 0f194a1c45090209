import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { AskedKey, FoundKey } from '../store/records.ts';
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
export type Caller =
  | { readonly reporterId: string; readonly key?: undefined }
  | { readonly reporterId?: undefined; readonly key: KeyCheck };

/** The check of a request's key. It counts the request, so use either {@link admit} or {@link ask}, once. */
export interface KeyCheck {
  /** What to ask the store. */
  readonly asked: AskedKey;
  /** Returns the id of the key's reporter, or the refusal. `found` is the store's answer. */
  admit(found: FoundKey | undefined): Promise<Outcome<string>>;
  /** Asks the store, and returns what {@link admit} returns. */
  ask(): Promise<Outcome<string>>;
}

/**
 * Returns an operation that needs an API key. The operation finds the key's reporter (spec 5) and counts the request
 * against the key's limit (spec 8). Only known keys have a bucket, so guessed keys use no memory. The store looks up
 * the key's keyed digest, so the response time reveals nothing about a guessed key.
 */
export function authenticated<Request, Value>(
  context: EngineContext,
  name: RateLimit['name'],
  operation: (context: EngineContext, reporterId: string, request: Request) => Promise<Outcome<Value>>,
): (request: Request & { readonly apiKey: string }) => Promise<Outcome<Value>> {
  return async (request) => {
    const key = await toCheck(context, name, request);
    if (!key.ok) return key;
    const admitted = await key.value.ask();
    return admitted.ok ? operation(context, admitted.value, request) : admitted;
  };
}

/**
 * Like {@link authenticated}, for an operation that begins with a read. With a shared store, the operation checks the
 * key by this read, because each read is a round trip.
 */
export function authenticatedByRead<Request, Value>(
  context: EngineContext,
  name: RateLimit['name'],
  operation: (context: EngineContext, caller: Caller, request: Request) => Promise<Outcome<Value>>,
): (request: Request & { readonly apiKey: string }) => Promise<Outcome<Value>> {
  const { store, peppers } = context;
  return async (request) => {
    const key = await toCheck(context, name, request);
    if (!key.ok) return key;
    // During a rotation, the operation may write before it reads. Only a valid key may cause this.
    if (store.shared && !peppers.mayMove) return operation(context, { key: key.value }, request);
    const admitted = await key.value.ask();
    return admitted.ok ? operation(context, { reporterId: admitted.value }, request) : admitted;
  };
}

async function toCheck(
  context: EngineContext,
  name: RateLimit['name'],
  request: { readonly apiKey: string },
): Promise<Outcome<KeyCheck>> {
  await begin(context, request);
  if (!isCode(request.apiKey)) return refuse({ reason: 'unknown-key' });
  const { store, secrets, secretCheck, clock, throttles } = context;
  const throttle = throttles[name];
  const nowMs = clock();
  const digest = secrets.keyDigest(request.apiKey);
  const asked = { digest, token: throttle.shared?.tokenOf(digest, nowMs) };

  const admit = async (found: FoundKey | undefined): Promise<Outcome<string>> => {
    if (!found) return refuse({ reason: 'unknown-key' });
    if (secretCheck.state !== 'verified') await secretCheck.keyRecognised();
    const { key, reporter, waitMs } = found;
    if (key.endsAt !== null && key.endsAt <= nowMs) return refuse({ reason: 'revoked-key' });
    if (reporter.suspended) return refuse({ reason: 'suspended-key' });
    const allowed =
      throttle.shared && waitMs !== undefined ? throttle.shared.toOutcome(waitMs) : await throttle.take(digest, nowMs);
    return allowed.ok ? accept(reporter.reporterId) : allowed;
  };
  return accept({ asked, admit, ask: async () => admit(await store.findKey(digest, asked.token)) });
}
