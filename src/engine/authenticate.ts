import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { Reporter } from '../domain/reporter.ts';
import type { EngineContext } from './context.ts';

/**
 * Who sends this key (spec 5), and one request taken from that key's bucket (spec 8). Only known keys have buckets: guessing fills no memory.
 * The key is found by its keyed digest and compared with nothing, so the time says nothing about how much of a guess was right.
 */
export async function authenticate(
  context: EngineContext,
  apiKey: string,
  operation: RateLimit['name'],
): Promise<Outcome<Reporter>> {
  if (!isCode(apiKey)) return refuse({ reason: 'unknown-key' });
  const digest = context.secrets.keyDigest(apiKey);
  const found = await context.store.findKey(digest);
  if (!found) return refuse({ reason: 'unknown-key' });
  const { key, reporter } = found;
  const now = context.clock();
  if (key.endsAt !== null && key.endsAt <= now) return refuse({ reason: 'revoked-key' });
  if (reporter.suspended) return refuse({ reason: 'suspended-key' });
  const allowed = await context.throttles[operation].take(digest, now);
  return allowed.ok ? accept(reporter) : allowed;
}
