import { describe, expect, it, vi } from 'vitest';
import { unwrap, type EngineNotice, type Identifier } from '../../src/index.ts';
import type { Dispute } from '../../src/operator.ts';
import { createTestEngine, hashOf, START, type TestEngine } from '../engine/setup.ts';
import { createCountedStore } from '../store/counted.ts';
import { createMemoryStore } from '../memory-store.ts';

const DAY = 86_400_000;
const identifiers = [
  { kind: 'email', hash: hashOf(1) },
  { kind: 'phone', hash: hashOf(2) },
];
const draft = { type: 'fraud', severity: 7, text: 'A text that is nobody’s business', identifiers };
const refused = (reason: string, more: object = {}) => ({ ok: false, refusal: { reason, ...more } });

interface Disputed extends TestEngine {
  readonly reportId: string;
  readonly deletionCode: string;
  /** The three numbers and the link. */
  query(): ReturnType<typeof answerOf>;
  open(by?: string): Promise<unknown>;
  decide(upheld: boolean, by?: string): Promise<unknown>;
  precision(name?: string): Promise<number>;
}

async function answerOf({ engine, otherKey }: TestEngine) {
  return unwrap(await engine.query({ apiKey: otherKey, identifiers }));
}

/** An engine with one report of First Shop, disputed by nobody yet. Each step is a second later. */
async function createDisputed(options: Parameters<typeof createTestEngine>[0] = {}): Promise<Disputed> {
  const test = await createTestEngine(options);
  const { engine, clock, apiKey } = test;
  const { reportId, deletionCode } = unwrap(await engine.report({ apiKey, ...draft }));
  const step = () => (clock.nowMs += 1000);
  return {
    ...test,
    reportId,
    deletionCode,
    query: () => answerOf(test),
    open: (by = 'Ada') => (step(), engine.openDispute({ reportId, reason: 'It was somebody else', by })),
    decide: (upheld, by = 'Bob') => (step(), engine.decideDispute({ reportId, upheld, by })),
    precision: async (name = 'First Shop') =>
      (await engine.listStandings()).find((standing) => standing.name === name)!.precision,
  };
}

const done = { ok: true, value: undefined };

describe('an open dispute', () => {
  it('lets the report count half, is seen in the explanation, and costs no standing', async () => {
    const { engine, query, open, precision } = await createDisputed();
    const [before, word] = [await query(), await precision()];
    const full = unwrap(await engine.explain({ identifiers })).exact;
    expect(await open()).toEqual(done);
    const during = await query();
    expect(during.reported).toBe(1);
    expect(during.link).toBe(before.link);
    const half = unwrap(await engine.explain({ identifiers }));
    // Half the strength is more than half of the Points of one voice, because the bound bends.
    expect(half.exact.points).toBeLessThan(full.points);
    expect(half.exact.points).toBeGreaterThan(full.points / 2);
    // What is above 1.0 is halved, before the map that calibrates it.
    expect(half.exact.uncalibrated - 1).toBeCloseTo((full.uncalibrated - 1) / 2, 9);
    expect(during.points).toBe(half.verdict.points);
    expect(during.reliability).toBeLessThan(before.reliability);
    expect(half.sentences.join(' ')).toContain('under dispute');
    expect(await precision()).toBe(word);
    expect(unwrap(await engine.view({ linkHash: before.link.slice(-40) }))).toHaveLength(1);
  });

  it('is about that report alone', async () => {
    const { engine, otherKey, apiKey, query, open } = await createDisputed();
    const elsewhere = [{ kind: 'email', hash: hashOf(9) }];
    unwrap(await engine.report({ apiKey: otherKey, ...draft, identifiers: elsewhere }));
    const others = unwrap(await engine.query({ apiKey, identifiers: elsewhere }));
    await query();
    await open();
    expect(unwrap(await engine.query({ apiKey, identifiers: elsewhere }))).toEqual(others);
  });
});

describe('a rejected dispute', () => {
  it('restores the very answer', async () => {
    const { query, open, decide, precision, engine } = await createDisputed();
    const [before, word, explained] = [await query(), await precision(), unwrap(await engine.explain({ identifiers }))];
    await open();
    expect(await decide(false)).toEqual(done);
    expect(await query()).toEqual(before);
    expect(await precision()).toBe(word);
    expect(unwrap(await engine.explain({ identifiers })).exact).toEqual(explained.exact);
  });
});

