import type { Engine, Reporter } from '../index.ts';

/** Returns the reporter with a name, as an operator types it. Undefined if there is none. */
export async function findReporter(engine: Engine, typed: string): Promise<Reporter | undefined> {
  // Names are stored in this form.
  const name = typed.trim().normalize('NFC');
  return (await engine.listReporters()).find((known) => known.name === name);
}
