import { describe, expect, it } from 'vitest';
import { toHistory, toVoices } from '../../src/operator/record-parts.ts';
import type { SelectedFacts } from '../../src/core/engine/query.ts';
import type { QueryExplanation } from '../../src/operator/explain.ts';
import type { Evidence } from '../../src/core/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { createReportCountModel, createSeveritySumModel } from '../../src/lab/comparisons.ts';
import { unwrap } from '../../src/index.ts';
import type { PublicRecord } from '../../src/operator.ts';
import { toRounded, formatVoice } from '../../src/service/web/pictures.tsx';
import { ENGLISH } from '../../src/service/web/spoken.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { reading, textOf } from '../http/asking.ts';
import { hashOf } from '../engine/setup.ts';
import { manyMatches, manyVoices, oneReport, DAY, type TestRecord } from '../web/records.ts';

const recordOf = async ({ engine, linkHash }: Pick<TestRecord, 'engine' | 'linkHash'>): Promise<PublicRecord> =>
  unwrap(await engine.record!({ linkHash }));
const pageOf = async ({ engine, path }: Pick<TestRecord, 'engine' | 'path'>): Promise<string> =>
  textOf(await createAnswer(engine, { pages: createPages(engine) })(reading(path, '', { accept: 'text/html' })));
const email = (n: number) => ({ kind: 'email', hash: hashOf(n) });

/** A later moment each time. */
const nextDay = ({ clock }: TestRecord): number => (clock.nowMs += DAY);

describe('the moment of the last change', () => {
  it('is that of the newest report that is shown, or of a dispute about a report that matches', async () => {
    const test = await oneReport();
    const { engine, apiKey, otherKey } = test;
    const [first] = (await recordOf(test)).reports;
    const changedAt = async () => (await recordOf(test)).changedAt;
    expect(await changedAt()).toBe(first!.createdAt);
    const draft = (n: number) => ({ type: 'fraud', severity: 5, text: 'b', identifiers: [email(n)] });
    const secondAt = nextDay(test);
    const second = unwrap(await engine.report({ apiKey: otherKey, ...draft(1) }));
    expect(await changedAt()).toBe(secondAt);
    const wrongAt = nextDay(test);
    await engine.openDispute({ reportId: first!.reportId, reason: 'no', by: 'Ada' });
    expect(await changedAt()).toBe(wrongAt);
    // A report that was found wrong is not shown any more. The record has changed nevertheless.
    const decidedAt = nextDay(test);
    await engine.decideDispute({ reportId: first!.reportId, upheld: true, by: 'Ada' });
    expect(await recordOf(test)).toMatchObject({ changedAt: decidedAt, upheldDisputes: 1 });
    // Of a deletion, nothing stays, also not the disputes about the report.
    nextDay(test);
    const third = unwrap(await engine.report({ apiKey, ...draft(1) }));
    const openedAt = nextDay(test);
    await engine.openDispute({ reportId: third.reportId, reason: 'no', by: 'Ada' });
    expect(await changedAt()).toBe(openedAt);
    nextDay(test);
    unwrap(await engine.remove({ apiKey, deletionCode: third.deletionCode }));
    expect(await recordOf(test)).toMatchObject({ changedAt: decidedAt, reports: [{ reportId: second.reportId }] });
    // About another person.
    nextDay(test);
    const other = unwrap(await engine.report({ apiKey, ...draft(99) }));
    await engine.openDispute({ reportId: other.reportId, reason: 'no', by: 'Ada' });
    expect(await changedAt()).toBe(decidedAt);
  });

  it('does not tell of a report by another kind, where kinds must match', async () => {
    const test = await oneReport(0, { matchKinds: 'exact' });
    const { engine, apiKey } = test;
    const { changedAt } = await recordOf(test);
    nextDay(test);
    const other = { type: 'fraud', severity: 5, text: 'b', identifiers: [{ ...email(1), kind: 'name' }] };
    const { reportId } = unwrap(await engine.report({ apiKey, ...other }));
    await engine.openDispute({ reportId, reason: 'no', by: 'Ada' });
    expect((await recordOf(test)).changedAt).toBe(changedAt);
  });
});

