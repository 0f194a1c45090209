import { DISPUTE_BOUNDS, type DisputeDraft } from '../core/domain/dispute.ts';
import { toIdentifiers } from '../core/domain/identifier.ts';
import { requireString } from '../core/domain/options.ts';
import { findPersonalData, kindsOf, redactPersonalData } from '../core/domain/personal-data.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import { isPublicText, withoutMarks } from '../core/domain/text.ts';
import { StoreDamagedError } from '../core/store/errors.ts';
import type { EngineContext, EngineSettings } from '../core/engine/context.ts';
import { drawUntil } from '../core/engine/secrets.ts';
import { addressBucket } from '../core/engine/throttle.ts';

/** Newest reports among which a request finds those that take it. */
const MAX_MATCHING_REPORTS = 50;
/** Reports about which one request waits. */
const MAX_REPORTS_PER_REQUEST = 10;
/** Requests that wait about one report. Further ones are dropped. */
const MAX_REQUESTS_PER_REPORT = 20;
/** If so many wait in all, a report takes only its first request: strangers must not fill the table. */
const MAX_WAITING_REQUESTS = 10_000;
/**
 * An accepted request is answered after a multiple of this time: a write takes longer than finding nothing, and the
 * difference would tell who has reports. Longer than both on almost every machine.
 */
const ANSWER_MS = 500;

/**
 * Files a request for disputes. Answers alike, also in time, whether or not reports match: the answer must not tell who
 * has reports. Refuses with `invalid-text`, `personal-data`, the refusals of identifiers, and `limited`.
 */
export async function requestDispute(context: EngineContext, request: DisputeDraft): Promise<Outcome<void>> {
  const { monotonic, wait } = context.effects;
  const { client } = request;
  if (client !== undefined) requireString('client', client);
  // Before validation: anyone may send a request, and a refused one costs time too.
  if (client !== undefined) {
    const allowed = await context.limits.throttles.dispute.take(addressBucket(client));
    if (!allowed.ok) return allowed;
  }
  const valid = validate(context.settings, request);
  if (!valid.ok) return valid;
  const beganMs = monotonic();
  await file(context, valid.value);
  await wait(Math.ceil(ANSWER_MS - ((monotonic() - beganMs) % ANSWER_MS)));
  return accept(undefined);
}

type Valid = Pick<DisputeDraft, 'identifiers' | 'reason'>;

function validate(
  { personalData, emptyHash }: EngineSettings,
  { reason: given, identifiers }: DisputeDraft,
): Outcome<Valid> {
  const { reasonCharacters, identifiers: most } = DISPUTE_BOUNDS;
  const reason = withoutMarks(given);
  if (!isPublicText(reason, reasonCharacters))
    return refuse({ reason: 'invalid-text', limitCharacters: reasonCharacters });
  const found = findPersonalData(reason);
  if (personalData === 'refuse' && found.length > 0) return refuse({ reason: 'personal-data', kinds: kindsOf(found) });
  const valid = toIdentifiers(identifiers, most, emptyHash);
  if (!valid.ok) return valid;
  const kept = personalData === 'redact' ? redactPersonalData(reason, found) : reason;
  return accept({ identifiers: valid.value, reason: kept.trim() });
}

async function file(context: EngineContext, { identifiers, reason }: Valid): Promise<void> {
  const { store, peppers, settings, effects, notify } = context;
  const exactKinds = settings.matchKinds === 'exact';
  // The same reports as behind a link: without those that were found wrong.
  const reportIds = await peppers
    .withStoredHashes(identifiers, ({ identifiers }) =>
      store.findNewest({ identifiers, exactKinds, limit: MAX_MATCHING_REPORTS }),
    )
    .catch((error: unknown) => {
      // Without the store, no request is answered. But only an identifier with reports has damaged rows.
      if (!(error instanceof StoreDamagedError)) throw error;
      notify({ event: 'dispute-request-lost', error });
      return [];
    });
  const requestedAt = effects.clock();
  const note = { actor: 'engine', atMs: requestedAt };
  const bounds = { most: MAX_REQUESTS_PER_REPORT, reports: MAX_REPORTS_PER_REQUEST, inAll: MAX_WAITING_REQUESTS };
  await drawUntil(effects.random, (requestId) =>
    store.addDisputeRequest({ reportIds, requestId, requestedAt, reason, ...bounds }, note),
  ).catch((error: unknown) => {
    // Only a request that matches reports writes, so the answer must not tell that the write failed.
    notify({ event: 'dispute-request-lost', error });
  });
}
