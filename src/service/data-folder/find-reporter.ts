import type { ProgramEngine } from './program-engine.ts';
import type { Reporter } from '../../index.ts';

/** Returns the form in which a store keeps a name that an operator types. */
export function toStoredName(typed: string): string {
  return typed.trim().normalize('NFC');
}

/** Returns the reporter with a name, as an operator types it. Undefined if there is none. */
export async function findReporter(engine: ProgramEngine, typed: string): Promise<Reporter | undefined> {
  return engine.findReporter({ name: typed });
}
