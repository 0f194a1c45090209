import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { unwrap } from '../../src/index.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { budget } from '../budget.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const person = [
  { kind: 'email', hash: hashOf(1) },
  { kind: 'phone', hash: hashOf(2) },
];
const draft = { type: 'fraud', severity: 7, text: 'A text about a person', identifiers: person };
const refused = (reason: string, more: object = {}) => ({ ok: false, refusal: { reason, ...more } });

describe('erasure of a person', () => {
  it.each([
    ['without peppers', []],
    ['under peppers', ['the first pepper, long enough', 'the second pepper, long enough']],
  ])('takes everything about it out of store and medium, %s', async (_, peppers) => {
    const medium = createMemoryMedium();
    const { engine, apiKey, otherKey } = await createTestEngine({ store: await openDurableStore({ medium }), peppers });
    unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(
      await engine.report({
        apiKey: otherKey,
        ...draft,
        text: 'Another text',
        identifiers: [
          { kind: 'ip', hash: hashOf(1) },
          { kind: 'email', hash: hashOf(5) },
        ],
      }),
    );
    unwrap(
      await engine.report({
        apiKey: otherKey,
        ...draft,
        text: 'Somebody else',
        identifiers: [{ kind: 'email', hash: hashOf(6) }],
      }),
    );
    unwrap(await engine.protect({ hash: hashOf(1), reason: 'Our own', by: 'Ada' }));
    unwrap(await engine.unprotect({ hash: hashOf(1), by: 'Ada' }));
    const { link } = unwrap(await engine.query({ apiKey, identifiers: person }));

    expect(await engine.eraseIdentifiers({ hashes: [hashOf(1), hashOf(1)], by: ' Ada ' })).toEqual({
      ok: true,
      value: { erasedAt: START, by: 'Ada', reports: 2, links: 1, protections: 1 },
    });
    expect(
      unwrap(await engine.query({ apiKey, identifiers: [...person, { kind: 'email', hash: hashOf(5) }] })),
    ).toMatchObject({ points: 0, reported: 0 });
    expect((await engine.view({ linkHash: link.slice(-40) })).ok).toBe(false);
    expect(await engine.listProtected()).toEqual([]);
    expect(unwrap(await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: hashOf(6) }] })).reported).toBe(1);
    const bytes = Buffer.from(medium.bytes());
    for (const text of ['A text about a person', 'Another text', 'Our own', hashOf(1), hashOf(2), hashOf(5)])
      expect(bytes.includes(text)).toBe(false);
    for (const n of [1, 2, 5]) expect(bytes.includes(Buffer.from(hashOf(n), 'hex'))).toBe(false);
    expect(bytes.includes('Somebody else')).toBe(true);
    await engine.close();
  });

  it('leaves its reporter the answer that its code was used', async () => {
    const { engine, apiKey } = await createTestEngine();
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(2)], by: 'Ada' }));
    expect(await engine.remove({ apiKey, deletionCode })).toEqual(refused('already-deleted'));
    expect(unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(2)], by: 'Ada' }))).toMatchObject({
      reports: 0,
      links: 0,
      protections: 0,
    });
  });

  it('refuses what is no hash, and nobody in particular', async () => {
    const { engine, apiKey } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft }));
    for (const hashes of [
      [],
      ['client@example.com'],
      [hashOf(1), hashOf(170).toUpperCase()],
      hashOf(1) as unknown as string[],
      undefined as unknown as string[],
    ]) {
      expect(await engine.eraseIdentifiers({ hashes, by: 'Ada' })).toEqual(refused('invalid-hash'));
    }
    expect(await engine.eraseIdentifiers({ hashes: [hashOf(1)], by: '' })).toEqual(
      refused('invalid-name', { limitCharacters: 80 }),
    );
    expect(unwrap(await engine.query({ apiKey, identifiers: person })).reported).toBe(1);
  });

  it('leaves standings as they are learnt from what is left', async () => {
    const reports = fc.array(
      fc.record({
        by: fc.nat(1),
        of: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
        hours: fc.integer({ min: 1, max: 30 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(reports, fc.nat(3), async (given, erased) => {
        const told = [];
        // With the erased reports or as if there never were any.
        for (const withErased of [true, false]) {
          const { engine, apiKey, otherKey, clock } = await createTestEngine();
          for (const [n, { by, of, hours }] of given.entries()) {
            clock.nowMs += hours * 3_600_000;
            const identifiers = [...new Set(of)].map((one) => ({ kind: 'email', hash: hashOf(one) }));
            if (withErased || !of.includes(erased))
              unwrap(
                await engine.report({ apiKey: by === 0 ? apiKey : otherKey, ...draft, text: `t${n}`, identifiers }),
              );
          }
          if (withErased) {
            await engine.listStandings();
            unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(erased)], by: 'Ada' }));
          }
          const standings = withErased ? await engine.listStandings() : await engine.recomputeTrust();
          told.push(
            standings.map(({ name, claims, preceded, precision }) => [name, claims, preceded, precision.toFixed(9)]),
          );
          await engine.close();
        }
        expect(told[0]).toEqual(told[1]);
      }),
      { numRuns: 20 },
    );
  });
});

