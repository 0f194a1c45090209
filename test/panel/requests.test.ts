import { describe, expect, it } from 'vitest';
import type { DisputeRequest, DisputeRequestPlace } from '../../src/core/domain/dispute.ts';
import type { PublicReport } from '../../src/core/domain/report.ts';
import { findRequests } from '../../src/service/panel/decisions.tsx';

describe('the requests of a page', () => {
  it.each([0, 499, 500, 501, 1_200])(
    'are all that wait, for a reporter about its live reports: %i',
    async (waiting) => {
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
        // Every third report was deleted.
        async findReports({ reportIds }: { readonly reportIds: readonly string[] }) {
          const live = reportIds.filter((reportId) => Number.parseInt(reportId, 16) % 3 > 0);
          return live.map((reportId) => ({ reportId })) as PublicReport[];
        },
      };
      expect(await findRequests(engine, '1'.repeat(16))).toEqual(all.filter(({ requestedAt }) => requestedAt % 3 > 0));
      expect(await findRequests(engine)).toHaveLength(waiting);
      asked.splice(asked.indexOf(undefined));
      expect(new Set(asked)).toEqual(new Set(['1'.repeat(16)]));
    },
  );
});