describe('an upheld dispute', () => {
  it('takes the report out of the score and of the viewer, and costs its reporter standing', async () => {
    const { engine, apiKey, otherKey, query, open, decide, precision } = await createDisputed();
    const elsewhere = [{ kind: 'email', hash: hashOf(9) }];
    unwrap(await engine.report({ apiKey, ...draft, identifiers: elsewhere }));
    const ask = async () => unwrap(await engine.query({ apiKey: otherKey, identifiers: elsewhere }));
    const [before, word, others] = [await query(), await precision(), await ask()];
    await open();
    expect(await decide(true)).toEqual(done);
    expect(await query()).toEqual({ points: 0, reported: 0, reliability: 0, link: before.link });
    expect(await engine.view({ linkHash: before.link.slice(-40) })).toEqual(refused('not-found'));
    expect(await precision()).toBeLessThan(word);
    expect((await ask()).points).toBeLessThan(others.points);
    const standing = (await engine.listStandings()).find(({ name }) => name === 'First Shop')!;
    expect(standing.lost).toBe(1);
    expect(standing.why.join(' ')).toContain('1 claim was lost to a dispute');
    // What it costs is the same when it is learnt anew.
    const [anew] = await engine.recomputeTrust();
    expect(anew).toMatchObject({ lost: 1, claims: standing.claims });
    expect(anew!.precision).toBeCloseTo(standing.precision, 9);
    const explained = unwrap(await engine.explain({ identifiers }));
    expect(explained.upheldDisputes).toBe(1);
    expect(explained.sentences.join(' ')).toContain('1 report was left out');
  });

  it('leaves other reports of the same person as they are', async () => {
    const { engine, apiKey, otherKey, query, open, decide, reportId } = await createDisputed();
    const other = unwrap(await engine.report({ apiKey: otherKey, ...draft, text: 'The other report' }));
    const { link } = await query();
    await open();
    await decide(true);
    const after = unwrap(await engine.query({ apiKey, identifiers }));
    expect(after.reported).toBe(1);
    const shown = unwrap(await engine.view({ linkHash: link.slice(-40) }));
    expect(shown.map((report) => report.reportId)).toEqual([other.reportId]);
    expect(other.reportId).not.toBe(reportId);
  });

  it('can be opened again, which changes nothing, and rejected then: all is as before', async () => {
    const { engine, otherKey, clock, query, open, decide, precision } = await createDisputed();
    const [before, word] = [await query(), await precision()];
    await open();
    await decide(true);
    const [during, lost] = [await query(), await precision()];
    expect(await open('Eve')).toEqual(done);
    expect(await query()).toEqual(during);
    expect(await engine.view({ linkHash: before.link.slice(-40) })).toEqual(refused('not-found'));
    expect(await precision()).toBe(lost);
    await engine.recomputeTrust();
    expect(await precision()).toBe(lost);
    // It precedes no report.
    clock.nowMs += 1000;
    const { deletionCode } = unwrap(await engine.report({ apiKey: otherKey, ...draft, text: 'By itself' }));
    const second = (await engine.listStandings()).find(({ name }) => name === 'Second Shop');
    expect(second).toMatchObject({ claims: 1, preceded: 0 });
    unwrap(await engine.remove({ apiKey: otherKey, deletionCode }));
    await decide(false);
    expect(await query()).toEqual(before);
    expect(await precision()).toBe(word);
    expect((await engine.listDisputes()).map(({ openedBy, upheld }) => [openedBy, upheld])).toEqual([
      ['Eve', false],
      ['Ada', true],
    ]);
  });

  it('costs once when it is upheld, opened again and upheld again', async () => {
    const { engine, open, decide } = await createDisputed();
    for (let n = 0; n < 2; n++) {
      await open();
      await decide(true);
    }
    expect((await engine.listStandings())[0]!.lost).toBe(1);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(1);
  });

  it('costs even when its reporter deletes the report', async () => {
    const { engine, apiKey, deletionCode, open, decide, precision } = await createDisputed();
    const word = await precision();
    await open();
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await decide(true)).toEqual(done);
    expect(await precision()).toBeLessThan(word);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(1);
    expect(await precision()).toBeLessThan(word);
  });

  it('costs once for each report that names more than those before, however they are linked later', async () => {
    const { engine, apiKey, clock, open, decide } = await createDisputed();
    const lost = async () => (await engine.listStandings())[0]!.lost;
    const uphold = async (reportId: string) => {
      clock.nowMs += 1000;
      unwrap(await engine.openDispute({ reportId, reason: 'wrong', by: 'Ada' }));
      unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    };
    const same = unwrap(
      await engine.report({
        apiKey,
        ...draft,
        text: 'The same person',
        identifiers: [identifiers[1]!, { kind: 'domain', hash: hashOf(3) }],
      }),
    );
    const linked = unwrap(
      await engine.report({
        apiKey,
        ...draft,
        text: 'By its domain',
        identifiers: [{ kind: 'domain', hash: hashOf(3) }],
      }),
    );
    const other = unwrap(
      await engine.report({ apiKey, ...draft, text: 'Another one', identifiers: [{ kind: 'email', hash: hashOf(4) }] }),
    );
    await open();
    await decide(true);
    await uphold(linked.reportId);
    expect(await lost()).toBe(2);
    // It links the two, and adds nothing.
    await uphold(same.reportId);
    expect(await lost()).toBe(2);
    await uphold(other.reportId);
    expect(await lost()).toBe(3);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(3);
    // The next day says the same.
    clock.nowMs += DAY;
    expect((await engine.recomputeTrust())[0]!.lost).toBe(3);
    unwrap(await engine.openDispute({ reportId: same.reportId, reason: 'again', by: 'Eve' }));
    unwrap(await engine.decideDispute({ reportId: same.reportId, upheld: false, by: 'Eve' }));
    const [now, anew] = [await lost(), (await engine.recomputeTrust())[0]!.lost];
    expect(anew).toBe(now);
  });

  it('costs the same when a report of the lost claim is deleted, or its hash is protected later', async () => {
    const { engine, apiKey, clock, deletionCode, open, decide } = await createDisputed();
    const told = async () => {
      const now = (await engine.listStandings())[0]!.lost;
      return [now, (await engine.recomputeTrust())[0]!.lost];
    };
    const twice = unwrap(await engine.report({ apiKey, ...draft, text: 'The same person' }));
    await open();
    await decide(true);
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId: twice.reportId, reason: 'wrong', by: 'Ada' }));
    unwrap(await engine.decideDispute({ reportId: twice.reportId, upheld: true, by: 'Ada' }));
    expect(await told()).toEqual([1, 1]);
    clock.nowMs += DAY;
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await told()).toEqual([1, 1]);
    unwrap(await engine.remove({ apiKey, deletionCode: twice.deletionCode }));
    expect(await told()).toEqual([1, 1]);

    const other = [5, 6].map((n) => ({ kind: 'domain', hash: hashOf(n) }));
    for (const text of ['one', 'two']) {
      const { reportId } = unwrap(await engine.report({ apiKey, ...draft, text, identifiers: [other[0]!] }));
      unwrap(await engine.openDispute({ reportId, reason: 'wrong', by: 'Ada' }));
      unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    }
    expect(await told()).toEqual([2, 2]);
    clock.nowMs += 1000;
    unwrap(await engine.protect({ hash: other[0]!.hash, reason: 'ours', by: 'Ada' }));
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    // An operator protects the victims of a reporter. That is no pardon.
    expect(await told()).toEqual([2, 2]);
    unwrap(await engine.unprotect({ hash: other[0]!.hash, by: 'Ada' }));
    clock.nowMs += DAY;
    expect(await told()).toEqual([2, 2]);
  });

  it('costs nothing if the allow-list had all that the report names, as long as it has', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    const told = async () => {
      const now = (await engine.listStandings())[0]!.lost;
      return [now, (await engine.recomputeTrust())[0]!.lost];
    };
    const hash = hashOf(5);
    const protect = () => engine.protect({ hash, reason: 'ours', by: 'Ada' }).then(unwrap);
    await protect();
    clock.nowMs += 1000;
    const ours = [{ kind: 'domain', hash }];
    const { reportId, deletionCode } = unwrap(await engine.report({ apiKey, ...draft, identifiers: ours }));
    unwrap(await engine.openDispute({ reportId, reason: 'wrong', by: 'Ada' }));
    unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    expect(await told()).toEqual([0, 0]);
    unwrap(await engine.unprotect({ hash, by: 'Ada' }));
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    expect(await told()).toEqual([1, 1]);
    await protect();
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    expect(await told()).toEqual([1, 1]);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await told()).toEqual([1, 1]);
  });

  it('precedes nobody’s report any more: who says the same later is no copy', async () => {
    const { engine, otherKey, clock, open, decide } = await createDisputed();
    await open();
    await decide(true);
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    unwrap(await engine.report({ apiKey: otherKey, ...draft, text: 'By itself' }));
    expect((await engine.listStandings()).find(({ name }) => name === 'Second Shop')).toMatchObject({
      claims: 1,
      preceded: 0,
      echoed: 0,
    });
    clock.nowMs += DAY;
    expect((await engine.recomputeTrust()).find(({ name }) => name === 'Second Shop')).toMatchObject({
      claims: 1,
      preceded: 0,
      echoed: 0,
    });
  });

  it('can be opened again although the clock was set back', async () => {
    const { engine, clock, reportId, open, decide } = await createDisputed();
    await open();
    await decide(true);
    clock.nowMs -= 3600_000;
    expect(await engine.openDispute({ reportId, reason: 'again', by: 'Eve' })).toEqual(done);
    expect(await engine.decideDispute({ reportId, upheld: false, by: 'Eve' })).toEqual(done);
    expect((await engine.listDisputes()).map(({ upheld }) => upheld)).toEqual([false, true]);
  });

  it('can be looked into again when the report is deleted: what it cost is given back', async () => {
    const { engine, apiKey, deletionCode, open, decide, precision } = await createDisputed();
    const elsewhere = unwrap(
      await engine.report({ apiKey, ...draft, text: 'Another one', identifiers: [{ kind: 'email', hash: hashOf(4) }] }),
    );
    await open();
    await decide(true);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    const lost = await precision();
    expect(await open()).toEqual(done);
    expect(await decide(false)).toEqual(done);
    expect(await precision()).toBeGreaterThan(lost);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(0);
    expect((await engine.listDisputes()).map(({ reason }) => reason)).toEqual(['', '']);
    // One that nobody disputed while it was there is beyond dispute.
    unwrap(await engine.remove({ apiKey, deletionCode: elsewhere.deletionCode }));
    expect(await engine.openDispute({ reportId: elsewhere.reportId, reason: 'r', by: 'Ada' })).toEqual(
      refused('unknown-report'),
    );
  });

  it('does not change what is said of an earlier moment', async () => {
    const { engine, otherKey, clock, query, open, decide } = await createDisputed();
    clock.nowMs += DAY;
    // The new day's table; until it is there the one of the day before answers.
    await engine.recomputeTrust();
    const asOf = clock.nowMs;
    const { link: _, ...before } = await query();
    await open();
    const during = clock.nowMs;
    await decide(true);
    const at = async (moment: number) => unwrap(await engine.query({ apiKey: otherKey, identifiers, asOf: moment }));
    expect(await at(asOf)).toMatchObject(before);
    expect((await at(during)).points).toBeLessThan(before.points);
    expect((await at(during)).reported).toBe(1);
    expect((await at(clock.nowMs)).reported).toBe(0);
  });
});