describe('erasure of all reports of a reporter', () => {
  it('leaves those of others, and is repeated after a failure', async () => {
    const medium = createMemoryMedium();
    const store = await openDurableStore({ medium });
    const limit = { requests: 1_000, windowSeconds: 1 };
    const test = await createTestEngine({ store, limits: { report: limit } });
    const { engine, apiKey, otherKey, reporterId, clock } = test;
    const kept = unwrap(await engine.report({ apiKey: otherKey, ...draft, text: 'Of another one' }));
    for (let n = 0; n < 230; n++) unwrap(await engine.report({ apiKey, ...draft, text: `Noise ${n}` }));
    const [first] = unwrap(await engine.listReports({ reporterId, limit: 1 })).reports;
    unwrap(await engine.openDispute({ reportId: first!.reportId, reason: 'why', by: 'Ada' }));
    const { link } = unwrap(await engine.query({ apiKey, identifiers: person }));
    expect(unwrap(await engine.view({ linkHash: link.slice(-40) }))).toHaveLength(231);
    clock.nowMs += 1;

    const { erase } = store;
    let calls = 0;
    store.erase = (...args) => (++calls === 2 ? Promise.reject(new Error('lost')) : erase(...args));
    const erased = () => engine.eraseReports({ reporterId, by: ' Ada ' });
    await expect(erased()).rejects.toThrow('lost');
    expect(unwrap(await engine.query({ apiKey, identifiers: person })).reported).toBe(131);
    store.erase = erase;
    expect(await erased()).toEqual({ ok: true, value: { reports: 130 } });
    expect(await erased()).toEqual({ ok: true, value: { reports: 0 } });

    expect(unwrap(await engine.query({ apiKey, identifiers: person })).reported).toBe(1);
    const shown = unwrap(await engine.view({ linkHash: link.slice(-40) }));
    expect(shown.map(({ reportId }) => reportId)).toEqual([kept.reportId]);
    expect(Buffer.from(medium.bytes()).includes('Noise 7')).toBe(false);
    const entries = (await engine.listAudit({ limit: 200 })).filter(
      (one) => 'action' in one && one.action === 'erased',
    );
    expect(entries.map((one) => 'amount' in one && [one.actor, one.reporterId, one.amount])).toEqual(
      [100, 100, 30].map((amount) => ['Ada', reporterId, amount]),
    );
    expect(await store.check()).toEqual([]);
    expect(await engine.eraseReports({ reporterId: 'x', by: 'Ada' })).toEqual(refused('unknown-reporter'));
    expect(await engine.eraseReports({ reporterId: '0'.repeat(16), by: 'Ada' })).toEqual(refused('unknown-reporter'));
    expect(await engine.eraseReports({ reporterId, by: '' })).toMatchObject(refused('invalid-name'));
    await engine.close();
  });
});

it('has an audit entry although the reporter had deleted all of its reports', async () => {
  const { engine, apiKey, reporterId, clock } = await createTestEngine();
  const { reportId, deletionCode } = unwrap(await engine.report({ apiKey, ...draft, text: 'Wrong' }));
  unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
  unwrap(await engine.remove({ apiKey, deletionCode }));
  clock.nowMs += 1;
  // The second one has nothing to delete.
  for (let n = 0; n < 2; n++) expect(unwrap(await engine.eraseReports({ reporterId, by: 'Ada' })).reports).toBe(0);
  const entries = await engine.listAudit({ action: 'erased' });
  expect(entries).toEqual([expect.objectContaining({ actor: 'Ada', reporterId, amount: 0 })]);
});

