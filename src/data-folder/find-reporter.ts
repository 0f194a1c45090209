import { toReporterName } from '../admin/administration.ts';
import type { Engine, Reporter } from '../index.ts';

/** Returns the reporter with a name, as an operator types it. Undefined if there is none. */
export async function findReporter(engine: Engine, typed: string): Promise<Reporter | undefined> {
  const name = toReporterName(typed);
  return name.ok ? (await engine.listReporters()).find((known) => known.name === name.value) : undefined;
}
