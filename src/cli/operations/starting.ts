import { refuse, type Refusal } from '../../domain/refusal.ts';
import type { Service } from '../../engine/service.ts';

/** A start usually takes seconds. */
const RETRY_SECONDS = 1;
const refused = async (): Promise<{ readonly ok: false; readonly refusal: Refusal }> =>
  refuse({ reason: 'unavailable', retryAfterSeconds: RETRY_SECONDS });

/** Refuses everything: the service until it is ready. So clients get the same forms of replies as later. */
export const STARTING: Service = {
  report: refused,
  remove: refused,
  query: refused,
  checkKey: refused,
  view: refused,
  record: refused,
  requestDispute: refused,
  describe: refused,
};
