import { REQUESTS_LISTED, type DisputeRequest } from '../../core/domain/dispute.ts';
import type { PanelEngine } from './page.ts';

/** Requests read for one page of the panel. More wait only if persons have asked about as many reports. */
const READ_MOST = 10_000;

/** Returns the requests for disputes that wait, oldest first: all of them, or those about reports of one reporter. */
export async function findRequests(
  engine: Pick<PanelEngine, 'listDisputeRequests'>,
  reporterId?: string,
): Promise<readonly DisputeRequest[]> {
  const found: DisputeRequest[] = [];
  for (;;) {
    const page = await engine.listDisputeRequests({ reporterId, after: found.at(-1) });
    found.push(...page);
    if (page.length < REQUESTS_LISTED || found.length >= READ_MOST) return found;
  }
}
