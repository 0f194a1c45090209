import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import type { FoundReport, ReportSearch } from '../../src/operator/find-reports.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';

it('finds live reports by their ids, newest first, without codes and identifiers', async () => {
  const { engine, apiKey, otherKey, clock } = await createTestEngine();
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const file = async (key: string, text: string) =>
    unwrap(await engine.report({ apiKey: key, type: 'fraud', severity: 5, text, identifiers }));
  const first = await file(apiKey, 'First');
  clock.nowMs += 1;
  const second = await file(otherKey, 'Second');
  clock.nowMs += 1;
  const deleted = await file(apiKey, 'Deleted');
  unwrap(await engine.remove({ apiKey, deletionCode: deleted.deletionCode }));
  const reportIds = [first.reportId, second.reportId, deleted.reportId, 'f'.repeat(16), 'not an id', first.reportId];
  const found = await engine.findReports({ reportIds });
  expect(found.map(({ text, reporter }) => [text, reporter])).toEqual([
    ['Second', 'Second Shop'],
    ['First', 'First Shop'],
  ]);
  expect(Object.keys(found[0]!).sort()).toEqual(['createdAt', 'reportId', 'reporter', 'severity', 'text', 'type']);
  expect(await engine.findReports({ reportIds: [] })).toEqual([]);
  await expect(engine.findReports({ reportIds: Array<string>(1_001).fill('') })).rejects.toBeInstanceOf(RangeError);
});

it('finds by all conditions together, newest first, each report once in the pages', async () => {
  const { engine, apiKey, otherKey, clock, reporterId } = await createTestEngine({
    limits: { report: { requests: 1_000, windowSeconds: 1 } },
    peppers: ['a pepper of more than sixteen bytes'],
  });
  const [, other] = await engine.listReporters();
  const startMs = clock.nowMs;
  const made: { reportId: string; reporterId: string; type: string; text: string; createdAt: number; of: number[] }[] =
    [];
  for (let n = 0; n < 60; n++) {
    // Some of one moment.
    if (n % 3 !== 0) clock.nowMs += 1_000;
    const of = n % 7 === 0 ? [n % 4, 4] : [n % 4];
    const identifiers = of.flatMap((one) => [
      { kind: 'email', hash: hashOf(one) },
      { kind: 'phone', hash: hashOf(one) },
    ]);
    const isFirst = n % 5 < 3;
    const draft = { type: n % 2 ? 'fraud' : 'spam', severity: 5, text: n % 6 ? `Text ${n}` : `ÜBER ${n}`, identifiers };
    const { reportId } = unwrap(await engine.report({ apiKey: isFirst ? apiKey : otherKey, ...draft }));
    made.push({ ...draft, reportId, reporterId: isFirst ? reporterId : other!.reporterId, createdAt: clock.nowMs, of });
  }
  const { deletionCode, reportId: gone } = unwrap(
    await engine.report({
      apiKey,
      type: 'fraud',
      severity: 5,
      text: 'Gone',
      identifiers: [{ kind: 'email', hash: hashOf(1) }],
    }),
  );
  unwrap(await engine.remove({ apiKey, deletionCode }));
  const all = async (search: ReportSearch): Promise<FoundReport[]> => {
    const found: FoundReport[] = [];
    for (let before: ReportSearch['before'], n = 0; ; n++) {
      const page = unwrap(await engine.searchReports({ ...search, before }));
      expect(page.reports.length).toBeLessThanOrEqual(search.limit ?? 50);
      found.push(...page.reports);
      before = page.next;
      if (before === undefined) return found;
      expect(n).toBeLessThan(100);
    }
  };
  const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
  const moment = fc.integer({ min: -2, max: 45 }).map((s) => startMs + s * 1_000);
  const search = fc.record({
    reporterId: maybe(fc.constantFrom(reporterId, other!.reporterId)),
    type: maybe(fc.constantFrom('fraud', 'spam', 'scam')),
    since: maybe(moment),
    until: maybe(moment),
    text: maybe(fc.constantFrom('text', 'über', '1', 'nothing')),
    of: maybe(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 })),
    limit: fc.constantFrom(1, 7, 100),
  });
  await fc.assert(
    fc.asyncProperty(search, async ({ of, ...rest }) => {
      const found = await all({ ...rest, hashes: of?.map(hashOf) });
      const expected = made.filter(
        (one) =>
          (rest.reporterId === undefined || one.reporterId === rest.reporterId) &&
          (rest.type === undefined || one.type === rest.type) &&
          (rest.since === undefined || one.createdAt >= rest.since) &&
          (rest.until === undefined || one.createdAt < rest.until) &&
          (rest.text === undefined || one.text.toLowerCase().includes(rest.text)) &&
          (of === undefined || one.of.some((n) => of.includes(n))),
      );
      expected.sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? 1 : -1));
      expect(found.map(({ reportId }) => reportId)).toEqual(expected.map(({ reportId }) => reportId));
    }),
    { numRuns: 60 },
  );
  const [byId, ...none] = await all({ text: made[5]!.reportId.toUpperCase() });
  expect(none).toEqual([]);
  expect(byId).toMatchObject({ reportId: made[5]!.reportId, dispute: 'none', requests: 0, kinds: ['email', 'phone'] });
  expect(JSON.stringify(byId)).not.toMatch(/nonce|deletionCode|[0-9a-f]{40}/);
  expect(await all({ text: gone })).toEqual([]);
  expect(await all({ reporterId: 'nobody' })).toEqual([]);
  expect(await engine.searchReports({ hashes: ['x'] })).toMatchObject({ refusal: { reason: 'invalid-hash' } });
  for (const wrong of [
    { limit: 0 },
    { limit: 101 },
    { text: '' },
    { text: 'x'.repeat(201) },
    { hashes: [] },
    { since: -1 },
  ])
    await expect(engine.searchReports(wrong)).rejects.toBeInstanceOf(RangeError);
  await expect(engine.searchReports({ id: 'x' } as object)).rejects.toBeInstanceOf(TypeError);
});
