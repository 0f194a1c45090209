import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { KnownCaller } from './authenticate.ts';
import type { EngineContext } from './context.ts';

/**
 * Deletes one of the reporter's own reports (protocol 4.3). An unknown code and another reporter's code get the same
 * answer by the same store call. Only the owner learns that a report was already deleted.
 */
export async function remove(
  { store, secrets, standings, views, clock }: EngineContext,
  { reporterId }: KnownCaller,
  request: { readonly deletionCode: string },
): Promise<Outcome<void>> {
  const deletionCode = String(request.deletionCode).toLowerCase();
  if (!isCode(deletionCode)) return refuse({ reason: 'invalid-code' });
  const reportId = secrets.reportId(deletionCode);
  const removed = await store.removeReport({ reportId, reporterId, removedAt: clock() }).catch((error: unknown) => {
    // The deletion may have happened nevertheless.
    views.forget();
    throw error;
  });
  if (removed.outcome !== 'unknown') views.forget();
  if (removed.outcome !== 'removed')
    return refuse({ reason: removed.outcome === 'unknown' ? 'unknown-code' : 'already-deleted' });
  const { createdAt, identifiers } = removed;
  await standings?.removed({ reportId, reporterId, createdAt, identifiers });
  return accept(undefined);
}
