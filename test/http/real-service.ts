import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap, type EngineOptions } from '../../src/index.ts';
import type { HttpHost } from '../contract/http.ts';
import { createMemoryStore } from '../memory-store.ts';

const NO_LIMIT = { requests: 1e9, windowSeconds: 1 };

/** The real engine on the real store, with the keys of the HTTP contract. Limits are high unless given. */
export async function createRealService(
  publicUrl: string,
  options: Partial<EngineOptions> = {},
): Promise<{
  engine: Engine;
  keys: Pick<Required<HttpHost>, 'apiKey' | 'strangerKey' | 'revokedKey' | 'suspendedKey'>;
}> {
  const engine = createEngine({
    store: options.store ?? (await createMemoryStore()),
    secret: 'a secret of more than sixteen bytes',
    publicUrl,
    ...options,
    budgets: options.budgets ?? { identifiers: { verified: 1e9, new: 1e9 } },
    limits: {
      query: NO_LIMIT,
      report: NO_LIMIT,
      delete: NO_LIMIT,
      viewer: NO_LIMIT,
      'unknown-key': NO_LIMIT,
      ...options.limits,
    },
  });
  const keyOf = async (name: string) => unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name }))));
  const [shop, stranger, revoked, suspended] = [
    await keyOf('Shop'),
    await keyOf('Stranger'),
    await keyOf('Revoked'),
    await keyOf('Suspended'),
  ];
  unwrap(await engine.revokeKey(revoked));
  unwrap(await engine.suspendReporter({ reporterId: suspended.reporterId, suspended: true }));
  return {
    engine,
    keys: {
      apiKey: shop.apiKey,
      strangerKey: stranger.apiKey,
      revokedKey: revoked.apiKey,
      suspendedKey: suspended.apiKey,
    },
  };
}
