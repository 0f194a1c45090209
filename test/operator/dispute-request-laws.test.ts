import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REQUESTS_LISTED, type DisputeRequest } from '../../src/core/domain/dispute.ts';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';

const PERSONS = 4;
const emailOf = (person: number) => [{ kind: 'email', hash: hashOf(person) }];

/** An engine with reports about each person: 1, 15, 29 and 43. Returns their ids by person. */
async function reported(): Promise<TestEngine & { readonly reportIds: readonly string[][] }> {
  const test = await createTestEngine({ limits: { report: { requests: 1_000, windowSeconds: 1 } } });
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

  it('are never pushed out by networks that ask about another identifier', async () => {
    const [mail, phone] = [
      { kind: 'email', hash: hashOf(1) },
      { kind: 'phone', hash: hashOf(2) },
    ];
    const junk = fc.array(
      fc.record({
        network: fc.integer({ min: 1, max: 60 }),
        reason: fc.nat(40),
        identifiers: fc.constantFrom([phone], [phone, { kind: 'x', hash: hashOf(3) }]),
      }),
      { maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(junk, junk, async (before, after) => {
        const limit = { requests: 1_000, windowSeconds: 1 };
        const { engine, apiKey } = await createTestEngine({ limits: { dispute: limit } });
        const draft = { type: 'fraud', severity: 5, text: 'A report', identifiers: [mail, phone] };
        unwrap(await engine.report({ apiKey, ...draft }));
        const ask = async (requests: typeof before) => {
          for (const { network, reason, identifiers } of requests)
            unwrap(
              await engine.requestDispute!({ identifiers, reason: `Junk ${reason}`, client: `192.0.2.${network}` }),
            );
        };
        const own = { identifiers: [mail], client: '198.51.100.1' };
        await ask(before);
        unwrap(await engine.requestDispute!({ ...own, reason: 'It was not me.' }));
        await ask(after);
        // Another person behind the same connection.
        unwrap(await engine.requestDispute!({ ...own, reason: 'Nor me.' }));
        const waiting = await engine.listDisputeRequests();
        expect(waiting.flatMap(({ reason }) => (reason.startsWith('Junk') ? [] : reason)).sort()).toEqual([
          'It was not me.',
          'Nor me.',
        ]);
        expect(new Set(waiting.map(({ requestId }) => requestId)).size).toBe(waiting.length);
        expect(waiting.length).toBeLessThanOrEqual(22);
      }),
      { numRuns: 12 },
    );
  });

  it('of four networks with many reasons leave room for a person who asks about the same identifier', async () => {
    const { engine, apiKey } = await createTestEngine();
    const identifiers = emailOf(1);
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A report', identifiers }));
    for (let n = 0; n < 20; n++) {
      const junk = { identifiers, reason: `Junk ${n}`, client: `192.0.2.${n % 4}` };
      unwrap(await engine.requestDispute!(junk));
    }
    unwrap(await engine.requestDispute!({ identifiers, reason: 'It was not me.', client: '198.51.100.1' }));
    const waiting = await engine.listDisputeRequests();
    expect(waiting).toHaveLength(13);
    expect(waiting).toContainEqual(expect.objectContaining({ reason: 'It was not me.' }));
  });

  it('of fewer networks than places all have one, and each new reason is kept while there is room', async () => {
    const limit = { requests: 1_000, windowSeconds: 1 };
    const ask = fc.record({ network: fc.nat(18), reason: fc.nat(4), ms: fc.nat(1) });
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 70, size: 'max' }), async (asks) => {
        const { engine, apiKey, clock } = await createTestEngine({ limits: { dispute: limit } });
        const identifiers = emailOf(1);
        unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A report', identifiers }));
        const kept = async () => (await engine.listDisputeRequests()).map(({ reason }) => reason);
        const asked = new Map<number, Set<string>>();
        for (const { network, reason: n, ms } of asks) {
          clock.nowMs += ms;
          const reason = `Reason ${n} of ${network}.`;
          // Each network has many addresses.
          const client = network % 2 === 0 ? `192.0.2.${network}` : `2001:db8:${network}:${n}${ms}::1`;
          const before = await kept();
          unwrap(await engine.requestDispute!({ identifiers, reason, client }));
          asked.set(network, (asked.get(network) ?? new Set()).add(reason));
          const now = await kept();
          const own = before.filter((one) => one.endsWith(` of ${network}.`));
          if (before.length < 20 && own.length < 3)
            expect(now.sort()).toEqual([...new Set([...before, reason])].sort());
        }
        const waiting = await kept();
        expect(waiting.length).toBeLessThanOrEqual(20);
        for (const reasons of asked.values()) expect(waiting.some((one) => reasons.has(one))).toBe(true);
        const requests = await engine.listDisputeRequests();
        expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length);
      }),
      { numRuns: 10 },
    );
  });

  it('of one site of IPv6 are those of one network, and share the limit', async () => {
    const { engine, apiKey } = await createTestEngine();
    const identifiers = emailOf(1);
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A report', identifiers }));
    const ask = (n: number) =>
      engine.requestDispute!({ identifiers, reason: `Junk ${n}`, client: `2001:db8:7:${n.toString(16)}::1` });
    for (let n = 0; n < 5; n++) unwrap(await ask(n));
    expect(await ask(5)).toMatchObject({ refusal: { reason: 'limited', limit: { name: 'dispute' } } });
    expect(await engine.listDisputeRequests()).toHaveLength(3);
  });

  it('are not listed after a place that cannot be one', async () => {
    const { engine } = await createTestEngine();
    const after = { requestedAt: 1, requestId: '0'.repeat(16), reportId: '0'.repeat(16) };
    expect(await engine.listDisputeRequests({ after })).toEqual([]);
    for (const wrong of [{ requestedAt: -1 }, { requestId: 'x' }, { reportId: 'x' }])
      await expect(engine.listDisputeRequests({ after: { ...after, ...wrong } })).rejects.toThrow(RangeError);
  });
});

