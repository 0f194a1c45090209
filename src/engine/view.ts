import { isHash } from '../domain/identifier.ts';
import { requireString } from '../domain/options.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { EngineContext } from './context.ts';
import { findFacts } from './evidence.ts';
import { addressBucket } from './throttle.ts';

/** Returns the live reports behind a link, newest first, at most `bounds.viewReports` of them (spec 4.5). */
export async function view(
  context: EngineContext,
  { linkHash, client }: { readonly linkHash: string; readonly client?: string | undefined },
): Promise<Outcome<readonly PublicReport[]>> {
  if (client !== undefined) {
    requireString('client', client);
    const allowed = await context.throttles.viewer.take(addressBucket(client));
    if (!allowed.ok) return allowed;
  }
  if (!isHash(linkHash)) return refuse({ reason: 'not-found' });
  const identifiers = await context.store.findLink(linkHash);
  if (!identifiers) return refuse({ reason: 'not-found' });

  // Do not show reports with an upheld dispute or matches of protected hashes.
  const { matches } = await findFacts(context, identifiers, undefined);
  const createdAt = new Map(matches.map((match) => [match.reportId, match.createdAt]));
  const newest = [...createdAt].sort((a, b) => b[1] - a[1]).slice(0, context.bounds.viewReports);
  const reports = await context.store.findReports(newest.map(([reportId]) => reportId));
  return reports.length === 0 ? refuse({ reason: 'not-found' }) : accept(reports);
}
