import { describe, expect, it } from 'vitest';
import { isSoundEntry, type AuditEntry } from '../../../src/core/domain/audit.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { unwrap, type EngineNotice, type Store } from '../../../src/index.ts';
import { createTestEngine, hashOf, START } from '../../engine/setup.ts';
import { createSharing, draft as draftOf } from '../../engine/sharing.ts';
import { createMemoryStore } from '../../memory-store.ts';

const DAY = 86_400_000;
const KINDS: readonly string[] = ['silent-together', 'always-together', 'accusation-burst', 'unusual-accusations'];
const EMAIL = [{ kind: 'email', hash: hashOf(1) }];

/** The findings in the audit log, oldest first. */
async function entriesOf(engine: Pick<Engine, 'listAudit'>): Promise<AuditEntry[]> {
  return (await engine.listAudit()).filter(isSoundEntry).filter(({ action }) => KINDS.includes(action));
}

async function createWatched(over: Partial<Store> = {}) {
  const store: Store = { ...(await createMemoryStore()), ...over };
  const notices: EngineNotice[] = [];
  const test = await createTestEngine({ store, onNotice: (notice) => notices.push(notice) });
  let names = 0;
  const join = async (verified = false) => {
    const { reporterId } = unwrap(await test.engine.createReporter({ name: `Newcomer ${++names}`, verified }));
    return { reporterId, apiKey: unwrap(await test.engine.issueKey({ reporterId })).apiKey };
  };
  const draft = { type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL };
  const report = async (apiKey: string, over: object = {}) =>
    unwrap(await test.engine.report({ apiKey, ...draft, ...over })).reportId;
  /** Goes to a later day and waits for the work of its first request. */
  const nextDay = async (days = 1, engine: Engine = test.engine): Promise<void> => {
    test.clock.nowMs += days * DAY;
    unwrap(await engine.query({ apiKey: test.apiKey, identifiers: [{ kind: 'email', hash: hashOf(99) }] }));
    await engine.listStandings();
    // The end of the search, whether the computation is new or shared.
    await engine.recomputeTrust();
  };
  return { ...test, store, notices, join, report, nextDay };
}

