import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const identifiers = [{ kind: 'email', hash: hashOf(1) }];
const draft = { type: 'fraud', severity: 6, text: 'Paid with a stolen card', identifiers };

describe('ensureReporter', () => {
  it('creates a verified reporter without a key, and finds it at the second start', async () => {
    const store = await createMemoryStore();
    const start = () =>
      createEngine({
        store,
        secret: 'a secret of more than sixteen bytes',
        publicUrl: 'https://reports.example',
        clock: () => START,
      });
    const first = unwrap(await start().ensureReporter({ name: '  My Shop ' }));
    expect(first).toMatchObject({ name: 'My Shop', reporterId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const second = unwrap(await start().ensureReporter({ name: 'My Shop' }));
    expect(second.reporterId).toBe(first.reporterId);
    const [reporter, ...others] = await start().listReporters();
    expect(others).toEqual([]);
    expect(reporter).toMatchObject({ name: 'My Shop', verified: true });
    expect(await store.listKeys()).toEqual([]);
    // The store belongs to this secret from here on.
    await expect(
      createEngine({ store, secret: 'another secret of sixteen bytes', publicUrl: 'https://reports.example' }).ready(),
    ).rejects.toThrow('fingerprint');
  });

  it('leaves a known reporter as it is', async () => {
    const { engine, reporterId } = await createTestEngine();
    const bound = unwrap(await engine.ensureReporter({ name: 'First Shop', verified: false }));
    expect(bound.reporterId).toBe(reporterId);
    expect((await engine.listReporters()).find((one) => one.reporterId === reporterId)?.verified).toBe(true);
    const unverified = unwrap(await engine.ensureReporter({ name: 'New Shop', verified: false }));
    expect((await engine.listReporters()).find((one) => one.reporterId === unverified.reporterId)?.verified).toBe(
      false,
    );
  });

  it('gives the same reporter to calls and processes at once', async () => {
    const store = await createMemoryStore();
    const engines = Array.from({ length: 3 }, () =>
      createEngine({ store, secret: 'a secret of more than sixteen bytes', publicUrl: 'https://reports.example' }),
    );
    const bound = await Promise.all(
      [...engines, ...engines].map(async (engine) => unwrap(await engine.ensureReporter({ name: 'My Shop' }))),
    );
    expect(new Set(bound.map(({ reporterId }) => reporterId)).size).toBe(1);
    expect(await store.listReporters()).toHaveLength(1);
  });

  it('refuses an invalid name, and an unknown option is a TypeError', async () => {
    const { engine } = await createTestEngine();
    for (const name of ['', 'x'.repeat(81), 'two\nlines', 7 as never])
      expect(await engine.ensureReporter({ name })).toEqual({
        ok: false,
        refusal: { reason: 'invalid-name', limitCharacters: 80 },
      });
    await expect(engine.ensureReporter({ name: 'x', verifed: true } as never)).rejects.toThrow('"verifed"');
  });
});

describe('a bound reporter', () => {
  it('reports, queries and deletes as its key would', async () => {
    const { engine, apiKey } = await createTestEngine();
    const shop = unwrap(await engine.ensureReporter({ name: 'First Shop' }));
    const receipt = unwrap(await shop.report(draft));
    expect(unwrap(await engine.report({ apiKey, ...draft }))).toEqual({ ...receipt, duplicate: true });
    expect(unwrap(await shop.query({ identifiers }))).toEqual(unwrap(await engine.query({ apiKey, identifiers })));
    const stranger = unwrap(await engine.ensureReporter({ name: 'Second Shop' }));
    expect(await stranger.remove({ deletionCode: receipt.deletionCode })).toMatchObject({
      refusal: { reason: 'unknown-code' },
    });
    expect(await shop.remove({ deletionCode: receipt.deletionCode })).toEqual({ ok: true, value: undefined });
    expect(await engine.remove({ apiKey, deletionCode: receipt.deletionCode })).toMatchObject({
      refusal: { reason: 'already-deleted' },
    });
  });

  it('has the bounds and no request limits', async () => {
    const { engine, apiKey } = await createTestEngine({ limits: { query: { requests: 1, windowSeconds: 60 } } });
    const shop = unwrap(await engine.ensureReporter({ name: 'First Shop' }));
    for (let n = 0; n < 3; n++) expect((await shop.query({ identifiers })).ok).toBe(true);
    expect((await engine.query({ apiKey, identifiers })).ok).toBe(true);
    expect(await engine.query({ apiKey, identifiers })).toMatchObject({ refusal: { reason: 'limited' } });
    expect(await shop.report({ ...draft, severity: 11 })).toMatchObject({ refusal: { reason: 'invalid-severity' } });
    expect(await shop.query({ identifiers: [] })).toMatchObject({ refusal: { reason: 'no-identifier' } });
  });
});
