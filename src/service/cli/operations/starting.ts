import { refuse, type Refusal } from '../../../core/domain/refusal.ts';
import type { Service } from '../../../core/engine/service.ts';

/** Returns a service that refuses everything with this refusal, in the forms of replies that others have. */
export function createRefusingService(refusal: Refusal): Service {
  const refused = async (): Promise<{ readonly ok: false; readonly refusal: Refusal }> => refuse(refusal);
  return {
    report: refused,
    remove: refused,
    query: refused,
    checkKey: refused,
    view: refused,
    record: refused,
    requestDispute: refused,
    readCase: refused,
    describe: refused,
  };
}

/** The service until it is ready. A start usually takes seconds. */
export const STARTING: Service = createRefusingService({ reason: 'unavailable', retryAfterSeconds: 1 });