describe('whatever a reporter reports and deletes, and the operator decides', () => {
  const action = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('report'),
        of: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove'), nth: fc.nat(1) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('open'), nth: fc.nat(1) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('decide'), nth: fc.nat(1), upheld: fc.boolean() }) },
  );
  const OWN = 100;
  interface Made {
    readonly reportId: string;
    readonly deletionCode: string;
    readonly of: readonly number[];
    readonly at: number;
    /** The dispute of a person. */
    openedAt?: number;
    isLive: boolean;
    isOpen: boolean;
    /** The last decision of a person. */
    upheld?: boolean;
    /** True if the store has its identifiers. */
    stays: boolean;
  }

  it('a wrong claim does not count again, and what no one may find wrong leaves no byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 8, maxLength: 14 }),
        fc.nat(3),
        fc.boolean(),
        fc.boolean(),
        async (actions, n, all, onlyUpholds) => {
          const store = await createMemoryStore();
          const { engine, apiKey, reporterId, clock } = await createTestEngine({ store, sameRequestSeconds: 0 });
          const isWrong = async (reportId: string) => (await engine.listDisputes({ reportId }))[0]?.upheld === true;
          const made: Made[] = [];
          const linked = (a: Made, of: readonly number[]) => a.of.some((one) => of.includes(one));
          for (const step of actions) {
            clock.nowMs += 1000;
            if ('of' in step) {
              // One identifier is in no other report: it shows what stays of this one.
              const claim = [...step.of, OWN + made.length].map((one) => ({ kind: 'email', hash: hashOf(one) }));
              const text = `Text ${made.length}`;
              const receipt = unwrap(await engine.report({ apiKey, ...draft, text, identifiers: claim }));
              const known = made.filter((one) => one.stays && linked(one, step.of) && one.upheld !== undefined);
              if (known.length > 0 && known.every(({ upheld }) => upheld))
                expect(await isWrong(receipt.reportId)).toBe(true);
              if (!known.some(({ upheld }) => upheld) && onlyUpholds)
                expect(await isWrong(receipt.reportId)).toBe(false);
              made.push({ ...receipt, of: step.of, at: clock.nowMs, isLive: true, isOpen: false, stays: true });
              continue;
            }
            const one = made.at(-1 - step.nth);
            if (!one) continue;
            const { reportId, deletionCode } = one;
            if (step.do === 'remove') {
              if (!(await engine.remove({ apiKey, deletionCode })).ok) continue;
              one.isLive = false;
              one.stays = one.isOpen || one.upheld === true;
            } else if (step.do === 'open') {
              if (!(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' })).ok) continue;
              one.isOpen = true;
              one.openedAt = clock.nowMs;
            } else if ('upheld' in step) {
              const upheld = step.upheld || onlyUpholds;
              if (!(await engine.decideDispute({ reportId, upheld, by: 'Ada' })).ok) continue;
              Object.assign(one, { isOpen: false, upheld, stays: one.stays && (one.isLive || upheld) });
              for (const later of made)
                if (
                  upheld &&
                  one.stays &&
                  later.isLive &&
                  later.openedAt === undefined &&
                  later.at >= one.openedAt! &&
                  linked(one, later.of)
                )
                  expect(await isWrong(later.reportId)).toBe(true);
            }
          }
          // A check takes as long as all the rest.
          if (n === 0) expect(await store.check()).toEqual([]);
          const isIn = (bytes: Buffer, hash: number): boolean => bytes.includes(Buffer.from(hashOf(hash), 'hex'));
          const before = Buffer.from(store.export());
          for (const [at, one] of made.entries()) expect(isIn(before, OWN + at)).toBe(one.stays);
          if (all) unwrap(await engine.eraseReports({ reporterId, by: 'Ada' }));
          else unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(n)], by: 'Ada' }));
          const after = Buffer.from(store.export());
          const isHeldWrong = ({ stays, isOpen, upheld }: Made): boolean => stays && (isOpen || upheld === true);
          if (all)
            for (const at of [0, 1, 2, 3, ...made.keys()]) expect(isIn(after, at < 4 ? at : OWN + at)).toBe(false);
          else expect(isIn(after, n)).toBe(false);
          // Of an erased report, only what else a wrong one named is left, and it goes on to protect the person.
          for (const [at, one] of made.entries())
            if (!all) expect(isIn(after, OWN + at)).toBe(one.of.includes(n) ? isHeldWrong(one) : one.stays);
          for (const [at, one] of made.entries()) {
            if (all || !one.of.includes(n) || one.isOpen) continue;
            clock.nowMs += 1000;
            const again = [OWN + at, 2 * OWN + at].map((own) => ({ kind: 'email', hash: hashOf(own) }));
            const { reportId } = unwrap(await engine.report({ apiKey, ...draft, identifiers: again }));
            expect(await isWrong(reportId)).toBe(isHeldWrong(one));
          }
          if (n === 1) expect(await store.check()).toEqual([]);
        },
      ),
      { numRuns: budget(25) },
    );
  });
});
