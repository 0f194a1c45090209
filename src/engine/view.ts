import { isHash } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { EngineContext } from './context.ts';
import { findFacts } from './evidence.ts';
import { addressBucket } from './throttle.ts';

/** The live reports behind a link, newest first, at most `bounds.viewReports` of them (spec 4.5). */
export async function view(
  context: EngineContext,
  request: { readonly linkHash: string; readonly client?: string | undefined },
): Promise<Outcome<readonly PublicReport[]>> {
  // Without a client it is the operator's own program that asks, and it is not counted.
  if (request.client !== undefined) {
    if (typeof request.client !== 'string')
      throw new TypeError(`"client" expected an address, got ${typeof request.client}`);
    const allowed = await context.throttles.viewer.take(addressBucket(request.client), context.clock());
    if (!allowed.ok) return allowed;
  }
  if (!isHash(request.linkHash)) return refuse({ reason: 'not-found' });
  const identifiers = await context.store.findLink(request.linkHash);
  if (!identifiers) return refuse({ reason: 'not-found' });

  // What does not count any more is not shown either: a report found wrong, a hash on the allow-list.
  const { matches } = await findFacts(context, identifiers, context.clock());
  const createdAt = new Map(matches.map((match) => [match.reportId, match.createdAt]));
  const newest = [...createdAt].sort((a, b) => b[1] - a[1]).slice(0, context.bounds.viewReports);
  const reports = await context.store.findReports(newest.map(([reportId]) => reportId));
  return reports.length === 0 ? refuse({ reason: 'not-found' }) : accept(reports);
}
