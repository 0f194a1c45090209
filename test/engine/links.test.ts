import type { EngineStore } from '../../src/core/engine/context.ts';
import { createCoordination } from '../../src/stores/shared/coordination.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets, derive } from '../../src/core/engine/secrets.ts';
import { unwrap, type Identifier, type Store } from '../../src/index.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { budget } from '../budget.ts';
import { createTestEngine, hashOf } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const email = (n: number): Identifier => ({ kind: 'email', hash: hashOf(n) });
const hashIn = ({ link }: { readonly link: string }) => link.slice(-40);
const draft = (identifiers: readonly Identifier[], text = 'a text') => ({
  type: 'fraud',
  severity: 6,
  text,
  identifiers,
});

/** A store like one on a server: the key of a query is found by the read that finds its facts. */
async function createSharedStore(): Promise<Store> {
  const takeTokens = createSharedBuckets();
  const shared = { takeTokens, lease: async () => ({ release: async () => undefined }) };
  const coordination = createCoordination(shared as never);
  return new Proxy((await createMemoryStore()) as EngineStore, {
    get: (target, name: keyof EngineStore) => ({ shared, coordination })[name as 'shared'] ?? target[name],
  });
}

const STORES = [
  ['with one owner', createSqljsStore],
  ['that processes share', createSharedStore],
] as const;

describe.each(STORES)('links in a store %s', (_, createStore) => {
  it('do not show their reporter whether another one asked about the same person', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine({ store: await createStore() });
    const identifiers = [email(1)];
    const linkHash = hashIn(unwrap(await engine.query({ apiKey, identifiers })));
    const poll = () => engine.view({ linkHash });
    expect(await poll()).toMatchObject({ ok: false, refusal: { reason: 'not-found' } });
    unwrap(await engine.report({ apiKey, ...draft(identifiers) }));
    expect(await poll()).toMatchObject({ ok: false, refusal: { reason: 'not-found' } });

    const others = unwrap(await engine.query({ apiKey: otherKey, identifiers }));
    expect(others.reported).toBe(1);
    expect(unwrap(await engine.view({ linkHash: hashIn(others) }))).toHaveLength(1);
    expect(await poll()).toMatchObject({ ok: false, refusal: { reason: 'not-found' } });

    expect(hashIn(unwrap(await engine.query({ apiKey, identifiers })))).toBe(linkHash);
    expect(unwrap(await poll())).toHaveLength(1);
  });

  it('are the same for a reporter under all its keys and in any order, and another for each reporter', async () => {
    const { engine, apiKey, otherKey, reporterId } = await createTestEngine({ store: await createStore() });
    const { apiKey: second } = unwrap(await engine.issueKey({ reporterId }));
    const set = [email(1), email(2), { kind: 'ip', hash: hashOf(3) }];
    const ask = async (key: string, identifiers = set) =>
      hashIn(unwrap(await engine.query({ apiKey: key, identifiers })));
    const link = await ask(apiKey);
    expect(link).toMatch(/^[0-9a-f]{40}$/);
    // The second query of a key takes another way on a shared store.
    for (const key of [apiKey, apiKey, second, second]) expect(await ask(key, [...set].reverse())).toBe(link);
    expect(await ask(otherKey)).not.toBe(link);
    expect(await ask(apiKey, set.slice(1))).not.toBe(link);
  });

  it('stay whatever another reporter queries', async () => {
    const store = await createStore();
    const { engine, clock, apiKey, otherKey } = await createTestEngine({
      store,
      limits: { query: { requests: 10_000, windowSeconds: 1 } },
    });
    unwrap(await engine.report({ apiKey, ...draft([email(1)]) }));
    const linkHash = hashIn(unwrap(await engine.query({ apiKey, identifiers: [email(1)] })));
    for (let n = 2; n < 1_102; n++) {
      clock.nowMs += 1;
      unwrap(await engine.query({ apiKey: otherKey, identifiers: [email(1), email(n)] }));
    }
    expect(unwrap(await engine.view({ linkHash }))).toHaveLength(1);
    // The other reporter's own bound holds.
    expect((await store.count()).links).toBe(1 + 1_000);
  });

  it('are evicted by their reporter alone, the oldest first', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine({
      store: await createStore(),
      bounds: { linksPerIdentifier: 2 },
    });
    unwrap(await engine.report({ apiKey, ...draft([email(1)]) }));
    const links: string[][] = [[], []];
    for (const n of [2, 3, 4])
      for (const [at, key] of [apiKey, otherKey].entries()) {
        clock.nowMs += 1;
        links[at]!.push(hashIn(unwrap(await engine.query({ apiKey: key, identifiers: [email(1), email(n)] }))));
      }
    for (const own of links)
      expect(await Promise.all(own.map(async (linkHash) => (await engine.view({ linkHash })).ok))).toEqual([
        false,
        true,
        true,
      ]);
  });

  it('show a reporter nothing of what another one queries, whatever both do', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const alone = await observe(await createStore(), history, false);
        expect(await observe(await createStore(), history, true)).toEqual(alone);
      }),
      { numRuns: budget(4), examples: [[POLL], [[report(0, 0), query(0, 0), query(1, 2), query(1, 3), query(1, 4)]]] },
    );
  });
});