describe('what one reporter does', () => {
  it('removes no report from the view, the record and the disputes that is the newest of another reporter', async () => {
    const action = fc.oneof(
      { weight: 6, arbitrary: fc.record({ does: fc.constant('report' as const), long: fc.boolean(), of: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), at: fc.nat(80) }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('dispute' as const), of: fc.nat(1) }) },
    );
    const asked = [
      { kind: 'email', hash: hashOf(1) },
      { kind: 'phone', hash: hashOf(2) },
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 65, maxLength: 90, size: 'max' }), async (actions) => {
        const limit = { requests: 1_000, windowSeconds: 1 };
        const { engine, apiKey, otherKey, clock } = await createTestEngine({
          limits: { report: limit, delete: limit, dispute: limit },
          bounds: { viewReports: 8, viewBytes: 20_000 },
        });
        const draft = { type: 'fraud', severity: 5, identifiers: asked };
        const older = unwrap(await engine.report({ apiKey, ...draft, text: 'An older one' }));
        clock.nowMs += 1;
        const victim = unwrap(await engine.report({ apiKey, ...draft, text: 'The true one' }));
        const codes: string[] = [];
        for (const [n, one] of actions.entries()) {
          clock.nowMs += 1;
          if (one.does === 'report') {
            const identifiers = one.of === 2 ? asked : [asked[one.of]!];
            const text = `Noise ${n} ${one.long ? 'x'.repeat(1_900) : ''}`;
            codes.push(unwrap(await engine.report({ apiKey: otherKey, ...draft, identifiers, text })).deletionCode);
          } else if (one.does === 'delete') {
            await engine.remove({ apiKey: otherKey, deletionCode: codes[one.at % codes.length] ?? '0'.repeat(16) });
          } else {
            const junk = { identifiers: [asked[one.of]!], reason: `Junk ${n}`, client: `192.0.2.${n % 8}` };
            unwrap(await engine.requestDispute!(junk));
          }
        }
        const { link } = unwrap(await engine.query({ apiKey, identifiers: asked }));
        const linkHash = link.slice(-40);
        const reports = unwrap(await engine.view({ linkHash }));
        const record = unwrap(await engine.record!({ linkHash }));
        for (const list of [reports, record.shown])
          expect(list.map(({ reportId }) => reportId)).toContain(victim.reportId);
        const leftOut = record.leftOut.reduce((sum, one) => sum + one.reports, 0);
        expect(record.shown.length + leftOut).toBe(record.reported);
        const ask = async (reason: string, client: string, about?: string) => {
          unwrap(
            await engine.requestDispute!({
              identifiers: [asked[0]!],
              reason,
              client,
              about: about === undefined ? undefined : [about],
            }),
          );
          return (await engine.listDisputeRequests()).flatMap((one) => (one.reason === reason ? [one.reportId] : []));
        };
        expect(await ask('It was not me.', '198.51.100.1')).toContain(victim.reportId);
        expect(await ask('Nor this.', '198.51.100.2', older.reportId)).toEqual([older.reportId]);
        const ofShop = await ask('Nor these.', '198.51.100.3', ' First Shop ');
        expect(ofShop.sort()).toEqual([older.reportId, victim.reportId].sort());
        // A name that nothing matches does not make a request vanish.
        expect(await ask('Nor that.', '198.51.100.4', 'Nobody')).toContain(victim.reportId);
      }),
      { numRuns: 6 },
    );
  });
});