describe('notices about accusations', () => {
  it('come after the midnight that follows, once, to the log and the audit log', async () => {
    const { engine, notices, join, report, nextDay, clock } = await createWatched();
    const keys = [await join(), await join()];
    const reports: string[] = [];
    for (const { apiKey } of keys) {
      clock.nowMs += 1_000;
      reports.push(await report(apiKey));
    }
    await engine.listStandings();
    await engine.recomputeTrust();
    expect(notices).toEqual([]);
    await nextDay();
    const reporterIds = keys.map(({ reporterId }) => reporterId).sort();
    const notice = { day: '2026-01-01', reportId: reports[0], reporterIds, reports: 2, ofDay: 1 };
    expect(notices).toEqual([{ event: 'silent-together', ...notice }]);
    const shared = { actor: 'engine', action: 'silent-together', subject: reports[0], amount: 2, atMs: clock.nowMs };
    expect(await entriesOf(engine)).toMatchObject(reporterIds.map((reporterId) => ({ ...shared, reporterId })));
    // Nothing names the person.
    expect(JSON.stringify([notices, await entriesOf(engine)])).not.toContain(hashOf(1).slice(0, 16));
    await engine.recomputeTrust();
    await nextDay();
    await nextDay();
    expect(notices).toHaveLength(1);
    expect(await entriesOf(engine)).toHaveLength(2);
  });

  it('are not repeated by a restart, and include days without a computation', async () => {
    const { engine, store, notices, join, report, nextDay, clock } = await createWatched();
    const restart = (): Engine =>
      createEngine({
        store,
        secret: 'a secret of more than sixteen bytes',
        publicUrl: 'https://reports.example',
        clock: () => clock.nowMs,
        onNotice: (notice) => notices.push(notice),
      });
    await nextDay();
    for (const { apiKey } of [await join(), await join()]) await report(apiKey);
    // Down at midnight, and for three days more.
    await nextDay(4, restart());
    expect(notices).toMatchObject([{ event: 'silent-together', day: '2026-01-02' }]);
    await nextDay(0, restart());
    await nextDay(0, engine);
    await nextDay(1, restart());
    expect(notices).toHaveLength(1);
    // Only seven days back.
    for (const { apiKey } of [await join(), await join()])
      await report(apiKey, { identifiers: [{ kind: 'email', hash: hashOf(2) }] });
    await nextDay(9, restart());
    expect(notices).toHaveLength(1);
  });

  it('tell of a verified reporter that accuses many, but not if others confirm', async () => {
    const { engine, notices, report, nextDay, apiKey, otherKey, reporterId } = await createWatched();
    const about = (n: number) => ({ identifiers: [{ kind: 'email', hash: hashOf(100 + n) }] });
    const first = await report(apiKey, about(0));
    for (let n = 1; n < 7; n++) await report(apiKey, about(n));
    await nextDay();
    expect(notices).toEqual([
      {
        event: 'unusual-accusations',
        day: '2026-01-01',
        reportId: expect.any(String),
        reporterIds: [reporterId],
        reports: 7,
        ofDay: 1,
      },
    ]);
    expect(first).toHaveLength(16);
    for (let n = 10; n < 17; n++) for (const key of [apiKey, otherKey]) await report(key, about(n));
    await nextDay();
    expect(notices).toHaveLength(1);
    expect(await entriesOf(engine)).toHaveLength(1);
  });

  it('leave out protected identifiers and deleted reports', async () => {
    const { engine, notices, join, report, nextDay } = await createWatched();
    const keys = [await join(), await join()];
    for (const { apiKey } of keys) await report(apiKey);
    unwrap(await engine.protect({ hash: hashOf(1), reason: 'an office', by: 'Ada' }));
    const other = { type: 'fraud', severity: 5, text: 'A text', identifiers: [{ kind: 'email', hash: hashOf(2) }] };
    for (const { apiKey } of keys) {
      const { deletionCode } = unwrap(await engine.report({ apiKey, ...other }));
      unwrap(await engine.remove({ apiKey, deletionCode }));
    }
    await nextDay();
    expect(notices).toEqual([]);
  });

  it('are bounded: ten of a kind and day, and ten reporters of each', async () => {
    const { notices, engine, join, report, nextDay } = await createWatched();
    const keys = await Promise.all(Array.from({ length: 12 }, () => join()));
    for (let person = 0; person < 12; person++)
      for (const { apiKey } of keys)
        await report(apiKey, { identifiers: [{ kind: 'email', hash: hashOf(200 + person) }] });
    await nextDay();
    const bursts = notices.filter(({ event }) => event === 'accusation-burst');
    expect(bursts).toHaveLength(10);
    for (const burst of bursts) expect(burst).toMatchObject({ reports: 12, ofDay: 12 });
    for (const burst of bursts) expect('reporterIds' in burst && burst.reporterIds).toHaveLength(10);
    expect((await entriesOf(engine)).filter(({ action }) => action === 'accusation-burst')).toHaveLength(100);
  });

  it('that cannot be recorded are a notice, and standings are computed nevertheless', async () => {
    const failure = new Error('no space');
    const inner = await createMemoryStore();
    let broken = true;
    const { notices, engine, join, report, nextDay } = await createWatched({
      ...inner,
      addAuditEntry: (...args) => (broken ? Promise.reject(failure) : inner.addAuditEntry(...args)),
    });
    for (const { apiKey } of [await join(), await join()]) await report(apiKey);
    await nextDay();
    // The computation at the first request of the day, and the one that the test asks for.
    expect(new Set(notices.map(({ event }) => event))).toEqual(new Set(['accusations-not-searched']));
    expect(notices[0]).toEqual({ event: 'accusations-not-searched', error: failure });
    expect(engine.load().standingsEpochAt).toBe(START + DAY);
    broken = false;
    await engine.recomputeTrust();
    expect(notices.at(-1)).toMatchObject({ event: 'silent-together' });
  });
});

describe('several processes on one store', () => {
  it('announce a finding once, whichever of them computes the standings', async () => {
    const { engines, clock, keys, kept, notices } = await createSharing(3);
    const [first, second, third] = engines as [Engine, Engine, Engine];
    const accusers: string[] = [];
    for (const name of ['One', 'Two']) {
      const { reporterId } = unwrap(await first.createReporter({ name, verified: false }));
      accusers.push(unwrap(await first.issueKey({ reporterId })).apiKey);
    }
    for (const [n, apiKey] of accusers.entries()) unwrap(await engines[n]!.report({ apiKey, ...draftOf(5) }));
    const alone = { listAudit: (page: object) => first.listAudit(page) };
    await first.listStandings();
    expect(await entriesOf(alone)).toEqual([]);
    clock.nowMs += DAY;
    const ask = (engine: Engine) => engine.query({ apiKey: keys[0]!, identifiers: draftOf(7).identifiers });
    await Promise.all(engines.map(async (engine) => (await ask(engine), engine.listStandings())));
    expect(await entriesOf(alone)).toHaveLength(2);
    await Promise.all([first, second, third].map((engine) => engine.recomputeTrust()));
    for (const engine of engines) await engine.recomputeTrust();
    expect(await entriesOf(alone)).toHaveLength(2);
    expect(notices.map(({ event }) => event)).toEqual(['silent-together']);
    await kept.close();
  });
});
