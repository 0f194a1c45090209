import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../src/core/engine/secrets.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../src/index.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import { createReportCountModel } from '../../src/lab/comparisons.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { reading } from '../http/asking.ts';
import { budget } from '../budget.ts';
import { hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const SECRETS = createSecrets(SECRET);
const BY = { by: 'Ada', reason: 'a test' };
const PEOPLE = 4;
/** Sets of identifiers, by their numbers. Each identifier is in at most three. */
const SETS = [[0], [1], [0, 1], [0, 2], [1, 2, 3]];

type Step =
  | { readonly do: 'report' | 'query'; readonly by: number; readonly set: number }
  | { readonly do: 'remove' | 'dispute' | 'decide'; readonly nth: number }
  | { readonly do: 'protect' | 'unprotect' | 'erase'; readonly person: number }
  | { readonly do: 'suspend' | 'lift' | 'revoke' | 'rotateKey' | 'issueScoped' | 'setBudget'; readonly by: number }
  | { readonly do: 'rotatePepper' | 'saveUsage' };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('report', 'query'), by: fc.nat(1), set: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('remove', 'dispute', 'decide'), nth: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('protect', 'unprotect', 'erase'), person: fc.nat(PEOPLE - 1) }),
    },
    fc.record({
      do: fc.constantFrom('suspend', 'lift', 'revoke', 'rotateKey', 'issueScoped', 'setBudget'),
      by: fc.nat(1),
    }),
    fc.record({ do: fc.constantFrom('rotatePepper', 'saveUsage') }),
  ) as fc.Arbitrary<Step>,
  { minLength: 3, maxLength: 20 },
);

const report = (set: number): Step => ({ do: 'report', by: 0, set });

const identifiersOf = (set: number) => (SETS[set] ?? []).map((n) => ({ kind: 'email', hash: hashOf(n) }));

/** An engine that has been asked before, and what is needed to begin again without its memory. */
async function begin(linksPerIdentifier: number, isShared: boolean) {
  const store = await createMemoryStore();
  const clock = { nowMs: START };
  const peppers = ['the first pepper, long enough'];
  const engineOn = (on: Store): Engine =>
    createEngine({
      store: on,
      secret: SECRET,
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      random: createSeededRandom(String(clock.nowMs)),
      limits: { viewer: { requests: 1e9, windowSeconds: 1 } },
      // Standings are kept beside the store. Here only the store remembers.
      model: createReportCountModel(),
      bounds: { linksPerIdentifier, viewReports: 3 },
      peppers,
    });
  // Without stamps, like a store that other processes write to.
  const { stampOf: _, ...unstamped } = store;
  const engine = engineOn(isShared ? unstamped : store);
  const keys: { keyId: string; apiKey: string; reporterId: string }[] = [];
  for (const name of ['First Shop', 'Second Shop']) {
    clock.nowMs++;
    const { reporterId } = unwrap(await engine.createReporter({ name }));
    keys.push({ ...unwrap(await engine.issueKey({ reporterId })), reporterId });
  }
  const receipts: { reportId: string; deletionCode: string; apiKey: string }[] = [];

  const act = async (step: Step): Promise<void> => {
    clock.nowMs += 60_000;
    // Another engine on the same store: the first one learns of its writes from the store alone.
    const other = engineOn(store);
    switch (step.do) {
      case 'report': {
        const { apiKey } = keys[step.by]!;
        const draft = { type: 'fraud', severity: 5, text: `at ${clock.nowMs}`, identifiers: identifiersOf(step.set) };
        const receipt = await engine.report({ apiKey, ...draft });
        if (receipt.ok) receipts.push({ ...receipt.value, apiKey });
        return;
      }
      case 'query':
        await engine.query({ apiKey: keys[step.by]!.apiKey, identifiers: identifiersOf(step.set) });
        return;
      case 'remove':
        if (receipts[step.nth]) await other.remove(receipts[step.nth]!);
        return;
      case 'dispute':
        if (receipts[step.nth]) await other.openDispute({ reportId: receipts[step.nth]!.reportId, ...BY });
        return;
      case 'decide':
        if (receipts[step.nth])
          await other.decideDispute({ reportId: receipts[step.nth]!.reportId, upheld: true, by: 'Ada' });
        return;
      case 'protect':
        await engine.protect({ hash: hashOf(step.person), ...BY });
        return;
      case 'unprotect':
        await engine.unprotect({ hash: hashOf(step.person), by: 'Ada' });
        return;
      case 'erase':
        await other.eraseIdentifiers({ hashes: [hashOf(step.person)], by: 'Ada' });
        return;
      case 'suspend':
      case 'lift':
        await engine.suspendReporter({ reporterId: keys[step.by]!.reporterId, suspended: step.do === 'suspend' });
        return;
      case 'revoke':
        await engine.revokeKey(keys[step.by]!);
        return;
      case 'rotateKey': {
        const rotated = await engine.rotateKey({ keyId: keys[step.by]!.keyId, graceSeconds: 100 });
        if (rotated.ok) keys.push({ ...rotated.value, reporterId: keys[step.by]!.reporterId });
        return;
      }
      case 'issueScoped': {
        const { reporterId } = keys[step.by]!;
        const scope = clock.nowMs % 120_000 === 0 ? 'query' : 'report';
        keys.push({ ...unwrap(await other.issueKey({ reporterId, scope, endsAt: clock.nowMs + 200_000 })) });
        return;
      }
      case 'setBudget':
        // Never reached here: the other engine counts anew each time.
        await other.setBudget({ reporterId: keys[step.by]!.reporterId, identifiersPerDay: clock.nowMs % 1_000_000 });
        return;
      case 'saveUsage':
        await engine.listKeys();
        return;
      case 'rotatePepper': {
        const pepper = `a pepper of ${clock.nowMs}, long enough`;
        await engine.rotatePepper({ pepper });
        peppers.push(pepper);
      }
    }
  };
  /** Another engine on a copy of the store, which remembers nothing. */
  const forgetful = async () => {
    const copy = await createSqljsStore({ bytes: store.export() });
    return { copy, fresh: engineOn(copy) };
  };
  return { engine, store, keys, act, forgetful };
}