describe('a decision that is taken back', () => {
  it.each([true, false])('is as if it had not been made (upheld: %s), and the audit log says so', async (upheld) => {
    const { engine, query, open, decide, precision, reportId, clock } = await createDisputed();
    await open();
    const before = [await query(), await precision(), await engine.listDisputes()];
    await decide(upheld);
    const decidedAt = clock.nowMs;
    expect((await query()).points).not.toBe((before[0] as { points: number }).points);
    clock.nowMs += 599_999;
    expect(await engine.reopenDispute({ reportId, decidedAt, by: 'Bob' })).toEqual({
      ok: true,
      value: { reopened: true },
    });
    expect([await query(), await precision(), await engine.listDisputes()]).toEqual(before);
    expect((await engine.listAudit()).at(-1)).toMatchObject({
      action: 'dispute-reopened',
      actor: 'Bob',
      subject: reportId,
    });
    await decide(!upheld);
    expect((await engine.listDisputes())[0]!.upheld).toBe(!upheld);
  });

  it('stays if ten minutes are over, another dispute is open, or another decision followed', async () => {
    const { engine, open, decide, reportId, clock } = await createDisputed();
    const reopen = async (decidedAt: number, by = 'Bob') => engine.reopenDispute({ reportId, decidedAt, by });
    const nothing = { ok: true, value: { reopened: false } };
    await open();
    await decide(true);
    const decidedAt = clock.nowMs;
    clock.nowMs += 600_000;
    expect(await reopen(decidedAt)).toEqual(nothing);
    clock.nowMs -= 300_000;
    expect(await reopen(decidedAt, '')).toMatchObject({ refusal: { reason: 'invalid-name' } });
    await open();
    expect(await reopen(decidedAt)).toEqual(nothing);
    await decide(false);
    expect(await reopen(decidedAt)).toEqual(nothing);
    expect(await engine.reopenDispute({ reportId: 'no id', decidedAt, by: 'Bob' })).toEqual(nothing);
  });

  it('opens what was found wrong with it and since, too', async () => {
    const { engine, apiKey, query, open, reportId, clock } = await createDisputed();
    const report = async (text: string) => unwrap(await engine.report({ apiKey, ...draft, text })).reportId;
    const alike = await report('Again');
    await open();
    unwrap(await engine.decideDispute({ reportId, upheld: true, alike: true, by: 'Bob' }));
    const decidedAt = clock.nowMs;
    clock.nowMs += 1000;
    const since = await report('And again');
    expect((await query()).points).toBe(0);
    expect(unwrap(await engine.reopenDispute({ reportId, decidedAt, by: 'Bob' }))).toEqual({ reopened: true });
    const disputes = await engine.listDisputes();
    expect(new Set(disputes.map((one) => one.reportId))).toEqual(new Set([reportId, alike, since]));
    expect(disputes.map(({ upheld }) => upheld)).toEqual([null, null, null]);
    expect((await query()).points).toBeGreaterThan(0);
  });
});

describe('a report that is stored while a decision is taken back', () => {
  it('has an open dispute, too', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey, open, decide, reportId, clock } = await createDisputed({ store });
    await open();
    await decide(true);
    const decidedAt = clock.nowMs;
    clock.nowMs += 1000;
    const { reopenDispute } = store;
    let since = '';
    vi.spyOn(store, 'reopenDispute').mockImplementationOnce(async (...request) => {
      since = unwrap(await engine.report({ apiKey, ...draft, text: 'And again' })).reportId;
      return reopenDispute(...request);
    });
    expect(unwrap(await engine.reopenDispute({ reportId, decidedAt, by: 'Bob' }))).toEqual({ reopened: true });
    const disputes = await engine.listDisputes();
    expect(new Set(disputes.map((one) => one.reportId))).toEqual(new Set([reportId, since]));
    expect(disputes.map(({ upheld }) => upheld)).toEqual([null, null]);
  });
});

