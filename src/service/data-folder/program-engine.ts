import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { createOperator, withRecords, type Operator, type PublicService } from '../../operator.ts';
import { createSealing, type Sealing } from '../../sealed.ts';

/** The engine of the program: the service, and all that its owner does. */
export type ProgramEngine = Engine & Operator & PublicService & Sealing;

/** Returns an engine with every feature. Throws as `createEngine` does. */
export function createProgramEngine(options: EngineOptions): ProgramEngine {
  const engine = createEngine(options);
  return { ...withRecords(engine), ...createOperator(engine), ...createSealing(engine) };
}
