import { ENGINE } from '../core/domain/audit.ts';
import { DAY_MS } from '../core/domain/day.ts';
import { DISPUTE_BOUNDS, type DisputeDraft, type DisputeReceipt } from '../core/domain/dispute.ts';
import { isCode, toIdentifiers, type Identifier } from '../core/domain/identifier.ts';
import { requireString } from '../core/domain/options.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import { findProblem, isPublicText, withoutMarks } from '../core/domain/text.ts';
import { StoreDamagedError } from '../core/store/errors.ts';
import type { EngineContext, EngineSettings } from '../core/engine/context.ts';
import type { Effects } from '../core/engine/effects.ts';
import { drawUntil } from '../core/engine/secrets.ts';
import { addressBucket } from '../core/engine/limits.ts';
import { createCaseNumber } from './case-number.ts';
import { withoutPersonalData } from './statement.ts';

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
/** How long a case is kept after its last decision or answer. */
export const CASE_MS = DISPUTE_BOUNDS.caseDays * DAY_MS;

/**
 * Files a request for disputes. Answers alike, also in time, whether or not reports match: the answer must not tell who
 * has reports. Refuses with `invalid-text`, `invalid-name`, `personal-data`, the refusals of identifiers and
 * `limited`. The number of the case is made and given in each case.
 */
export async function requestDispute(context: EngineContext, request: DisputeDraft): Promise<Outcome<DisputeReceipt>> {
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
  return answerInStep(context.effects, async () => {
    const { number, caseId } = createCaseNumber(context, context.effects.clock());
    await file(context, valid.value, network, caseId);
    return accept({ caseNumber: number });
  });
}

/** Waits after some work until a multiple of {@link ANSWER_MS}. */
export async function answerInStep<T>({ monotonic, wait }: Effects, work: () => Promise<T>): Promise<T> {
  const beganMs = monotonic();
  const answer = await work();
  await wait(Math.ceil(ANSWER_MS - ((monotonic() - beganMs) % ANSWER_MS)));
  return answer;
}

type Valid = Pick<DisputeDraft, 'identifiers' | 'reason'> & { readonly about: readonly string[] };

function validate(settings: EngineSettings, { reason: given, identifiers, about }: DisputeDraft): Outcome<Valid> {
  const { aboutCharacters, about: mostNamed, identifiers: most } = DISPUTE_BOUNDS;
  const text = toText(given);
  if (!text.ok) return text;
  const named = about ?? [];
  if (!Array.isArray(named) || named.length > mostNamed || named.some((one) => !isPublicText(one, aboutCharacters)))
    return refuse({ reason: 'invalid-name', limitCharacters: aboutCharacters });
  const reason = withoutPersonalData(settings, text.value);
  if (!reason.ok) return reason;
  const valid = toIdentifiers(identifiers, most, settings.emptyHash);
  if (!valid.ok) return valid;
  return accept({
    identifiers: valid.value,
    reason: reason.value,
    about: [...new Set(named.map((one) => one.trim()))],
  });
}

function toText(given: string): Outcome<string> {
  const { reasonCharacters: limitCharacters } = DISPUTE_BOUNDS;
  const text = withoutMarks(given);
  return isPublicText(text, limitCharacters)
    ? accept(text)
    : refuse({ reason: 'invalid-text', limitCharacters, ...findProblem(text, limitCharacters) });
}

/** Returns what a person writes, trimmed. Refuses with `invalid-text` or `personal-data`. */
export function toPersonsText(settings: EngineSettings, given: string): Outcome<string> {
  const text = toText(given);
  return text.ok ? withoutPersonalData(settings, text.value) : text;
}

async function file(
  context: EngineContext,
  { identifiers, reason, about }: Valid,
  network: string | undefined,
  caseId: string,
): Promise<void> {
  const { store, secrets, effects, notify } = context;
  const lost = (error: unknown): void => notify({ event: 'dispute-request-lost', error });
  const requestedAt = effects.clock();
  const note = { actor: ENGINE, atMs: requestedAt };
  const numbered = { caseId, endedBefore: requestedAt - CASE_MS, follows: true };
  const common = { requestedAt, reason, most: DISPUTE_BOUNDS.waiting, inAll: MAX_WAITING_REQUESTS, numbered };
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
