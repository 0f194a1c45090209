import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../../src/index.ts';
import type { SealedIdentifier } from '../../../src/sealed.ts';
import type { EvidenceReport } from '../../../src/core/scoring/evidence.ts';
import { budget } from '../../budget.ts';
import { createTestEngine, hashOf } from '../../engine/setup.ts';
import { createTestSeal, elementOf, STEPS } from './test-seal.ts';
import { createMemoryStore } from '../../memory-store.ts';

const DAY = 86_400_000;
const PEOPLE = 5;
const FIRST = 'the first pepper, long enough';

type Step =
  | { do: 'report'; by: number; of: number[]; severity: number }
  | { do: 'remove' | 'dispute' | 'uphold'; nth: number }
  | { do: 'protect' | 'unprotect' | 'erase'; of: number }
  | { do: 'query'; by: number; of: number[] }
  | { do: 'pass' | 'rotate' | 'restart' };

const people = fc.array(fc.nat(PEOPLE - 1), { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      by: fc.nat(1),
      of: people,
      severity: fc.integer({ min: 1, max: 10 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('query' as const), by: fc.nat(1), of: people }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('remove' as const, 'dispute' as const, 'uphold' as const),
      nth: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('protect' as const, 'unprotect' as const, 'erase' as const),
      of: fc.nat(PEOPLE - 1),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('pass' as const, 'rotate' as const, 'restart' as const) }) },
);

/** `plain`: never sealed. `sealed`: sealed. `elements`: sealed, and the second shop sends elements. */
interface World {
  readonly seal: 'plain' | 'sealed' | 'elements';
  readonly peppers: boolean;
}