const TICK_MS = 700;
/** Sets of identifiers, by their numbers. */
const SETS = [[0], [1], [0, 1], [0, 2], [2, 1, 0]];
const identifiersOf = (set: number) => (SETS[set] ?? []).map(email);

interface Step {
  readonly do: 'query' | 'ask-more' | 'report' | 'remove' | 'dispute' | 'erase' | 'rotatePepper';
  /** Who: 0 observes, 1 is the other one. */
  readonly by: number;
  readonly set: number;
}
const query = (by: number, set: number): Step => ({ do: 'query', by, set });
const report = (by: number, set: number): Step => ({ do: 'report', by, set });
const POLL: Step[] = [query(0, 0), report(0, 0), query(1, 0)];
const histories = fc.array(
  fc.record({
    do: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('query', 'report') },
      { weight: 3, arbitrary: fc.constantFrom('ask-more', 'remove', 'dispute') },
      { weight: 1, arbitrary: fc.constantFrom('erase', 'rotatePepper') },
    ) as fc.Arbitrary<Step['do']>,
    by: fc.nat(1),
    set: fc.nat(SETS.length - 1),
  }),
  { minLength: 2, maxLength: 25 },
);

/**
 * Plays a history and returns all that the first reporter gets to see: the answers to its requests, and after each step
 * what its links show. If `othersQuery` is false, the second reporter sends no query; everything else happens alike.
 */
async function observe(store: Store, history: readonly Step[], othersQuery: boolean): Promise<unknown[]> {
  const { engine, clock, apiKey, otherKey } = await createTestEngine({
    store,
    peppers: ['the first pepper, long enough'],
    // Small, so that links are evicted and requests are refused.
    bounds: { linksPerIdentifier: 2 },
    limits: { query: { requests: 4, windowSeconds: 6 } },
  });
  const seen: unknown[] = [];
  const links = new Set<string>();
  const receipts: { reportId: string; deletionCode: string }[][] = [[], []];
  for (const [at, step] of history.entries()) {
    // Short, so that a shared store mostly finds the key by the read of the facts.
    clock.nowMs += TICK_MS;
    const key = [apiKey, otherKey][step.by]!;
    const identifiers = identifiersOf(step.set);
    const isQuery = step.do === 'query' || step.do === 'ask-more';
    if (isQuery && (step.by === 0 || othersQuery)) {
      const asked = { apiKey: key, identifiers };
      const outcome =
        step.do === 'ask-more'
          ? await engine.explainQuery({ ...asked, asOf: clock.nowMs - TICK_MS })
          : await engine.query(asked);
      if (step.by === 0) seen.push(outcome);
      if (step.by === 0 && outcome.ok) links.add(hashIn(outcome.value));
    } else if (step.do === 'report') {
      const outcome = await engine.report({ apiKey: key, ...draft(identifiers, `text ${at}`) });
      if (outcome.ok) receipts[step.by]!.push(outcome.value);
      if (step.by === 0) seen.push(outcome);
    } else if (step.do === 'remove') {
      const deletionCode = receipts[step.by]![step.set]?.deletionCode ?? '0'.repeat(16);
      const outcome = await engine.remove({ apiKey: key, deletionCode });
      if (step.by === 0) seen.push(outcome);
    } else if (step.do === 'dispute') {
      const reportId = receipts[step.by]![step.set]?.reportId;
      if (reportId !== undefined) await engine.openDispute({ reportId, reason: 'a reason', by: 'Ada' });
    } else if (step.do === 'erase') {
      await engine.eraseIdentifiers({ hashes: identifiers.map(({ hash }) => hash), by: 'Ada' });
    } else if (step.do === 'rotatePepper') {
      // On a shared store, a new pepper is announced for seconds of a clock that stands here.
      if (!store.shared) await engine.rotatePepper({ pepper: `a pepper of step ${at}, long enough` });
    }
    // The classic dialect's viewer codes show the same.
    for (const linkHash of links)
      seen.push(await engine.view({ linkHash }), await engine.view({ linkHash: linkHash.slice(0, 16) }));
  }
  await engine.close();
  await store.close();
  return seen;
}

