import { refuse, type Refusal } from '../domain/refusal.ts';
import type { Service } from './service.ts';

/**
 * Returns a service that takes no hashes: reports, queries and requests for disputes are refused with `sealed-only`,
 * before any key is checked. Deletions and views, which have no hash, are answered.
 */
export function withoutHashes(service: Service): Service {
  const refused = async (): Promise<{ readonly ok: false; readonly refusal: Refusal }> =>
    refuse({ reason: 'sealed-only' });
  const { requestDispute: _, ...others } = service;
  return {
    ...others,
    report: refused,
    query: refused,
    checkKey: (request) => (request.action === 'delete' ? service.checkKey(request) : refused()),
  };
}