/** Plays the steps and returns all answers that do not depend on the form of identifiers. */
async function play(steps: readonly Step[], { seal, peppers: hasPeppers }: World): Promise<unknown[]> {
  const store = await createMemoryStore();
  const peppers = hasPeppers ? [FIRST] : [];
  const processes = { now: 0 };
  const started = await createTestEngine({ store, peppers: [...peppers], trustEpoch: 'on-demand', model: STEPS });
  const { clock, apiKey, otherKey } = started;
  let engine: Engine = started.engine;
  /** Begins the next process. */
  const next = async (): Promise<void> => {
    processes.now++;
    engine = createEngine({
      store,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      monotonic: () => clock.nowMs,
      trustEpoch: 'on-demand',
      model: STEPS,
      random: createSeededRandom(`test ${processes.now}`),
      peppers: [...peppers],
      ...(seal !== 'plain' && { seal: createTestSeal() }),
    });
    // Not in the background: how much of it is done when the next step begins would depend on the world.
    await engine.listStandings();
  };
  await next();
  const asHashes = (of: readonly number[]) => of.map((n) => ({ kind: n % 2 ? 'email' : 'phone', hash: hashOf(n) }));
  const asElements = (of: readonly number[]): SealedIdentifier[] =>
    asHashes(of).map(({ kind, hash }) => ({ kind, element: elementOf(hash) }));
  const sent = (by: number, of: readonly number[]) => (by === 1 && seal === 'elements' ? asElements(of) : asHashes(of));

  const reports: { reportId: string; deletionCode: string; key: string }[] = [];
  const told: unknown[] = [];
  const ask = async (by: number, of: readonly number[]) => {
    const asked = await engine.query({ apiKey: by === 0 ? apiKey : otherKey, identifiers: sent(by, of) });
    const { points, reported, reliability, link } = unwrap(asked);
    const shown = await engine.view({ linkHash: link.slice(-40) });
    return { points, reported, reliability, texts: shown.ok ? shown.value.map(({ text }) => text).sort() : [] };
  };
  for (const [at, one] of steps.entries()) {
    clock.nowMs += 1000;
    const known = 'nth' in one ? reports[one.nth] : undefined;
    if (one.do === 'report') {
      const key = one.by === 0 ? apiKey : otherKey;
      const draft = { type: 'fraud', severity: one.severity, text: `t${at}`, identifiers: sent(one.by, one.of) };
      const receipt = unwrap(await engine.report({ apiKey: key, ...draft }));
      told.push(unwrap(await engine.report({ apiKey: key, ...draft })).duplicate);
      reports.push({ ...receipt, key });
    } else if (one.do === 'query') told.push(await ask(one.by, one.of));
    else if (one.do === 'remove' && known)
      told.push((await engine.remove({ apiKey: known.key, deletionCode: known.deletionCode })).ok);
    else if (one.do === 'dispute' && known)
      told.push((await engine.openDispute({ reportId: known.reportId, reason: 'r', by: 'Ada' })).ok);
    else if (one.do === 'uphold' && known)
      told.push((await engine.decideDispute({ reportId: known.reportId, upheld: true, by: 'Bob' })).ok);
    else if (one.do === 'protect')
      told.push((await engine.protect({ hash: hashOf(one.of), reason: 'r', by: 'Ada' })).ok);
    else if (one.do === 'unprotect') told.push((await engine.unprotect({ hash: hashOf(one.of), by: 'Ada' })).ok);
    else if (one.do === 'erase') {
      const { reports, protections } = unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(one.of)], by: 'Ada' }));
      told.push({ reports, protections });
    } else if (one.do === 'pass') {
      clock.nowMs += DAY;
      // Not in the background, as above.
      await engine.recomputeTrust();
    } else if (one.do === 'rotate' && hasPeppers) {
      peppers.push(`a pepper of step ${at}, long enough`);
      await engine.rotatePepper({ pepper: peppers.at(-1)! });
    } else if (one.do === 'restart') await next();
  }
  for (const by of [0, 1]) for (let n = 0; n < PEOPLE; n++) told.push(await ask(by, [n]));
  told.push(await ask(0, [0, 1, 2, 3, 4]));
  told.push((await engine.listStandings()).map(({ name, precision, established }) => [name, precision, established]));
  if (seal !== 'plain') {
    for (let n = 0; n < PEOPLE; n++)
      expect(await scoreLocally(engine, asElements([n]), clock.nowMs)).toEqual(await numbers(n));
    expect(await scoreLocally(engine, asElements([0, 1, 2, 3, 4]), clock.nowMs)).toEqual(await numbers(0, 1, 2, 3, 4));
  }
  expect(await store.check()).toEqual([]);
  // The memory of sql.js holds some 3,000 open stores.
  await store.close();
  return told;

  async function numbers(...of: number[]) {
    const { points, reported, reliability } = unwrap(await engine.query({ apiKey, identifiers: asHashes(of) }));
    return { points, reported, reliability };
  }
}

/** Scores as a client with a copy of the published rows does. */
async function scoreLocally(engine: Engine, asked: readonly SealedIdentifier[], nowMs: number) {
  const reports = new Map<string, EvidenceReport & { shared: { hash: string; kind: string }[] }>();
  let after;
  do {
    const page = await engine.readSealedRows({ after, limit: 3 });
    for (const row of page.rows) {
      if (!asked.some(({ element }) => element === row.element)) continue;
      const { reportId, reporterId, type, severity, element, kind } = row;
      const ageDays = Math.floor((nowMs - row.createdAt) / DAY);
      const report = reports.get(reportId) ?? {
        reportId,
        reporterId,
        type,
        severity,
        ageDays,
        shared: [],
        disputed: row.disputeOpen,
      };
      reports.set(reportId, report);
      report.shared.push({ hash: element, kind });
    }
    after = page.next;
  } while (after !== undefined);
  const standings = new Map((await engine.listStandings()).map((standing) => [standing.reporterId, standing]));
  const { points, reported, reliability } = STEPS.score({ reports: [...reports.values()], standings });
  return { points, reported, reliability };
}

describe('sealing changes no answer', () => {
  it('whatever happens around it, and in which form identifiers arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), fc.boolean(), async (steps, peppers) => {
        const plain = await play(steps, { seal: 'plain', peppers });
        for (const seal of ['sealed', 'elements'] as const)
          expect(await play(steps, { seal, peppers }), seal).toEqual(plain);
      }),
      { numRuns: budget(4) },
    );
  });
});
