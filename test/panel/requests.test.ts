import { describe, expect, it } from 'vitest';
import type { DisputeRequest, DisputeRequestPlace } from '../../src/core/domain/dispute.ts';
import { findRequests } from '../../src/service/panel/decisions.tsx';

describe('the requests of a page', () => {
  it.each([0, 499, 500, 501, 1_200])('are all that wait: %i', async (waiting) => {
    const all = Array.from({ length: waiting }, (_, n): DisputeRequest => {
      const id = n.toString(16).padStart(16, '0');
      return { requestId: id, reportId: id, reporterId: '1'.repeat(16), requestedAt: n, reason: 'r' };
    });
    const asked: (string | undefined)[] = [];
    const engine = {
      async listDisputeRequests(
        page: { reporterId?: string | undefined; after?: DisputeRequestPlace | undefined } = {},
      ) {
        asked.push(page.reporterId);
        return all.filter(({ requestedAt }) => requestedAt > (page.after?.requestedAt ?? -1)).slice(0, 500);
      },
    };
    expect(await findRequests(engine, '1'.repeat(16))).toEqual(all);
    expect(new Set(asked)).toEqual(new Set(['1'.repeat(16)]));
  });
});
