import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { createOperator, withRecords, type Operator, type PublicService } from '../../operator.ts';
import { createLinkClaimModel } from '../../scoring.ts';
import { sealIdentifiers, type Seal } from '../../sealed/engine/concealment.ts';
import { inSteps } from '../../sealed/precision-steps.ts';
import { createSealing, type Sealing } from '../../sealed/engine/sealing.ts';

/** Options of {@link createProgramEngine}. */
export interface ProgramEngineOptions extends Omit<EngineOptions, 'conceal'> {
  /** Computes sealed elements; default none. */
  readonly seal?: Seal | undefined;
}

/** The engine of the program: the service, and all that its owner does. */
export type ProgramEngine = Engine & Operator & PublicService & Sealing;

/** Returns an engine with every feature. Throws as `createEngine` does. */
export function createProgramEngine({ seal, ...options }: ProgramEngineOptions): ProgramEngine {
  const { model = createLinkClaimModel() } = options;
  const sealed = seal && { conceal: sealIdentifiers(seal), model: inSteps(model) };
  const engine = createEngine({ ...options, ...sealed });
  return { ...withRecords(engine), ...createOperator(engine), ...createSealing(engine) };
}
