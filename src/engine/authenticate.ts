import { isCode } from '../domain/identifier.ts';
import { refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
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
  const { store, secrets, secretCheck, clock, throttles } = context;
  return async (request) => {
    await begin(context, request);
    if (!isCode(request.apiKey)) return refuse({ reason: 'unknown-key' });
    const digest = secrets.keyDigest(request.apiKey);
    const found = await store.findKey(digest);
    if (!found) return refuse({ reason: 'unknown-key' });
    if (secretCheck.state !== 'verified') await secretCheck.keyRecognised();
    const { key, reporter } = found;
    const now = clock();
    if (key.endsAt !== null && key.endsAt <= now) return refuse({ reason: 'revoked-key' });
    if (reporter.suspended) return refuse({ reason: 'suspended-key' });
    const allowed = await throttles[name].take(digest, now);
    return allowed.ok ? operation(context, reporter.reporterId, request) : allowed;
  };
}
