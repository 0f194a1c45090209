import { beforeAll, describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { createReportCountModel } from '../../src/lab/comparisons.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../../src/core/scoring/model.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { SharedStore, Store } from '../../src/core/store/store.ts';
import { createCoordination } from '../../src/stores/shared/coordination.ts';
import { hashOf, START } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { createMemoryStore } from '../memory-store.ts';

/** Five pages of the store, and three slices of what the engine does at once. */
const REPORTS = 4_500;
const REPORTERS = 3;
const ASKED = [{ kind: 'domain', hash: hashOf(1) }];

const engineOn = (store: Store, model: ScoringModel = createLinkClaimModel()) =>
  createEngine({
    store,
    model,
    secret: 'a secret of more than sixteen bytes',
    publicUrl: 'https://reports.example',
    clock: () => START,
  });

/** A store with very many reports of one domain, as bytes, and its reporters. */
let full: { readonly bytes: Uint8Array; readonly apiKeys: string[]; readonly reporterIds: string[] };
beforeAll(async () => {
  const store = await createMemoryStore();
  const engine = engineOn(store);
  const reporterIds: string[] = [];
  for (let n = 0; n < REPORTERS; n++)
    reporterIds.push(unwrap(await engine.createReporter({ name: `Shop ${n}` })).reporterId);
  const apiKeys: string[] = [];
  for (const reporterId of reporterIds) apiKeys.push(unwrap(await engine.issueKey({ reporterId })).apiKey);
  const rows = Array.from({ length: REPORTS }, (_, n) => ({
    report_id: (n + 1).toString(16).padStart(16, '0'),
    reporter_id: reporterIds[n % REPORTERS]!,
    type: 'fraud',
    severity: 1 + (n % 10),
    created_at: START - n * 60_000,
  }));
  await store.putRows(
    'report',
    rows.map((row) => {
      return { ...row, nonce: row.report_id, fingerprint: row.report_id.repeat(2), text: 'a text', removed_at: null };
    }),
  );
  await store.putRows(
    'identifier',
    rows.map((row) => ({ ...row, ...ASKED[0], position: 0, disputed: 0, generation: 0 })),
  );
  full = { bytes: store.export(), apiKeys, reporterIds };
});

/** A store of its own for a test, and what reads all of its reports. */
async function filled() {
  const { bytes, apiKeys, reporterIds } = full;
  const inner = await createSqljsStore({ bytes });
  const reads = { now: 0, most: 0, all: 0 };
  const store: Store = {
    ...inner,
    async findFacts(asked) {
      if (asked.short) return inner.findFacts(asked);
      reads.all++;
      reads.most = Math.max(reads.most, ++reads.now);
      return inner.findFacts(asked).finally(() => reads.now--);
    },
  };
  const open = (model?: ScoringModel, more: object = {}) => engineOn({ ...store, ...more }, model);
  return { open, apiKey: apiKeys[0]!, apiKeys, reporterIds, reads };
}

/** What makes a store one that other processes may use. There are none. */
function asShared() {
  const takeTokens = createSharedBuckets();
  const lease = { isHeld: async () => true, release: async () => undefined };
  const shared: SharedStore = { lease: async () => lease, takeTokens, nowMs: async () => START };
  return { shared, coordination: createCoordination(shared) };
}

describe('a query that very many reports match', () => {
  it('has the same answer with a model that adds reports one at a time, and lets other work run meanwhile', async () => {
    const { open, apiKey } = await filled();
    const model = createLinkClaimModel();
    const { begin: _, ...inOnePiece } = model;
    const whole = unwrap(await open(inOnePiece).query({ apiKey, identifiers: ASKED }));
    expect(whole.reported).toBe(REPORTS);

    const turns = { taken: 0, asking: true };
    const countTurn = (): void => {
      turns.taken++;
      if (turns.asking) setTimeout(countTurn);
    };
    setTimeout(countTurn);
    expect(unwrap(await open(model).query({ apiKey, identifiers: ASKED }))).toEqual(whole);
    turns.asking = false;
    // Between pages of the store, then between slices of the facts, of the evidence and of the score. One may be
    // missed.
    expect(turns.taken).toBeGreaterThanOrEqual(4 + 2 + 2 + 2 - 1);
  });

  it('costs no more if it names the hash under 32 kinds', async () => {
    const { open, apiKey } = await filled();
    const model = createLinkClaimModel();
    let weighed = 0;
    const weightOfKind = (kind: string): number => {
      weighed++;
      return model.weightOfKind(kind);
    };
    const engine = open({ ...model, weightOfKind });
    const costOf = async (identifiers: { kind: string; hash: string }[]) => {
      weighed = 0;
      const { link: _, ...verdict } = unwrap(await engine.query({ apiKey, identifiers }));
      return { verdict, weighed };
    };
    const one = await costOf(ASKED);
    const kinds = Array.from({ length: 31 }, (_, n) => `k${'abcdefgh'[n >> 2]}${'abcd'[n & 3]}`);
    const many = await costOf([...kinds.map((kind) => ({ kind, hash: hashOf(1) })), ...ASKED]);
    expect(many.verdict).toEqual(one.verdict);
    expect(many.weighed).toBeLessThan(one.weighed + 100);
  });

  it('is answered by a model that needs all reports at once', async () => {
    const { open, apiKey } = await filled();
    const { reported } = unwrap(await open(createReportCountModel()).query({ apiKey, identifiers: ASKED }));
    expect(reported).toBe(REPORTS);
  });

  it('shares its read with equal ones, of all reporters, and each has its link', async () => {
    const { open, apiKeys, reads } = await filled();
    const engine = open();
    const ask = (n: number) => engine.query({ apiKey: apiKeys[n % REPORTERS]!, identifiers: ASKED });
    const answers = (await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)))).map(unwrap);
    // Each of two reporters began one before a third one waited for all others.
    expect(reads).toEqual({ now: 0, most: 2, all: 3 });
    expect(new Set(answers.map(({ link }) => link)).size).toBe(REPORTERS);
    for (const { link, ...verdict } of answers) {
      expect(verdict).toMatchObject({ reported: REPORTS });
      expect((await engine.view({ linkHash: link.slice(-40) })).ok).toBe(true);
    }
  });

  it('counts a report that was stored before it was asked, while equal ones wait', async () => {
    const { open, apiKey } = await filled();
    const engine = open();
    const ask = () => engine.query({ apiKey, identifiers: ASKED }).then((answer) => unwrap(answer).reported);
    const before = [ask(), ask()];
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'New', identifiers: ASKED }));
    expect(await ask()).toBe(REPORTS + 1);
    for (const reported of await Promise.all(before)) expect([REPORTS, REPORTS + 1]).toContain(reported);
  });

  it.each([
    ['', false],
    [', on a shared store', true],
  ])('waits for no others of a reporter that asks very often, under whatever kinds and sets%s', async (_, shared) => {
    const { open, apiKeys, reporterIds, reads } = await filled();
    const engine = open(createLinkClaimModel(), shared ? asShared() : {});
    const reporterId = reporterIds[0]!;
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 80, by: 'Ada' }));
    const [flooder = '', shop = ''] = apiKeys;
    const order: string[] = [];
    const ask = async (name: string, apiKey: string, identifiers: { kind: string; hash: string }[]) => {
      const answer = await engine.query({ apiKey, identifiers });
      order.push(answer.ok ? name : `${name} ${answer.refusal.reason}`);
    };
    const flood = Array.from({ length: 40 }, (_, n) => [
      { kind: `k${'abcdefghij'[n % 10]}`, hash: hashOf(1) },
      { kind: 'email', hash: hashOf(100 + n) },
    ]);
    const all = flood.map((identifiers) => ask('flooder', flooder, identifiers));
    // Nothing refuses or delays another reporter, whether its query has few matches or many.
    all.push(ask('light', shop, [{ kind: 'email', hash: hashOf(5000) }]), ask('heavy', shop, ASKED));
    await Promise.all(all);
    const answered = order.filter((name) => name !== 'flooder overloaded');
    expect(answered.filter((name) => name === 'flooder')).toHaveLength(1 + 16);
    expect(answered.indexOf('light')).toBe(0);
    expect(answered.indexOf('heavy')).toBeLessThanOrEqual(2);
    // One of the flooder and one of the shop.
    expect(reads.most).toBe(2);
    // What is not answered costs nothing of the day. It keeps its tokens of the minute, or it could be asked for ever.
    const few = Array.from({ length: 32 }, (_, n) => ({ kind: 'email', hash: hashOf(5000 + n) }));
    expect((await engine.query({ apiKey: flooder, identifiers: few })).ok).toBe(true);
    const spent = await engine.query({ apiKey: flooder, identifiers: few });
    expect(spent).toMatchObject({ refusal: { reason: 'limited', limit: { requests: 80 } } });
  });
});