it('a report has the fingerprint that every program gave it, so a retry after an upgrade is recognised', () => {
  const { fingerprint } = createSecrets(SECRET);
  expect(
    fingerprint('0123456789abcdef', { type: 'fraud', severity: 7, text: 'A text.', identifiers: [email(1)] }),
  ).toBe('d356af66a835c7ca7e6cd861bafb1abc');
});

describe('the links of an older program', () => {
  /** The link of {email(1)} as older programs derived it, for every reporter. */
  const OLD_LINK = '6bffdc8e99c11c8c91ad12f74e822b49e1536586';

  it('have an address that no reporter’s link has', () => {
    const { linkHash } = createSecrets(SECRET);
    expect(derive(SECRET, 'redflag/1 link')(JSON.stringify([`${hashOf(1)} email`])).slice(0, 40)).toBe(OLD_LINK);
    for (const reporterId of ['', '0123456789abcdef', `${hashOf(1)} email`])
      expect(linkHash(reporterId, [email(1)])).not.toBe(OLD_LINK);
  });

  it('stay valid, and no query changes or evicts them', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey, otherKey } = await createTestEngine({ store, bounds: { linksPerIdentifier: 1 } });
    unwrap(await engine.report({ apiKey, ...draft([email(1)]) }));
    // As an older program stored it.
    await store.putLink({ linkHash: OLD_LINK, identifiers: [email(1)], createdAt: 1 }, 1);
    for (const key of [apiKey, otherKey])
      for (const n of [1, 2, 3])
        expect(hashIn(unwrap(await engine.query({ apiKey: key, identifiers: [email(1), email(n)] })))).not.toBe(
          OLD_LINK,
        );
    expect(unwrap(await engine.view({ linkHash: OLD_LINK }))).toHaveLength(1);
    expect((await store.count()).links).toBe(3);
    unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' }));
    expect((await engine.view({ linkHash: OLD_LINK })).ok).toBe(false);
  });
});

describe('a stored link', () => {
  it('does not name its reporter, nor tell which links of two people are of one reporter', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey, otherKey } = await createTestEngine({ store });
    for (const n of [1, 2]) unwrap(await engine.report({ apiKey, ...draft([email(n)]) }));
    for (const key of [apiKey, otherKey])
      for (const set of [[1], [2], [1, 2]]) unwrap(await engine.query({ apiKey: key, identifiers: set.map(email) }));
    const snapshot = await store.snapshot();
    const rows = await snapshot.readRows('link_identifier', undefined, 100);
    await snapshot.close();
    expect(rows).toHaveLength(8);
    const reporters = (await store.listReporters()).map(({ reporterId }) => reporterId);
    const owners = new Map<unknown, Set<unknown>>();
    for (const { hash, owner } of rows) {
      expect(owner).toMatch(/^[0-9a-f]{16}$/);
      expect(reporters).not.toContain(owner);
      owners.set(owner, (owners.get(owner) ?? new Set()).add(hash));
    }
    // Two reporters, two people.
    expect([...owners.values()].map((hashes) => hashes.size)).toEqual([1, 1, 1, 1]);
  });
});
