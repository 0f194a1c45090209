import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { authenticate } from './authenticate.ts';
import type { EngineContext } from './context.ts';

/**
 * Deletes one of the reporter's own reports (spec 4.3). A code that was never given and another reporter's code take the same road through the store
 * and get the same answer; only the owner learns that a report was deleted before.
 */
export async function remove(
  context: EngineContext,
  request: { readonly apiKey: string; readonly deletionCode: string },
): Promise<Outcome<void>> {
  const reporter = await authenticate(context, request.apiKey, 'delete');
  if (!reporter.ok) return reporter;
  const deletionCode = String(request.deletionCode).toLowerCase();
  if (!isCode(deletionCode)) return refuse({ reason: 'invalid-code' });
  const reportId = context.secrets.reportId(deletionCode);
  const { reporterId } = reporter.value;
  const removed = await context.store.removeReport({ reportId, reporterId, removedAt: context.clock() });
  if (removed.outcome !== 'removed')
    return refuse({ reason: removed.outcome === 'unknown' ? 'unknown-code' : 'already-deleted' });
  await context.trust?.removed({
    reportId,
    reporterId,
    createdAt: removed.createdAt,
    identifiers: removed.identifiers,
  });
  return accept(undefined);
}