describe('the parts of a record', () => {
  it('add up to the points, largest first', async () => {
    const { voices, points, reporters, reported } = await recordOf(await manyVoices());
    expect(voices).toHaveLength(reporters);
    expect(voices.reduce((sum, { added }) => sum + added, 0)).toBeCloseTo(points, 9);
    expect(voices.reduce((sum, voice) => sum + voice.reported, 0)).toBe(reported);
    const parts = voices.map(({ added }) => added);
    expect(parts).toEqual([...parts].sort((a, b) => b - a));
  });

  it.each([createSeveritySumModel(), createReportCountModel()])('add up with the model $name, too', async (model) => {
    const { voices, points, history } = await recordOf(await manyVoices({ model }));
    expect(voices.reduce((sum, { added }) => sum + added, 0)).toBeCloseTo(points, 9);
    // Such a model knows no age.
    expect(voices.map(({ faded }) => faded)).toEqual(voices.map(() => 0));
    expect(history.at(-1)!.points).toBe(points);
  });

  it('are equal for equally strong organisations, and order the reports', async () => {
    const test = await oneReport(1);
    const { engine, clock, otherKey } = test;
    const { reporterId } = unwrap(await engine.createReporter({ name: 'A third shop', verified: false }));
    const { apiKey: newKey } = unwrap(await engine.issueKey({ reporterId }));
    const make = async (apiKey: string, severity: number, text: string) => {
      const identifiers = [email(1), { kind: 'phone', hash: hashOf(2) }];
      unwrap(await engine.report({ apiKey, type: 'chargeback', severity, text, identifiers }));
      clock.nowMs += 1;
    };
    await make(newKey, 10, 'Weak');
    await make(test.apiKey, 7, 'Strong');
    await make(otherKey, 7, 'As strong');
    await make(otherKey, 2, 'Adds nothing');
    const { voices, shown, points } = await recordOf(test);
    expect(voices.map(({ name }) => name).sort()).toEqual(['A third shop', 'First Shop', 'Second Shop']);
    expect(voices[0]!.added).toBeCloseTo(voices[1]!.added, 9);
    expect(voices[2]).toMatchObject({ name: 'A third shop' });
    expect(voices.reduce((sum, { added }) => sum + added, 0)).toBeCloseTo(points, 9);
    expect(shown.slice(0, 3).map(({ reporter }) => reporter)).toEqual(voices.map(({ name }) => name));
    expect(
      shown
        .slice(0, 2)
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['As strong', 'Strong']);
    expect(shown.slice(2).map(({ text }) => text)).toEqual(['Weak', 'Adds nothing', 'The bank took the money back.']);
    const html = await pageOf(test);
    const texts = [...html.matchAll(/<p class="said">(.*?)<\/p>/g)].map(([, text]) => text);
    expect(texts).toEqual(shown.map(({ text }) => text));
    expect(html).toContain('The strongest report of each organisation is first');
    expect(html).toContain('The others add nothing and follow');
    expect(await pageOf(await oneReport(1))).not.toContain('is first');
  });

  it('say what time and an open dispute take away', async () => {
    const fresh = await oneReport();
    const { reports, points, voices } = await recordOf(fresh);
    expect(voices).toEqual([{ name: 'First Shop', reported: 1, added: points, disputed: 0, faded: 0 }]);
    fresh.clock.nowMs += 400 * DAY;
    const old = await recordOf(fresh);
    // Points are rounded, and the loss is not. The standing moves a little with time.
    expect(Math.abs(old.points + old.voices[0]!.faded - points)).toBeLessThan(1);
    await fresh.engine.openDispute({ reportId: reports[0]!.reportId, reason: 'Not me', by: 'Ada' });
    const disputed = await recordOf(fresh);
    // After 400 days, the chance of the match is .599, and the reach .991. Disputed, the voice gives 12.3 points, which
    // round to 12. Undisputed, it gives 20.5.
    expect(disputed.points).toBe(12);
    expect(disputed.voices[0]!.disputed).toBeCloseTo(8.5, 3);
    // Faded is what would come back if the dispute was rejected and the report was new.
    const [first] = disputed.voices;
    expect(disputed.points + first!.disputed + first!.faded).toBeCloseTo(old.points + old.voices[0]!.faded, 9);
  });

  it('add up to the points that the record had before a dispute was opened', async () => {
    for (let severity = 1; severity <= 10; severity++) {
      const test = await oneReport(0, undefined, severity);
      const { reports, points } = await recordOf(test);
      await test.engine.openDispute({ reportId: reports[0]!.reportId, reason: 'Not me', by: 'Ada' });
      const record = await recordOf(test);
      expect(formatVoice(toRounded(record, ENGLISH)[0]!, ENGLISH)).toBe(
        `1 report: ${points} points, less ${points - record.points} for an open dispute.`,
      );
    }
  });

  it('end with the points of now, and begin with the oldest report', async () => {
    const test = await manyVoices();
    const { history, points, reported, asOf, reports } = await recordOf(test);
    expect(history).toHaveLength(24);
    expect(history.at(-1)).toEqual({ at: asOf, points, reported });
    expect(history[0]).toMatchObject({ at: reports.at(-1)!.createdAt, reported: 1 });
    const times = history.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const { at, reported: then } of history)
      expect(then).toBe(reports.filter(({ createdAt }) => createdAt <= at).length);
  });

  it('have the score that a query had, if the standings have not changed since then', async () => {
    const test = await oneReport();
    const seen = new Map<number, number>();
    for (let day = 0; day <= 23; day++) {
      seen.set(test.clock.nowMs, (await recordOf(test)).points);
      test.clock.nowMs += 20 * DAY;
    }
    test.clock.nowMs -= 20 * DAY;
    const { history } = await recordOf(test);
    // The standing of an organisation moves a little with time.
    for (const { at, points } of history) expect(Math.abs(points - seen.get(at)!)).toBeLessThanOrEqual(1);
    expect(history).toHaveLength(24);
  });

  it('have disputes as they were, and no report that was found wrong', async () => {
    const test = await oneReport(100);
    const { engine, clock } = test;
    const [report] = (await recordOf(test)).reports;
    await engine.openDispute({ reportId: report!.reportId, reason: 'Not me', by: 'Ada' });
    clock.nowMs += 100 * DAY;
    await engine.decideDispute({ reportId: report!.reportId, upheld: false, by: 'Ada' });
    clock.nowMs += 100 * DAY;
    const { history, asOf, voices } = await recordOf(test);
    const at = (days: number) => history.filter((one) => one.at <= asOf - days * DAY).at(-1)!.points;
    expect(at(150)).toBeLessThan(0.7 * at(210));
    expect(at(150)).toBeLessThan(0.7 * at(50));
    expect(voices[0]!.disputed).toBe(0);
  });

  it('let other requests in, however many reports match', async () => {
    const model = createLinkClaimModel();
    let inTurn = 0;
    let most = 0;
    const counting = (reports: readonly unknown[]): void => void (most = Math.max(most, (inTurn += reports.length)));
    const context = {
      model: {
        ...model,
        score: (evidence: Evidence) => (counting(evidence.reports), model.score(evidence)),
        measure: (evidence: Evidence) => (counting(evidence.reports), model.measure(evidence)),
      },
      effects: { giveTurn: async () => void (inTurn = 0) },
    };
    const atMs = 1_000 * DAY;
    const reports = Array.from({ length: 500 }, (_, n) => ({
      reportId: `r${n}`,
      reporterId: `s${n % 50}`,
      type: 'fraud',
      severity: 5,
      ageDays: n,
      shared: [{ hash: 'h', kind: 'email' }],
    }));
    const evidence: Evidence = { reports, standings: new Map() };
    const matches = reports.map(({ reportId, ageDays }) => ({ reportId, createdAt: atMs - ageDays * DAY }));
    const facts = { atMs, matches, disputes: new Map() } as unknown as SelectedFacts;
    const explanation = { ...model.explain(evidence), names: {} } as QueryExplanation;
    expect(await toVoices(context, evidence, explanation)).toHaveLength(12);
    inTurn = 0;
    const history = await toHistory(context, evidence, facts, explanation.verdict.points);
    expect(history).toHaveLength(24);
    expect(most).toBeGreaterThan(1_000);
    expect(most).toBeLessThanOrEqual(2_000);
  });

  it('are left out if there are too many matches, and the history if it is short', async () => {
    expect(await recordOf(await manyMatches())).toMatchObject({ voices: [], history: [], sentences: [] });
    expect(await recordOf(await oneReport(1))).toMatchObject({ history: [], voices: [{}] });
    expect((await recordOf(await oneReport(2))).history.map(({ reported }) => reported)).toEqual([1, 1, 1]);
  });
});

describe('a record that is too long to explain', () => {
  it('is computed once a minute while the same reports are shown', async () => {
    const test = await manyMatches();
    const { clock, apiKey, engine } = test;
    const first = await recordOf(test);
    expect(first.sentences).toEqual([]);
    clock.nowMs += 59_000;
    expect(await recordOf(test)).toBe(first);
    clock.nowMs += 1_000;
    const second = await recordOf(test);
    expect(second).toEqual({ ...first, asOf: clock.nowMs });
    const draft = { type: 'fraud', severity: 9, text: 'New', identifiers: [email(1)] };
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft }));
    const third = await recordOf(test);
    expect(third.reported).toBe(first.reported + 1);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect((await recordOf(test)).reported).toBe(first.reported);
    // A clock that was set back makes no record of the future valid.
    clock.nowMs -= 3_600_000;
    expect((await recordOf(test)).asOf).toBe(clock.nowMs);
  });

  it('is that of now as long as it is explained', async () => {
    const test = await manyVoices();
    const first = await recordOf(test);
    test.clock.nowMs += 1_000;
    expect((await recordOf(test)).asOf).toBe(first.asOf + 1_000);
  });
});
