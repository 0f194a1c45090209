import { DISPUTE_BOUNDS, type DisputeDraft } from '../core/domain/dispute.ts';
import { isCode, toIdentifiers, type Identifier } from '../core/domain/identifier.ts';
import { requireString } from '../core/domain/options.ts';
import { findPersonalData, kindsOf, redactPersonalData } from '../core/domain/personal-data.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import { findProblem, isPublicText, withoutMarks } from '../core/domain/text.ts';
import { StoreDamagedError } from '../core/store/errors.ts';
import type { EngineContext, EngineSettings } from '../core/engine/context.ts';
import { drawUntil } from '../core/engine/secrets.ts';
import { addressBucket } from '../core/engine/throttle.ts';

/** Matching reports, in fair order, among which a request finds those that take it. */
const MAX_MATCHING_REPORTS = 50;
/** Reports about which one request waits. */
const MAX_REPORTS_PER_REQUEST = 10;
/** Reasons of one network about one identifier that wait at a report: others may share its connection. */
const MAX_REASONS_PER_NETWORK = 3;
/**
 * If so many wait in all, a report takes only the first request about each of its identifiers: strangers must not fill
 * the table.
 */
const MAX_WAITING_REQUESTS = 10_000;
/**
 * An accepted request is answered after a multiple of this time: a write takes longer than finding nothing, and the
 * difference would tell who has reports. Longer than both on almost every machine.
 */
const ANSWER_MS = 500;

/**
 * Files a request for disputes. Answers alike, also in time, whether or not reports match: the answer must not tell who
 * has reports. Refuses with `invalid-text`, `invalid-name`, `personal-data`, the refusals of identifiers and
 * `limited`.
 */
export async function requestDispute(context: EngineContext, request: DisputeDraft): Promise<Outcome<void>> {
  const { monotonic, wait } = context.effects;
  const { client } = request;
  if (client !== undefined) requireString('client', client);
  // Before validation: anyone may send a request, and a refused one costs time too.
  const network = client === undefined ? undefined : addressBucket(client, 48);
  if (network !== undefined) {
    const allowed = await context.limits.throttles.dispute.take(network);
    if (!allowed.ok) return allowed;
  }
  const valid = validate(context.settings, request);
  if (!valid.ok) return valid;
  const beganMs = monotonic();
  await file(context, valid.value, network);
  await wait(Math.ceil(ANSWER_MS - ((monotonic() - beganMs) % ANSWER_MS)));
  return accept(undefined);
}

type Valid = Pick<DisputeDraft, 'identifiers' | 'reason'> & { readonly about: readonly string[] };

function validate(
  { personalData, emptyHash }: EngineSettings,
  { reason: given, identifiers, about }: DisputeDraft,
): Outcome<Valid> {
  const { reasonCharacters, aboutCharacters, about: mostNamed, identifiers: most } = DISPUTE_BOUNDS;
  const reason = withoutMarks(given);
  if (!isPublicText(reason, reasonCharacters))
    return refuse({
      reason: 'invalid-text',
      limitCharacters: reasonCharacters,
      ...findProblem(reason, reasonCharacters),
    });
  const named = about ?? [];
  if (!Array.isArray(named) || named.length > mostNamed || named.some((one) => !isPublicText(one, aboutCharacters)))
    return refuse({ reason: 'invalid-name', limitCharacters: aboutCharacters });
  const found = findPersonalData(reason);
  if (personalData === 'refuse' && found.length > 0) return refuse({ reason: 'personal-data', kinds: kindsOf(found) });
  const valid = toIdentifiers(identifiers, most, emptyHash);
  if (!valid.ok) return valid;
  const kept = personalData === 'redact' ? redactPersonalData(reason, found) : reason;
  return accept({ identifiers: valid.value, reason: kept.trim(), about: named.map((one) => one.trim()) });
}

async function file(
  context: EngineContext,
  { identifiers, reason, about }: Valid,
  network: string | undefined,
): Promise<void> {
  const { store, secrets, effects, notify } = context;
  const lost = (error: unknown): void => notify({ event: 'dispute-request-lost', error });
  const requestedAt = effects.clock();
  const note = { actor: 'engine', atMs: requestedAt };
  const common = { requestedAt, reason, most: DISPUTE_BOUNDS.waiting, inAll: MAX_WAITING_REQUESTS };
  const asked = new Set<string>();
  // One identifier after the other: a request that names several has no more room at a report than one of each.
  for (const identifier of identifiers) {
    const matching = await findMatching(context, identifier, about).catch((error: unknown) => {
      // Without the store, no request is answered. But only an identifier with reports has damaged rows.
      if (!(error instanceof StoreDamagedError)) throw error;
      lost(error);
      return [];
    });
    const reportIds = matching.filter((reportId) => !asked.has(reportId));
    for (const reportId of reportIds) asked.add(reportId);
    // Both halves of the id are keyed digests, so it says neither which identifier nor which network.
    const tagOf = (of: string): string => secrets.linkOwner(of, identifier.hash).slice(0, 8);
    const group = tagOf('dispute');
    const request = { ...common, reportIds, reports: MAX_REPORTS_PER_REQUEST, group };
    const filed =
      network === undefined
        ? drawUntil(effects.random, (code) =>
            store.addDisputeRequest({ ...request, requestId: group + code.slice(8) }, note),
          )
        : store.addDisputeRequest(
            {
              ...request,
              requestId: group + tagOf(`dispute ${network}`),
              joins: true,
              perCase: MAX_REASONS_PER_NETWORK,
            },
            note,
          );
    // Only a request that matches reports writes, so the answer must not tell that the write failed.
    await filed.catch(lost);
  }
}

/** Returns the reports behind an identifier as a view has them, or those of them that `about` names, in fair order. */
async function findMatching(
  { store, peppers, settings }: EngineContext,
  identifier: Identifier,
  about: readonly string[],
): Promise<readonly string[]> {
  const exactKinds = settings.matchKinds === 'exact';
  return peppers.withStoredHashes([identifier], async ({ identifiers }) => {
    const find = (named: { readonly reporterId?: string; readonly reportId?: string } = {}) =>
      store.findNewest({ identifiers, exactKinds, limit: MAX_MATCHING_REPORTS, ...named });
    const found = new Set<string>();
    for (const name of about) {
      const code = name.toLowerCase();
      let named = isCode(code) ? await find({ reportId: code }) : [];
      const reporter = named.length > 0 ? undefined : await store.findReporterNamed(name);
      if (reporter) named = await find({ reporterId: reporter.reporterId });
      for (const reportId of named) found.add(reportId);
    }
    // A wrong name must not make the request vanish.
    return found.size > 0 ? [...found] : find();
  });
}