describe('the record of disputes', () => {
  it('says who, when and why, the newest first', async () => {
    const { engine, apiKey, reporterId, reportId, open, decide, clock } = await createDisputed();
    const second = unwrap(await engine.report({ apiKey, ...draft, text: 'another' })).reportId;
    await open('  Ada  ');
    await decide(true, 'Bob');
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId: second, reason: ' Two words ', by: 'Eve' }));
    expect(await engine.listDisputes()).toEqual<Dispute[]>([
      {
        reportId: second,
        reporterId,
        openedAt: START + 3000,
        openedBy: 'Eve',
        reason: 'Two words',
        decidedAt: null,
        decidedBy: null,
        upheld: null,
        merged: false,
        answer: null,
        answeredAt: null,
      },
      {
        reportId,
        reporterId,
        openedAt: START + 1000,
        openedBy: 'Ada',
        reason: 'It was somebody else',
        decidedAt: START + 2000,
        decidedBy: 'Bob',
        upheld: true,
        merged: false,
        answer: null,
        answeredAt: null,
      },
    ]);
  });

  it('keeps no reason of a report that was deleted', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey, deletionCode, open, decide } = await createDisputed({ store });
    await open();
    await decide(true);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await engine.listDisputes()).toEqual([
      expect.objectContaining({ reason: '', upheld: true, openedBy: 'Ada', decidedBy: 'Bob' }),
    ]);
    expect(Buffer.from(store.export()).includes('somebody else')).toBe(false);
  });
});

describe('a dispute that cannot be', () => {
  it('is refused, and nothing changes', async () => {
    const { engine, reportId, deletionCode, query, open, decide } = await createDisputed();
    const before = await query();
    for (const unknown of ['0'.repeat(16), 'nonsense', deletionCode, 7 as unknown as string]) {
      expect(await engine.openDispute({ reportId: unknown, reason: 'r', by: 'Ada' })).toEqual(
        refused('unknown-report'),
      );
      expect(await engine.decideDispute({ reportId: unknown, upheld: true, by: 'Ada' })).toEqual(
        refused('no-open-dispute'),
      );
    }
    for (const by of ['', ' ', 'x'.repeat(81), 'two\nlines', 'engine', 'ENGINE ', undefined as unknown as string]) {
      expect(await engine.openDispute({ reportId, reason: 'r', by })).toEqual(
        refused('invalid-name', { limitCharacters: 80 }),
      );
      expect(await engine.decideDispute({ reportId, upheld: true, by })).toEqual(
        refused('invalid-name', { limitCharacters: 80 }),
      );
    }
    for (const reason of ['', ' ', 'x'.repeat(501), 'a\0b', undefined as unknown as string]) {
      expect(await engine.openDispute({ reportId, reason, by: 'Ada' })).toEqual(
        refused('invalid-note', { limitCharacters: 500 }),
      );
    }
    expect(await decide(true)).toEqual(refused('no-open-dispute'));
    expect(await engine.listDisputes()).toEqual([]);
    expect(await query()).toEqual(before);

    await open();
    expect(await open()).toEqual(refused('dispute-open'));
    await expect(engine.decideDispute({ reportId, upheld: 'yes' as unknown as boolean, by: 'Ada' })).rejects.toThrow(
      '"upheld"',
    );
    await decide(false);
    expect(await decide(true)).toEqual(refused('no-open-dispute'));
  });

  it('shows nothing of the report to those who ask', async () => {
    const { engine, open } = await createDisputed();
    await open();
    const told = JSON.stringify([
      await engine.listDisputes(),
      unwrap(await engine.explain({ identifiers })),
      await engine.listStandings(),
    ]);
    expect(told).not.toContain('business');
    for (const { hash } of identifiers) expect(told).not.toContain(hash);
  });
});

describe('a clock that was set back', () => {
  it('does not change the order of disputes: the last one decides', async () => {
    const { engine, clock, reportId, query, open, decide } = await createDisputed();
    await open();
    await decide(true);
    expect((await query()).reported).toBe(0);
    clock.nowMs -= DAY;
    // Opened and rejected a day "earlier", and yet after the first one.
    expect(await open('Eve')).toEqual(done);
    expect(await decide(false, 'Eve')).toEqual(done);
    const [last, first] = await engine.listDisputes();
    expect([last!.openedBy, first!.openedBy]).toEqual(['Eve', 'Ada']);
    expect(last!.openedAt).toBe(first!.decidedAt! + 1);
    expect(last!.decidedAt).toBeGreaterThanOrEqual(last!.openedAt);
    clock.nowMs += 2 * DAY;
    expect((await query()).reported).toBe(1);
    expect((await engine.listDisputes()).filter((dispute) => dispute.reportId === reportId)).toHaveLength(2);
  });

  it('before a decision does not date it before its dispute', async () => {
    const { engine, clock, query, open, decide } = await createDisputed();
    await open();
    const [{ openedAt }] = (await engine.listDisputes()) as [Dispute];
    clock.nowMs -= DAY;
    expect(await decide(true)).toEqual(done);
    expect((await engine.listDisputes())[0]!.decidedAt).toBe(openedAt);
    clock.nowMs = openedAt;
    expect((await query()).reported).toBe(0);
  });
});

