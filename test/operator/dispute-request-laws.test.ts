import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REQUESTS_LISTED, type DisputeRequest } from '../../src/core/domain/dispute.ts';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';

const PERSONS = 4;
const emailOf = (person: number) => [{ kind: 'email', hash: hashOf(person) }];

/** An engine with reports about each person: 1, 15, 29 and 43. Returns their ids by person. */
async function reported(): Promise<TestEngine & { readonly reportIds: readonly string[][] }> {
  const test = await createTestEngine({
    wait: async () => undefined,
    limits: { report: { requests: 1_000, windowSeconds: 1 } },
  });
  const reportIds: string[][] = [];
  for (let person = 0; person < PERSONS; person++) {
    const ids: string[] = [];
    for (let n = 0; n < 1 + 14 * person; n++) {
      const draft = { type: 'fraud', severity: 5, text: `Report ${person} ${n}`, identifiers: emailOf(person) };
      ids.push(unwrap(await test.engine.report({ apiKey: test.apiKey, ...draft })).reportId);
    }
    reportIds.push(ids);
  }
  return { ...test, reportIds };
}

async function readAll({ engine }: TestEngine): Promise<DisputeRequest[]> {
  const all: DisputeRequest[] = [];
  for (;;) {
    const page = await engine.listDisputeRequests({ after: all.at(-1) });
    all.push(...page);
    if (page.length < REQUESTS_LISTED) return all;
  }
}

describe('requests for disputes', () => {
  it('are all reached in the order in which they came, whatever strangers ask', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ person: fc.nat(PERSONS - 1), reason: fc.nat(30), ms: fc.nat(2) }), { maxLength: 120 }),
        async (asks) => {
          const test = await reported();
          for (const { person, reason, ms } of asks) {
            test.clock.nowMs += ms;
            unwrap(await test.engine.requestDispute!({ identifiers: emailOf(person), reason: `Reason ${reason}` }));
          }
          const all = await readAll(test);
          const placeOf = ({ requestedAt, requestId, reportId }: DisputeRequest) =>
            `${String(requestedAt).padStart(16)} ${requestId} ${reportId}`;
          const places = all.map(placeOf);
          expect(places).toEqual([...new Set(places)].sort());
          const count = (of: (one: DisputeRequest) => string): number[] => {
            const counts = new Map<string, number>();
            for (const one of all) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
            return [...counts.values()];
          };
          expect(Math.max(0, ...count(({ requestId }) => requestId))).toBeLessThanOrEqual(10);
          expect(Math.max(0, ...count(({ reportId }) => reportId))).toBeLessThanOrEqual(20);
          // Each person who asked has a request that waits.
          for (const { person } of asks)
            expect(all.some(({ reportId }) => test.reportIds[person]!.includes(reportId))).toBe(true);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('stay in the first list when strangers ask for hundreds of reports afterwards', async () => {
    const test = await reported();
    const ask = async (person: number, reason: string) => {
      test.clock.nowMs += 1;
      unwrap(await test.engine.requestDispute!({ identifiers: emailOf(person), reason }));
    };
    await ask(0, 'It was not me.');
    for (let n = 0; n < 90; n++) await ask(3, `Stranger ${n}`);
    const [first] = await test.engine.listDisputeRequests();
    expect(first).toMatchObject({ reason: 'It was not me.' });
    expect(await test.engine.listDisputeRequests()).toHaveLength(500);
    // 1 of the person, and 20 about each of 43 reports.
    expect(await readAll(test)).toHaveLength(861);
  });

  it('are not listed after a place that cannot be one', async () => {
    const { engine } = await createTestEngine();
    const after = { requestedAt: 1, requestId: '0'.repeat(16), reportId: '0'.repeat(16) };
    expect(await engine.listDisputeRequests({ after })).toEqual([]);
    for (const wrong of [{ requestedAt: -1 }, { requestId: 'x' }, { reportId: 'x' }])
      await expect(engine.listDisputeRequests({ after: { ...after, ...wrong } })).rejects.toThrow(RangeError);
  });
});
