import { isCode, USUAL_KINDS } from '../domain/identifier.ts';
import { findPersonalData, kindsOf, redactPersonalData } from '../domain/personal-data.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { SEVERITY, type ReportDraft, type ReportReceipt } from '../domain/report.ts';
import { findProblem, isPublicText, withoutMarks } from '../domain/text.ts';
import type { Cost, KnownCaller } from './authenticate.ts';
import type { EngineContext } from './context.ts';
import { countIdentifiers } from './limits.ts';
import type { Unvalidated } from './query.ts';
import { drawUntil } from './secrets.ts';

/** Submits a report of a reporter (protocol 4.2). */
export async function report(
  context: EngineContext,
  { reporterId }: KnownCaller,
  request: Unvalidated<ReportDraft>,
): Promise<Outcome<ReportReceipt>> {
  const valid = await validateDraft(context, request);
  if (!valid.ok) return valid;
  const { store, secrets, standings, settings, effects } = context;
  const draft = valid.value;
  const { type, severity } = draft;
  // Of the text as it was sent: a retry is recognised under any policy.
  const fingerprint = secrets.fingerprint(reporterId, draft);
  const text =
    settings.personalData === 'redact' ? redactPersonalData(draft.text, findPersonalData(draft.text)) : draft.text;
  const createdAt = effects.clock();

  return context.peppers.withStoredHashes(draft.identifiers, ({ identifiers, generation, seal }) =>
    drawUntil(effects.random, async (nonce): Promise<Outcome<ReportReceipt> | 'taken'> => {
      const deletionCode = secrets.deletionCode(nonce);
      const reportId = secrets.reportId(deletionCode);
      const added = await store
        .addReport(
          {
            reportId,
            reporterId,
            type,
            severity,
            text,
            createdAt,
            identifiers,
            generation,
            seal,
            nonce,
            fingerprint,
            weakKinds: context.model.trust?.weakKinds ?? [],
            knownKinds: context.model.kinds ?? USUAL_KINDS,
          },
          createdAt - settings.sameRequestSeconds * 1000,
          standings?.hashesOf(identifiers),
        )
        .catch((error: unknown) => {
          standings?.mayBeStored(reportId);
          throw error;
        });
      if (added.outcome === 'taken') return 'taken';
      if (added.outcome === 'added') {
        await standings?.reported(
          { reportId, reporterId, createdAt, identifiers: added.identifiers ?? identifiers },
          added.history,
        );
        if (added.repeats) {
          // Its reporter loses no claim. But a later report of another reporter is not a copy of it.
          await standings?.disputed(reportId);
          context.usage.repeated(reporterId, reportId, createdAt);
        }
        return accept({ reportId, deletionCode, duplicate: false });
      }
      await standings?.resent(added.reportId);
      return accept({ reportId: added.reportId, deletionCode: secrets.deletionCode(added.nonce), duplicate: true });
    }),
  );
}

/**
 * How a report counts: one of the minute, and each of its identifiers of the budget, because each is stored: also one
 * hash under several kinds. A report that was not stored, such as a retry, costs nothing of the budget.
 */
export function reportCost({ settings, limits }: EngineContext) {
  return {
    throttle: limits.throttles.report,
    needs: 'report',
    budgetOf: limits.budgetOf,
    costOf: (request: Unvalidated<Pick<ReportDraft, 'identifiers'>>): Cost => {
      return { tokens: 1, budget: countIdentifiers(settings.bounds, request, true), lookedUp: 0 };
    },
    isRefunded: (outcome: Outcome<ReportReceipt> | undefined): boolean => !outcome?.ok || outcome.value.duplicate,
  } as const;
}

async function validateDraft(
  context: EngineContext,
  { type, severity, text: given, identifiers }: Unvalidated<ReportDraft>,
): Promise<Outcome<ReportDraft>> {
  const { offenceTypes, bounds, emptyHash, personalData } = context.settings;
  if (!offenceTypes.has(type)) return refuse({ reason: 'invalid-type' });
  if (!Number.isInteger(severity) || severity < SEVERITY.min || severity > SEVERITY.max)
    return refuse({ reason: 'invalid-severity' });
  const text = withoutMarks(given);
  const limitCharacters = bounds.textCharacters;
  if (!isPublicText(text, limitCharacters))
    return refuse({ reason: 'invalid-text', limitCharacters, ...findProblem(text, limitCharacters) });
  if (personalData === 'refuse') {
    const kinds = kindsOf(findPersonalData(text));
    if (kinds.length > 0) return refuse({ reason: 'personal-data', kinds });
  }
  const valid = await context.peppers.toIdentifiers(identifiers, bounds.identifiers, emptyHash);
  return valid.ok ? accept({ type, severity, text, identifiers: valid.value }) : valid;
}

/**
 * Deletes one of the reporter's own reports (protocol 4.3). An unknown code and another reporter's code get the same
 * answer by the same store call. Only the owner learns that a report was already deleted.
 */
export async function remove(
  { store, secrets, standings, views, effects }: EngineContext,
  { reporterId }: KnownCaller,
  request: { readonly deletionCode: string },
): Promise<Outcome<void>> {
  const deletionCode = String(request.deletionCode).toLowerCase();
  if (!isCode(deletionCode)) return refuse({ reason: 'invalid-code' });
  const reportId = secrets.reportId(deletionCode);
  const removed = await store
    .removeReport({ reportId, reporterId, removedAt: effects.clock(), keepsClaim: true })
    .catch((error: unknown) => {
      // The deletion may have happened nevertheless.
      views.forget();
      throw error;
    });
  if (removed.outcome === 'unknown') return refuse({ reason: 'unknown-code' });
  views.forget();
  if (removed.outcome !== 'removed') return refuse({ reason: 'already-deleted' });
  const { createdAt, identifiers } = removed;
  await standings?.removed({ reportId, reporterId, createdAt, identifiers });
  return accept(undefined);
}