describe('a claim that was found wrong', () => {
  const id = (kind: string, n: number) => ({ kind, hash: hashOf(n) });
  const WRONG = [id('email', 21), id('phone', 22), id('ip', 23)];
  /** An engine whose First Shop has a report that was found wrong, about WRONG and a domain. */
  async function foundWrong(options: Parameters<typeof createTestEngine>[0] = {}) {
    const notices: EngineNotice[] = [];
    const onNotice = (notice: EngineNotice) => notices.push(notice);
    const test = await createDisputed({ onNotice, sameRequestSeconds: 0, ...options });
    const { engine, apiKey, clock } = test;
    const wrong = unwrap(await engine.report({ apiKey, ...draft, identifiers: [...WRONG, id('domain', 24)] }));
    const decide = async (reportId: string, upheld: boolean) => {
      clock.nowMs += 1000;
      unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
      clock.nowMs += 1000;
      unwrap(await engine.decideDispute({ reportId, upheld, by: 'Ada' }));
      clock.nowMs += 1000;
    };
    await decide(wrong.reportId, true);
    let n = 0;
    const again = async (identifiers: readonly Identifier[], key = apiKey) =>
      unwrap(await engine.report({ apiKey: key, ...draft, text: `Again ${++n}`, identifiers }));
    const reported = async (...asked: Identifier[]) =>
      unwrap(await engine.query({ apiKey: test.otherKey, identifiers: asked })).reported;
    /** Another reporter names these, each with another person. */
    const share = async (...shared: Identifier[]) => {
      for (const [at, one] of shared.entries()) await again([one, id('email', 90 + at)], test.otherKey);
    };
    return { ...test, wrong, notices, decide, again, reported, share };
  }

  it('stays wrong for its reporter: a new report does not count, and the operator is told', async () => {
    const { engine, reporterId, notices, again, reported, precision } = await foundWrong();
    const before = await precision();
    const { reportId } = await again([id('email', 21)]);
    expect(await reported(id('email', 21), id('phone', 22), id('ip', 23))).toBe(0);
    expect(notices).toContainEqual({ event: 'repeated-claim', reporterId, reportId, reports: 1 });
    expect((await engine.listAudit()).at(-1)).toMatchObject({
      action: 'dispute-upheld',
      actor: 'engine',
      reporterId,
      subject: reportId,
    });
    const own = unwrap(await engine.listReports({ reporterId, text: reportId })).reports;
    expect(own).toMatchObject([{ reportId, dispute: 'upheld' }]);
    const [dispute] = await engine.listDisputes({ reportId });
    expect(dispute).toMatchObject({ openedBy: 'engine', decidedBy: 'engine', upheld: true });
    // It is the claim that cost the standing already.
    expect(await precision()).toBe(before);
    await engine.recomputeTrust();
    expect(await precision()).toBe(before);
  });

  it.each<[string, Identifier[], boolean]>([
    ['one of its identifiers', [id('phone', 22)], true],
    ['one under another kind', [id('ip', 21)], true],
    ['one under an unknown kind', [id('mail', 21)], true],
    ['one and a new one', [id('email', 21), id('phone', 30)], true],
    ['its IP address alone', [id('ip', 23)], true],
    ['its IP address and a new email address', [id('ip', 23), id('email', 30)], false],
    ['another person', [id('email', 30)], false],
    ['its domain alone', [id('domain', 24)], false],
    ['its domain and a new email address', [id('domain', 24), id('email', 30)], false],
    ['its domain under a kind that is not weak', [id('name', 24), id('email', 30)], true],
    ['its domain and its IP address alone', [id('domain', 24), id('ip', 23)], true],
    ['all that its claim has, and more', [id('domain', 24), ...WRONG, id('device', 30)], true],
  ])('is repeated by a report about %s: %j, %s', async (_, identifiers, repeats) => {
    const { again, reported, otherKey, share } = await foundWrong();
    await share(id('domain', 24), id('ip', 23));
    const before = await reported(...identifiers);
    await again(identifiers);
    expect(await reported(...identifiers)).toBe(before + (repeats ? 0 : 1));
    // Another reporter may make the claim.
    await again(identifiers, otherKey);
    expect(await reported(...identifiers)).toBe(before + (repeats ? 1 : 2));
  });

  it.each<[string, Identifier[]]>([
    ['its IP address and a new email address', [id('ip', 23), id('email', 30)]],
    ['its domain alone', [id('domain', 24)]],
    ['its domain and a new email address', [id('domain', 24), id('email', 30)]],
    ['its domain as an IP address, and a new email address', [id('ip', 24), id('email', 30)]],
    ['its email address as a domain, and a new email address', [id('domain', 21), id('email', 30)]],
  ])('is repeated by what no other reporter names, under any kind: %s', async (_, identifiers) => {
    const { again, reported, decide, engine, otherKey } = await foundWrong();
    await again(identifiers);
    expect(await reported(...identifiers)).toBe(0);
    const [shared] = identifiers as [Identifier];
    // What another reporter deleted, or says in a report that was found wrong, makes nothing weak.
    for (const isWrong of [false, true]) {
      const other = await again([shared, id('email', 80)], otherKey);
      if (isWrong) await decide(other.reportId, true);
      else unwrap(await engine.remove({ apiKey: otherKey, deletionCode: other.deletionCode }));
      await again([shared, id('email', 81)]);
      expect(await reported(shared, id('email', 81))).toBe(0);
    }
  });

  it.each<[string, Identifier[], Identifier[], boolean]>([
    ['an IP address, by it and a new email address', [id('ip', 41)], [id('ip', 41), id('email', 42)], true],
    ['a domain, by it and a new email address', [id('domain', 41)], [id('domain', 41), id('email', 42)], true],
    ['a domain, by it', [id('domain', 41)], [id('domain', 41)], true],
    ['two IP addresses, by one and more', [id('ip', 41), id('ip', 43)], [id('ip', 41), id('email', 42)], false],
  ])('of weak identifiers is repeated or not: %s', async (_, claimed, identifiers, repeats) => {
    const { again, decide, reported, share } = await foundWrong();
    await share(claimed[0]!);
    const { reportId } = await again(claimed);
    await decide(reportId, true);
    await again(identifiers);
    expect(await reported(...identifiers)).toBe(repeats ? 1 : 2);
  });

  it('of a domain that no other reporter names has its other reports, until another reporter names it', async () => {
    const { engine, again, reported, clock, otherKey, share } = await foundWrong();
    const claim = (n: number) => [id('domain', 60), id('ip', 61), id('email', n)];
    const open = async (reportId: string) => (
      (clock.nowMs += 1000),
      unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }))
    );
    const counted = () => engine.countAlike({ reportIds: [wrong.reportId] });
    const cases = async () => (await engine.listDisputeCases()).map(({ disputes }) => disputes.length);
    await share(id('ip', 61));
    await again(claim(62));
    const [other, wrong] = [await again(claim(63)), await again(claim(64))];
    clock.nowMs += 1000;
    await again([id('ip', 61), id('email', 65)]);
    await open(wrong.reportId);
    expect(await counted()).toEqual([{ reportId: wrong.reportId, reports: 2 }]);
    await open(other.reportId);
    expect(await cases()).toEqual([2]);
    expect(await counted()).toEqual([{ reportId: wrong.reportId, reports: 1 }]);
    await again(claim(66));
    clock.nowMs += 1000;
    await again([id('domain', 60), id('email', 67)], otherKey);
    expect(await cases()).toEqual([1, 1]);
    expect(await counted()).toEqual([{ reportId: wrong.reportId, reports: 0 }]);
    unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(67)], by: 'Ada' }));
    await engine.decideDispute({ reportId: wrong.reportId, upheld: true, alike: true, by: 'Ada' });
    // Left are the report about the address alone, the disputed one, and what another reporter says about the address.
    expect(await reported(...claim(64))).toBe(3);
    expect(await reported(id('email', 62), id('email', 66))).toBe(0);
  });

  it('is not repeated by what the allow-list has', async () => {
    const { engine, again, decide, reported, clock } = await foundWrong();
    const both = (n: number) => [id('name', 50), id('email', n)];
    unwrap(await engine.protect({ hash: hashOf(50), reason: 'Many customers share it', by: 'Ada' }));
    const { reportId } = await again(both(51));
    await decide(reportId, true);
    await again(both(52));
    expect(await reported(id('email', 52))).toBe(1);
    // Neither is a report that was made before the decision.
    const open = await again(both(53));
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId: open.reportId, reason: 'why', by: 'Ada' }));
    await again(both(54));
    clock.nowMs += 1000;
    unwrap(await engine.decideDispute({ reportId: open.reportId, upheld: true, by: 'Ada' }));
    expect([await reported(id('email', 54)), await reported(id('email', 53))]).toEqual([1, 0]);
    await again(both(51));
    expect(await reported(id('email', 51))).toBe(0);
  });

  it('is found after a rotation of the pepper; a repetition of it starts no claim of its own', async () => {
    const { engine, again, reported } = await foundWrong({ peppers: ['the first pepper, long enough'] });
    await engine.rotatePepper({ pepper: 'the second pepper, long enough' });
    await again([id('email', 21), id('phone', 31)]);
    await again([id('phone', 31), id('device', 32)]);
    expect(await reported(id('email', 21))).toBe(0);
    expect(await reported(id('phone', 31), id('device', 32))).toBe(1);
  });

  it('costs a report the same work, however often it was repeated', async () => {
    let read = 0;
    const store = createCountedStore((rows) => (read += 1 + rows));
    const { engine, again, notices } = await foundWrong({ store });
    const costOf = async (...identifiers: Identifier[]) => {
      const before = read;
      await again(identifiers);
      return read - before;
    };
    const repeated = WRONG.slice(0, 2);
    // At most so many reports of a hash are read at once.
    for (let n = 0; n < 65; n++) await again(repeated);
    const [first, other] = [await costOf(...repeated), await costOf(id('email', 90))];
    for (let n = 0; n < 15; n++) await again(repeated);
    expect(await costOf(...repeated)).toBe(first);
    expect(await costOf(id('email', 91))).toBe(other);
    expect((await engine.listDisputes()).filter(({ decidedBy }) => decidedBy === 'engine')).toHaveLength(82);
    // The operator hears of it once, and again when it goes on.
    const told = notices.flatMap((notice) => (notice.event === 'repeated-claim' ? [notice.reports] : []));
    expect(told).toEqual([1, 10]);
  });

  it('costs one claim, whatever repetitions join and whoever deletes them', async () => {
    const { engine, apiKey, again, decide, wrong } = await foundWrong();
    const lost = async () => {
      const now = (await engine.listStandings())[0]!.lost;
      return [now, (await engine.recomputeTrust())[0]!.lost];
    };
    const other = await again([id('email', 43)]);
    await decide(other.reportId, true);
    expect(await lost()).toEqual([2, 2]);
    const joining = await again([id('email', 21), id('email', 43)]);
    expect(await lost()).toEqual([2, 2]);
    // A deleted report costs what it did.
    unwrap(await engine.remove({ apiKey, deletionCode: other.deletionCode }));
    expect(await lost()).toEqual([2, 2]);
    unwrap(await engine.remove({ apiKey, deletionCode: joining.deletionCode }));
    unwrap(await engine.remove({ apiKey, deletionCode: wrong.deletionCode }));
    expect(await lost()).toEqual([2, 2]);
  });

  it('costs a claim for each person, whatever the reports share and whoever deletes them', async () => {
    const test = await foundWrong();
    const { engine, apiKey, again, decide } = test;
    const lost = async () => [(await engine.listStandings())[0]!.lost, (await engine.recomputeTrust())[0]!.lost];
    const codes: string[] = [];
    for (let victim = 50; victim < 55; victim++) {
      const { reportId, deletionCode } = await again([id('email', victim), id('phone', 60)]);
      await decide(reportId, true);
      codes.push(deletionCode);
    }
    expect(await lost()).toEqual([6, 6]);
    for (const deletionCode of codes) {
      unwrap(await engine.remove({ apiKey, deletionCode }));
      expect(await lost()).toEqual([6, 6]);
    }
    // Nor when its victims have themselves erased, or the operator erases all its reports.
    for (let victim = 50; victim < 55; victim++) {
      unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(victim)], by: 'Ada' }));
      expect(await lost()).toEqual([6, 6]);
    }
    unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(60)], by: 'Ada' }));
    expect(await lost()).toEqual([6, 6]);
    unwrap(await engine.eraseReports({ reporterId: test.reporterId, by: 'Ada' }));
    expect(await lost()).toEqual([6, 6]);
  });

  it('is lifted by a rejected dispute about it or about a repetition, until the next decision', async () => {
    const { decide, again, reported, wrong } = await foundWrong();
    const first = await again([id('email', 21)]);
    await decide(first.reportId, false);
    expect(await reported(id('email', 21))).toBe(1);
    await again([id('email', 21)]);
    expect(await reported(id('email', 21))).toBe(2);
    await decide(first.reportId, true);
    await again([id('email', 21)]);
    expect(await reported(id('email', 21))).toBe(1);
    await decide(wrong.reportId, false);
    await again([id('email', 21)]);
    expect(await reported(id('email', 21))).toBe(3);
  });

  it('is lifted only by decisions about what a new report shares with it', async () => {
    const { again, decide, reported, share } = await foundWrong();
    const reverse = async (identifiers: readonly Identifier[]) => {
      const { reportId } = await again(identifiers);
      await decide(reportId, true);
      await decide(reportId, false);
    };
    // The reporter reports itself, and then says that it was right.
    await reverse([id('email', 70)]);
    await again([id('email', 21), id('email', 70)]);
    expect(await reported(id('email', 21))).toBe(0);
    // The same with an identifier that its wrong reports share.
    const joined = await again([id('email', 71), id('email', 72)]);
    await decide(joined.reportId, true);
    await reverse([id('email', 72)]);
    await again([id('email', 71), id('email', 72)]);
    expect(await reported(id('email', 71))).toBe(0);
    // Nor under another kind, which others name.
    await share(id('email', 71));
    await again([id('domain', 71), id('email', 72)]);
    expect(await reported(id('email', 71))).toBe(1);
    // A decision about the person lifts the claim, without the domain that the reports share, too.
    await share(id('domain', 24));
    await reverse([id('email', 21)]);
    await again([id('email', 21), id('domain', 24)]);
    expect(await reported(id('email', 21))).toBe(2);
  });

  it('takes along what its reporter repeats between the opening and the decision', async () => {
    const { engine, apiKey, clock } = await createTestEngine({ sameRequestSeconds: 0 });
    const report = async (text: string) => (
      (clock.nowMs += 1000),
      unwrap(await engine.report({ apiKey, ...draft, text }))
    );
    const [older, wrong] = [await report('Older'), await report('Wrong')];
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId: wrong.reportId, reason: 'why', by: 'Ada' }));
    const later = await report('Later');
    clock.nowMs += 1000;
    unwrap(await engine.decideDispute({ reportId: wrong.reportId, upheld: true, by: 'Ada' }));
    const { link, reported } = unwrap(await engine.query({ apiKey, identifiers }));
    expect(reported).toBe(1);
    const shown = unwrap(await engine.view({ linkHash: link.slice(-40) }));
    expect(shown.map(({ reportId }) => reportId)).toEqual([older.reportId]);
    const entries = (await engine.listAudit()).slice(-2);
    expect(entries.map((one) => 'subject' in one && one.subject)).toEqual([wrong.reportId, later.reportId]);
  });

  it.each([
    ['after the decision', true],
    ['before it', false],
  ])('stays wrong although its reporter deletes the report %s', async (_, isDecided) => {
    const { engine, apiKey, clock, again, reported, share } = await foundWrong();
    const claim = [id('email', 60), id('phone', 61), id('domain', 62)];
    await share(id('domain', 62));
    const { reportId, deletionCode } = await again(claim);
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
    const decide = (upheld: boolean) => engine.decideDispute({ reportId, upheld, by: 'Ada' });
    if (isDecided) unwrap(await decide(true));
    unwrap(await engine.remove({ apiKey, deletionCode }));
    const since = await again([id('phone', 61), id('email', 63)]);
    if (!isDecided) unwrap(await decide(true));
    await again([id('email', 60)]);
    await again([id('domain', 62), id('email', 64)]);
    expect(await reported(id('email', 60), id('phone', 61), id('email', 63))).toBe(0);
    expect(await reported(id('domain', 62))).toBe(2);
    expect((await engine.listStandings())[0]!.lost).toBe(2);
    // No one sees the deleted report by them.
    expect((await engine.findReports({ reportIds: [reportId] })).length).toBe(0);
    expect((await engine.listDisputes({ reportId })).map(({ reason }) => reason)).toEqual(['']);
    // Until the operator says otherwise.
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
    unwrap(await decide(false));
    await again([id('email', 60), id('email', 65)]);
    expect(await reported(id('email', 65))).toBe(1);
    expect((await engine.listDisputes({ reportId: since.reportId }))[0]?.upheld).toBe(true);
  });

  it.each([
    ['live, while its dispute is open', false, false],
    ['live, after the decision', false, true],
    ['deleted, while its dispute is open', true, false],
    ['deleted, after the decision', true, true],
  ])('stays wrong although its reporter has its own address in it erased: %s', async (_, isDeleted, isDecided) => {
    const { engine, apiKey, clock, again, reported } = await foundWrong();
    const { reportId, deletionCode } = await again([id('email', 60), id('phone', 61), id('name', 99)]);
    clock.nowMs += 1000;
    unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
    const decide = (upheld: boolean) => engine.decideDispute({ reportId, upheld, by: 'Ada' });
    if (isDecided) unwrap(await decide(true));
    if (isDeleted) unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(99)], by: 'Ada' })).reports).toBe(isDeleted ? 0 : 1);
    clock.nowMs += 1000;
    await again([id('email', 60), id('device', 62)]);
    expect(await reported(id('email', 60))).toBe(isDecided ? 0 : 1);
    if (!isDecided) unwrap(await decide(true));
    await again([id('phone', 61), id('device', 63)]);
    expect(await reported(id('email', 60), id('phone', 61))).toBe(0);
    // Of the erased one, nothing is left.
    await again([id('name', 99), id('device', 64)]);
    expect(await reported(id('name', 99))).toBe(1);
    // Both at once take all of it.
    unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(60), hashOf(61)], by: 'Ada' }));
    await again([id('email', 60), id('phone', 61)]);
    expect(await reported(id('email', 60))).toBe(1);
  });

  /** A report about which a person asked for a dispute, and which its reporter deleted and filed again. */
  async function deletedFirst() {
    const store = await createMemoryStore();
    const test = await foundWrong({ store });
    const { engine, apiKey, clock, again, reported } = test;
    const of = [id('email', 70), id('phone', 71), id('device', 73)];
    const step = () => (clock.nowMs += 1000);
    await again([id('phone', 71), id('name', 72)]);
    step();
    const { reportId, deletionCode } = await again(of);
    unwrap(await engine.requestDispute!({ identifiers: [of[0]!], reason: 'It was not me' }));
    step();
    unwrap(await engine.remove({ apiKey, deletionCode }));
    step();
    await again([of[0]!]);
    step();
    const openIt = () => engine.openDispute({ reportId, reason: 'The person asked', by: 'Ada' });
    const decideIt = (upheld: boolean, alike = false) => (
      step(),
      engine.decideDispute({ reportId, upheld, alike, by: 'Ada' })
    );
    const isIn = () => Buffer.from(store.export()).includes(Buffer.from(hashOf(73), 'hex'));
    return { ...test, store, of, reportId, openIt, decideIt, isIn, count: () => reported(...of) };
  }

  it('is judged although its reporter deletes the report as soon as a person asks for a dispute', async () => {
    const { engine, store, reportId, openIt, decideIt, count, again, of } = await deletedFirst();
    expect((await engine.listDisputeRequests()).map((one) => one.reportId)).toEqual([reportId]);
    expect(await engine.countAlike({ reportIds: [reportId] })).toEqual([{ reportId, reports: 2 }]);
    expect(await store.check()).toEqual([]);
    expect(await openIt()).toEqual(done);
    expect(await engine.listDisputeRequests()).toEqual([]);
    expect((await engine.listDisputes({ reportId }))[0]).toMatchObject({ reason: '', openedBy: 'Ada' });
    // The report that was made before the deletion is the operator's choice.
    expect(await engine.countAlike({ reportIds: [reportId] })).toEqual([{ reportId, reports: 1 }]);
    expect(await decideIt(true)).toEqual(done);
    expect(await count()).toBe(1);
    await again(of);
    expect(await count()).toBe(1);
    expect(await openIt()).toEqual(done);
    expect(await decideIt(true, true)).toEqual(done);
    expect(await count()).toBe(0);
    expect((await engine.listStandings())[0]!.lost).toBe(2);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(2);
    expect(await store.check()).toEqual([]);
  });

  it.each<[string, (test: Awaited<ReturnType<typeof deletedFirst>>) => Promise<unknown>]>([
    [
      'its last request is refused',
      async ({ engine }) => {
        const { requestId } = (await engine.listDisputeRequests())[0]!;
        unwrap(await engine.refuseDisputeRequest({ requestId, by: 'Ada' }));
      },
    ],
    [
      'its requests are refused together',
      async ({ engine, reportId }) => {
        const requestIds = (await engine.listDisputeRequests()).map(({ requestId }) => requestId);
        unwrap(await engine.refuseDisputeRequests({ reportId, requestIds, by: 'Ada' }));
      },
    ],
    [
      'its dispute is rejected and the case of its person has ended',
      async ({ engine, clock, isIn, openIt, decideIt }) => {
        for (const act of [openIt, () => decideIt(false)]) unwrap(await act());
        // Until then, it leads an erasure to what the person and the operator write.
        expect(isIn()).toBe(true);
        clock.nowMs += 91 * 86_400_000;
        unwrap(await engine.answerPersons({ reportIds: [], answer: 'No one asked.', by: 'Ada' }));
      },
    ],
    ['the person is erased', ({ engine }) => engine.eraseIdentifiers({ hashes: [hashOf(70)], by: 'Ada' })],
    [
      'the reports of its reporter are erased',
      ({ engine, reporterId }) => engine.eraseReports({ reporterId, by: 'A' }),
    ],
  ])('that was deleted is kept for a request until %s', async (_, end) => {
    const test = await deletedFirst();
    const { engine, store, isIn, again, reported } = test;
    expect(isIn()).toBe(true);
    await end(test);
    expect(isIn()).toBe(false);
    expect(await engine.listDisputeRequests()).toEqual([]);
    expect(await store.check()).toEqual([]);
    await again([id('email', 70)]);
    expect(await reported(id('email', 70))).toBeGreaterThan(0);
  });

  it('was found wrong in earlier reports too, if the operator says so', async () => {
    const { engine, apiKey, otherKey, clock, reporterId } = await createTestEngine({ sameRequestSeconds: 0 });
    const report = async (text: string, of: readonly Identifier[], key = apiKey) => (
      (clock.nowMs += 1000),
      unwrap(await engine.report({ apiKey: key, ...draft, text, identifiers: of }))
    );
    const claim = [id('email', 21), id('ip', 23)];
    const { reportId: shared } = await report('Of another one', [id('ip', 23), id('email', 25)], otherKey);
    for (let n = 0; n < 3; n++) await report(`Copy ${n}`, claim);
    const right = await report('Right', claim);
    const other = await report('Only the address', [id('ip', 23), id('email', 24)]);
    // A decision looks again at the reports of the last minutes. So only older ones show that it finds all.
    clock.nowMs += 3_600_000;
    const { reportId } = await report('Wrong', claim);
    clock.nowMs += 1000;
    // A report of which a person said that it is right is not among them.
    for (const upheld of [undefined, false, true] as const) {
      clock.nowMs += 1000;
      const about = upheld === false ? right.reportId : reportId;
      if (upheld !== true) unwrap(await engine.openDispute({ reportId: about, reason: 'why', by: 'Ada' }));
      if (upheld === false) unwrap(await engine.decideDispute({ reportId: right.reportId, upheld, by: 'Ada' }));
    }
    await report('Later', claim);
    const reportIds = [reportId, right.reportId, '0'.repeat(16), 'nonsense'];
    expect(await engine.countAlike({ reportIds })).toEqual([{ reportId, reports: 3 }]);
    unwrap(await engine.decideDispute({ reportId, upheld: true, alike: true, by: 'Ada' }));
    const asked = unwrap(await engine.query({ apiKey, identifiers: [...claim, id('email', 24)] }));
    expect(asked.reported).toBe(3);
    const shown = unwrap(await engine.view({ linkHash: asked.link.slice(-40) }));
    expect(shown.map((one) => one.reportId).sort()).toEqual([right.reportId, other.reportId, shared].sort());
    // One claim, and one entry for each report that does not count any more.
    expect((await engine.listStandings())[0]!.lost).toBe(1);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(1);
    const upheld = (await engine.listAudit()).filter((one) => 'action' in one && one.action === 'dispute-upheld');
    expect(upheld).toHaveLength(5);
    expect(upheld.every((one) => 'actor' in one && one.actor === 'Ada' && one.reporterId === reporterId)).toBe(true);
    expect(await engine.countAlike({ reportIds })).toEqual([]);
    await expect(
      engine.decideDispute({ reportId, upheld: true, alike: 'yes' as unknown as boolean, by: 'Ada' }),
    ).rejects.toThrow('"alike"');
  });

  it.each([false, true])('has all that earlier reports name, if the operator says so (deleted: %s)', async (gone) => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const report = async (text: string, of: readonly Identifier[]) => (
      (clock.nowMs += 1000),
      unwrap(await engine.report({ apiKey, ...draft, text, identifiers: of }))
    );
    const rest = [id('phone', 22), id('domain', 23), id('passport', 24)];
    const older = await report('Older', [id('email', 21), ...rest]);
    const { reportId } = await report('Newer', [id('email', 21)]);
    unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
    unwrap(await engine.decideDispute({ reportId, upheld: true, alike: true, by: 'Ada' }));
    expect(await engine.listDisputes({ reportId: older.reportId })).toEqual([
      expect.objectContaining({ openedBy: 'engine', decidedBy: 'Ada', upheld: true }),
    ]);
    if (gone) unwrap(await engine.remove({ apiKey, deletionCode: older.deletionCode }));
    await report('Again', rest);
    expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: rest })).reported).toBe(0);
    // All together cost one claim.
    expect((await engine.listStandings())[0]!.lost).toBe(1);
    expect((await engine.recomputeTrust())[0]!.lost).toBe(1);
    const again = { reportId: older.reportId, reason: 'It was right', by: 'Ada' };
    unwrap(await engine.openDispute(again));
    unwrap(await engine.decideDispute({ ...again, upheld: false }));
    await report('Again, and right', rest.slice(0, 1));
    expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: rest })).reported).toBe(gone ? 1 : 2);
  });
});
