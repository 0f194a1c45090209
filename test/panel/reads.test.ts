import { expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel } from './visiting.ts';
import { createMemoryStore } from '../memory-store.ts';

/** Reporters besides the one whose pages are shown. Each has a key and an open dispute. */
const OTHERS = 60;
/** The reads that could return what belongs to others. */
const READS = ['listReporters', 'findReporters', 'listKeys', 'listDisputes', 'listAudit'] as const;

it('a page about one reporter reads the rows of this reporter only', async () => {
  const store = await createMemoryStore();
  const read: Record<string, number> = {};
  for (const name of READS) {
    const ask = store[name] as (...args: unknown[]) => Promise<readonly unknown[]>;
    Object.assign(store, {
      [name]: async (...args: unknown[]) => {
        const rows = await ask(...args);
        read[name] = Math.max(read[name] ?? 0, rows.length);
        return rows;
      },
    });
  }
  const { engine, apiKey, reporterId, signedIn } = await createTestPanel({ store });
  const dispute = async (by: string, n: number) => {
    const identifiers = [{ kind: 'email', hash: hashOf(n) }];
    const draft = { apiKey: by, type: 'fraud', severity: 5, text: 'A text', identifiers };
    const { reportId } = unwrap(await engine.report(draft));
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
  };
  await dispute(apiKey, 0);
  for (let n = 1; n <= OTHERS; n++) {
    const { reporterId: other } = unwrap(await engine.createReporter({ name: `Other ${n}` }));
    await dispute(unwrap(await engine.issueKey({ reporterId: other })).apiKey, n);
  }
  const [bob, operator] = [await signedIn(reporterId), await signedIn(null)];
  const readBy = async (visitor: typeof bob, page: string) => {
    for (const name of READS) delete read[name];
    const reply = await visitor.get(`/panel${page}`);
    expect(reply.status, textOf(reply)).toBe(200);
    return { ...read };
  };
  const own = { findReporters: 1 };
  expect(await readBy(bob, '')).toEqual({ ...own, listKeys: 1 });
  expect(await readBy(bob, '/overview')).toEqual({ ...own, listKeys: 1 });
  expect(await readBy(bob, '/keys')).toEqual({ ...own, listKeys: 1 });
  expect(await readBy(bob, '/disputes')).toEqual({ ...own, listDisputes: 1 });
  expect(await readBy(operator, `/reporters?id=${reporterId}`)).toEqual(own);
  expect(await readBy(operator, `/reporters?id=${reporterId}&tab=keys`)).toEqual({ ...own, listKeys: 1 });
  expect(await readBy(operator, `/reporters?id=${reporterId}&tab=reports`)).toEqual(own);
  // The last entries: 17 others, each with three entries, or 50 with one.
  expect(await readBy(operator, '/audit')).toEqual({ findReporters: 17, listAudit: 51 });
  expect(await readBy(operator, '/audit?action=dispute-opened')).toEqual({ findReporters: 50, listAudit: 51 });
});
