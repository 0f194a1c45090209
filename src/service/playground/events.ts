import { createEngine, unwrap, type BoundReporter } from '../../index.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import { createSqljsStore, type StartedSqlJs } from '../../sqljs.ts';
import { SECRET, SERVICE, type Codes } from './session.ts';

/** Something that happened in a simulated world or in a shared scenario. Events are in order of time. */
export type PlayedEvent =
  | { readonly do: 'reporter'; readonly at: number; readonly name: string; readonly verified: boolean }
  | {
      readonly do: 'report';
      readonly at: number;
      readonly id: string;
      readonly reporter: string;
      readonly type: string;
      readonly severity: number;
      readonly text: string;
      readonly identifiers: readonly Identifier[];
    }
  | { readonly do: 'remove'; readonly at: number; readonly id: string };

/** What playing left. */
export interface Played {
  /** The database file. */
  readonly bytes: Uint8Array;
  /** Deletion codes by report id. */
  readonly codes: Codes;
}

const EVENTS_IN_A_TURN = 50;

/**
 * Plays events on an empty store in memory, each at its time, and returns what they left. Rejects with RefusedError
 * if the engine refuses one. The page can react meanwhile.
 */
export async function playEvents(events: readonly PlayedEvent[], sqlJs: StartedSqlJs): Promise<Played> {
  const store = await createSqljsStore({ sqlJs });
  const time = { nowMs: events[0]?.at ?? Date.now() };
  const engine = createEngine({
    store,
    secret: SECRET,
    publicUrl: SERVICE,
    clock: () => time.nowMs,
    // Full computations would take most of the time. The page's own engine makes one.
    trustEpoch: 'on-demand',
  });
  try {
    await engine.ready();
    const reporters = new Map<string, BoundReporter>();
    const reporterNamed = async (name: string, verified: boolean): Promise<BoundReporter> => {
      const known = reporters.get(name) ?? unwrap(await engine.ensureReporter({ name, verified }));
      reporters.set(name, known);
      return known;
    };
    const filed = new Map<string, { readonly by: BoundReporter; readonly deletionCode: string }>();
    const codes: Record<string, string> = {};
    for (const [index, event] of events.entries()) {
      time.nowMs = event.at;
      if (event.do === 'reporter') await reporterNamed(event.name, event.verified);
      else if (event.do === 'report') {
        const { id, reporter, type, severity, text, identifiers } = event;
        const by = await reporterNamed(reporter, false);
        const { reportId, deletionCode } = unwrap(await by.report({ type, severity, text, identifiers }));
        filed.set(id, { by, deletionCode });
        codes[reportId] = deletionCode;
      } else {
        const report = filed.get(event.id);
        if (report) unwrap(await report.by.remove({ deletionCode: report.deletionCode }));
      }
      if (index % EVENTS_IN_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return { bytes: store.export(), codes };
  } finally {
    await engine.close();
  }
}