describe('what a store remembers', () => {
  it('changes no answer and loses no link, whatever happened before', async () => {
    await fc.assert(
      // With two links per identifier, links evict each other. With three, all stay and are remembered.
      fc.asyncProperty(fc.constantFrom(2, 3), fc.boolean(), steps, async (links, isShared, history) => {
        const { engine, store, keys, act, forgetful } = await begin(links, isShared);
        const answer = createAnswer(engine);
        for (const step of history) {
          await act(step);
          const { copy, fresh } = await forgetful();
          for (const { apiKey } of keys) {
            const digest = { digest: SECRETS.keyDigest(apiKey) };
            expect(await store.findKey(digest)).toEqual(await copy.findKey(digest));
          }
          const freshAnswer = createAnswer(fresh);
          for (const { apiKey } of keys)
            for (const set of SETS.keys()) {
              const asked = { apiKey, identifiers: identifiersOf(set) };
              const result = await engine.query(asked);
              expect(result).toEqual(await fresh.query(asked));
              const linkHash = result.ok ? result.value.link.slice(-40) : '0'.repeat(40);
              const viewed = await freshAnswer(reading(`/report/${linkHash}`));
              // The first may make the view, the second finds it.
              for (let time = 0; time < 2; time++) expect(await answer(reading(`/report/${linkHash}`))).toEqual(viewed);
              if (viewed.status !== 200) continue;
              const known = { 'if-none-match': viewed.headers['ETag'] ?? '' };
              expect((await answer(reading(`/report/${linkHash}`, '', known))).status).toBe(304);
            }
          await fresh.close();
        }
        await engine.close();
      }),
      {
        numRuns: budget(12),
        examples: [
          // A link that lost its identifiers is written again.
          [3, false, [report(0), { do: 'remove', nth: 0 }, report(0)]],
          // A budget and the last use of a key that is remembered.
          [3, false, [report(0), { do: 'setBudget', by: 0 }, { do: 'saveUsage' }, { do: 'issueScoped', by: 0 }]],
          // A view of two reports loses one.
          [3, false, [report(0), report(2), { do: 'remove', nth: 0 }]],
          [3, false, [report(0), report(2), { do: 'dispute', nth: 1 }, { do: 'decide', nth: 1 }]],
          [3, true, [report(0), report(2), { do: 'dispute', nth: 1 }, { do: 'decide', nth: 1 }]],
          [3, false, [report(0), report(2), { do: 'erase', person: 0 }]],
          [3, false, [report(0), report(2), { do: 'protect', person: 0 }, { do: 'unprotect', person: 0 }]],
          [3, false, [report(0), { do: 'erase', person: 0 }, report(0)]],
        ],
      },
    );
  });
});
