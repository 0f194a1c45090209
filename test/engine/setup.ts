import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
  type ProgramEngineOptions,
} from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../src/index.ts';
import { createMemoryStore } from '../memory-store.ts';

/** A clock that stands still until it is told to go on. */
export interface TestClock {
  nowMs: number;
}

export interface TestEngine {
  readonly engine: Engine;
  readonly clock: TestClock;
  /** A verified reporter's key. */
  readonly apiKey: string;
  readonly reporterId: string;
  /** Another verified reporter's key. */
  readonly otherKey: string;
}

/** 40 hex characters that look like a real hash and differ for each number. */
export const hashOf = (n: number): string => (n + 1).toString(16).padStart(4, '0').repeat(10);

export const START = Date.UTC(2026, 0, 1);

/** The real engine over the real store in memory, on a fixed clock and seeded randomness. It waits for no time. */
export async function createTestEngine(options: Partial<ProgramEngineOptions> = {}): Promise<TestEngine> {
  const clock: TestClock = { nowMs: START };
  const engine = createEngine({
    store: options.store ?? (await createMemoryStore()),
    secret: 'a secret of more than sixteen bytes',
    publicUrl: 'https://reports.example',
    clock: () => clock.nowMs,
    monotonic: () => clock.nowMs,
    random: createSeededRandom('test'),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    ...options,
  });
  const { reporterId } = unwrap(await engine.createReporter({ name: 'First Shop' }));
  const other = unwrap(await engine.createReporter({ name: 'Second Shop' }));
  return {
    engine,
    clock,
    reporterId,
    apiKey: unwrap(await engine.issueKey({ reporterId })).apiKey,
    otherKey: unwrap(await engine.issueKey({ reporterId: other.reporterId })).apiKey,
  };
}
