import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutHashes } from '../../src/sealed/engine/sealing.ts';
import type { Service } from '../../src/core/engine/service.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { createMemoryStore } from '../memory-store.ts';

const identifiers = [{ kind: 'email', hash: 'ab'.repeat(20) }];
const draft = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers };
const refused = { ok: false, refusal: { reason: 'sealed-only' } };

describe('a service that takes no hashes', () => {
  let engine: Engine;
  let service: Service;
  let apiKey: string;
  beforeAll(async () => {
    engine = createEngine({
      store: await createMemoryStore(),
      secret: 'the secret of these tests',
      publicUrl: 'https://x.example',
    });
    service = withoutHashes(engine);
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Shop' }));
    ({ apiKey } = unwrap(await engine.issueKey({ reporterId })));
  });
  afterAll(() => engine.close());

  it('refuses reports and queries before the key, and stores nothing', async () => {
    for (const key of [apiKey, 'ffffffffffffffff']) {
      expect(await service.report({ apiKey: key, ...draft })).toEqual(refused);
      expect(await service.query({ apiKey: key, identifiers })).toEqual(refused);
      for (const action of ['report', 'query'] as const)
        expect(await service.checkKey({ apiKey: key, action })).toEqual(refused);
    }
    expect(unwrap(await engine.query({ apiKey, identifiers })).reported).toBe(0);
    expect(service.requestDispute).toBeUndefined();
  });

  it('deletes and shows what was reported', async () => {
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft }));
    const { link } = unwrap(await engine.query({ apiKey, identifiers }));
    const linkHash = link.slice(-40);
    expect(unwrap(await service.view({ linkHash }))).toHaveLength(1);
    expect(unwrap(await service.record!({ linkHash })).reports).toHaveLength(1);
    expect(await service.checkKey({ apiKey, action: 'delete' })).toMatchObject({ ok: true });
    expect(await service.remove({ apiKey, deletionCode })).toMatchObject({ ok: true });
    expect(await service.view({ linkHash })).toMatchObject({ refusal: { reason: 'not-found' } });
  });
});
