import fc from 'fast-check';
import { unwrap, type Identifier } from '../../src/index.ts';
import type { ExplainedQueryResult } from '../../src/operator.ts';
import type { Store } from '../../src/core/store/store.ts';
import { createTestEngine, hashOf, type TestEngine } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What may happen; `who`, `what` and `which` are taken modulo what there is. */
export interface Step {
  readonly what: 'report' | 'remove' | 'dispute' | 'decide' | 'protect' | 'unprotect' | 'join';
  readonly who: number;
  readonly which: number;
  readonly names: readonly Identifier[];
  readonly severity: number;
  readonly yes: boolean;
  /**
   * Milliseconds before this event, at least one. The order of two reports of one millisecond changes the last digit of
   * a sum.
   */
  readonly after: number;
}

const PEOPLE = 6;
const identifier = fc.record({
  kind: fc.constantFrom('email', 'email', 'email', 'phone', 'ip', 'domain'),
  hash: fc.integer({ min: 1, max: PEOPLE }).map(hashOf),
});
export const histories = (least: number, most: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      what: fc.oneof(
        { weight: 14, arbitrary: fc.constant('report' as const) },
        { weight: 5, arbitrary: fc.constantFrom('dispute' as const, 'decide' as const) },
        {
          weight: 4,
          arbitrary: fc.constantFrom('remove' as const, 'protect' as const, 'unprotect' as const, 'join' as const),
        },
      ),
      who: fc.nat(),
      which: fc.nat(),
      severity: fc.integer({ min: 1, max: 10 }),
      yes: fc.boolean(),
      names: fc.uniqueArray(identifier, { minLength: 1, maxLength: 3, selector: ({ hash }) => hash }),
      after: fc.oneof(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: HOUR, max: 10 * HOUR }),
        fc.constantFrom(DAY, 3 * DAY, 40 * DAY),
      ),
    }),
    { minLength: least, maxLength: most },
  );

/** One query for each person and one for all together, as a caller gets them. */
export const QUESTIONS: readonly (readonly Identifier[])[] = [
  ...Array.from({ length: PEOPLE }, (_, n) => [{ kind: 'email', hash: hashOf(n + 1) }]),
  Array.from({ length: PEOPLE }, (_, n) => ({ kind: n % 2 ? 'phone' : 'email', hash: hashOf(n + 1) })),
];

export interface Told extends TestEngine {
  readonly store: Store & { export(): Uint8Array };
  /** Lives through more. */
  live(steps: readonly Step[]): Promise<void>;
  ask(asOf?: number): Promise<ExplainedQueryResult[]>;
  /** Milliseconds UTC of each deletion. */
  readonly removals: readonly number[];
}

/** An engine that lives through histories; two of the reporters are verified, two are not, and more may join. */
export async function createTold(): Promise<Told> {
  const store = await createMemoryStore();
  const test = await createTestEngine({ store, sameRequestSeconds: 0 });
  const { engine, clock } = test;
  const keys = [test.apiKey, test.otherKey];
  const join = async (): Promise<void> => {
    const { reporterId } = unwrap(await engine.createReporter({ name: `Shop ${keys.length}`, verified: false }));
    keys.push(unwrap(await engine.issueKey({ reporterId })).apiKey);
  };
  await join();
  await join();
  const live: { reportId: string; deletionCode: string; apiKey: string; disputed: boolean }[] = [];
  const removals: number[] = [];

  const take = async ({ what, who, which, names, severity, yes, after }: Step): Promise<void> => {
    clock.nowMs += after;
    const [apiKey, report, [{ hash }]] = [
      keys[who % keys.length]!,
      live[which % Math.max(1, live.length)],
      names as [Identifier],
    ];
    if (what === 'join') return join();
    if (what === 'protect')
      return void (await engine.protect({
        hash,
        reason: 'Shared by many',
        by: 'Ada',
        ...(yes ? { endsAt: clock.nowMs + 5 * HOUR } : {}),
      }));
    if (what === 'unprotect') {
      const open = (await engine.listProtected()).find(({ endsAt }) => endsAt === null);
      return void (open && unwrap(await engine.unprotect({ hash: open.hash, by: 'Ada' })));
    }
    if (what === 'report' || report === undefined) {
      live.push({
        apiKey,
        disputed: false,
        ...unwrap(
          await engine.report({ apiKey, type: 'fraud', severity, text: `n ${clock.nowMs}`, identifiers: names }),
        ),
      });
    } else if (what === 'remove') {
      unwrap(await engine.remove(live.splice(live.indexOf(report), 1)[0]!));
      removals.push(clock.nowMs);
    } else if (what === 'decide') {
      const open = (await engine.listDisputes()).find(({ decidedAt }) => decidedAt === null);
      if (open) unwrap(await engine.decideDispute({ reportId: open.reportId, upheld: yes, by: 'Bob' }));
    } else if (!report.disputed) {
      report.disputed = true;
      unwrap(await engine.openDispute({ reportId: report.reportId, reason: 'Somebody else', by: 'Ada' }));
    }
  };
  return {
    ...test,
    store,
    removals,
    async live(more) {
      for (const step of more) await take(step);
    },
    async ask(asOf) {
      const answers: ExplainedQueryResult[] = [];
      for (const identifiers of QUESTIONS)
        answers.push(
          unwrap(
            await engine.explainQuery({ apiKey: test.apiKey, identifiers, ...(asOf === undefined ? {} : { asOf }) }),
          ),
        );
      return answers;
    },
  };
}
