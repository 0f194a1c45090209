import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { SEVERITY, type ReportDraft, type ReportReceipt } from '../domain/report.ts';
import { isPublicText } from '../domain/text.ts';
import { authenticate } from './authenticate.ts';
import { drawUntil, type EngineContext } from './context.ts';
import { proveIdentifiers } from './identifiers.ts';

/** Submits a report (spec 4.2). */
export async function report(
  context: EngineContext,
  request: ReportDraft & { readonly apiKey: string },
): Promise<Outcome<ReportReceipt>> {
  const reporter = await authenticate(context, request.apiKey, 'report');
  if (!reporter.ok) return reporter;
  const proved = proveDraft(context, request);
  if (!proved.ok) return proved;
  const draft = proved.value;
  const { reporterId } = reporter.value;
  const fingerprint = context.secrets.fingerprint(reporterId, draft);
  const createdAt = context.clock();

  return context.peppers.conceal(draft.identifiers, ({ identifiers, generation }) =>
    drawUntil(context, async (nonce): Promise<Outcome<ReportReceipt> | 'taken'> => {
      const deletionCode = context.secrets.deletionCode(nonce);
      const reportId = context.secrets.reportId(deletionCode);
      const added = await context.store.addReport(
        { ...draft, identifiers, generation, reportId, nonce, fingerprint, reporterId, createdAt },
        createdAt - context.sameRequestSeconds * 1000,
      );
      if (added.outcome === 'taken') return 'taken';
      if (added.outcome === 'added') {
        await context.trust?.reported({ reportId, reporterId, createdAt, identifiers });
        return accept({ reportId, deletionCode, duplicate: false });
      }
      return accept({
        reportId: added.reportId,
        deletionCode: context.secrets.deletionCode(added.nonce),
        duplicate: true,
      });
    }),
  );
}

function proveDraft(context: EngineContext, { type, severity, text, identifiers }: ReportDraft): Outcome<ReportDraft> {
  if (!context.offenceTypes.has(type)) return refuse({ reason: 'invalid-type' });
  if (!Number.isInteger(severity) || severity < SEVERITY.least || severity > SEVERITY.most)
    return refuse({ reason: 'invalid-severity' });
  if (!isPublicText(text, context.bounds.textCharacters))
    return refuse({ reason: 'invalid-text', limitCharacters: context.bounds.textCharacters });
  const proved = proveIdentifiers(context, identifiers);
  return proved.ok ? accept({ type, severity, text, identifiers: proved.value }) : proved;
}
