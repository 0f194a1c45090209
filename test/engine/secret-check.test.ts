import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import {
  PepperError,
  SecretError,
  secretFingerprint,
  StoreKeyError,
  StoreUnavailableError,
  unwrap,
  type EngineNotice,
  type EngineOptions,
  type Store,
} from '../../src/index.ts';
import type { SqljsStore } from '../../src/core/store/sqljs/store.ts';
import { hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const OTHER = 'another secret of sixteen bytes';
const identifiers = [{ kind: 'email', hash: hashOf(1) }];

const open = (store: Store, secret = SECRET, options: Partial<EngineOptions> = {}) =>
  createEngine({ store, secret, publicUrl: 'https://reports.example', clock: () => START, ...options });

async function issueKey(store: Store, secret = SECRET): Promise<string> {
  const engine = open(store, secret);
  const { reporterId } = unwrap(await engine.createReporter({ name: 'First Shop' }));
  return unwrap(await engine.issueKey({ reporterId })).apiKey;
}

/** A store of an earlier version: with a key and without a fingerprint. */
async function createOlder(): Promise<{ store: SqljsStore; apiKey: string }> {
  const store = await createMemoryStore();
  const older: Store = { ...store, adoptSecretFingerprint: async () => 'adopted' };
  return { store, apiKey: await issueKey(older) };
}

/** Counts the calls of each method. */
function counting(inner: Store): { store: Store; calls: Map<string, number> } {
  const calls = new Map<string, number>();
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      return (...args: never[]) => {
        calls.set(name, (calls.get(name) ?? 0) + 1);
        return (method as (...args: never[]) => unknown)(...args);
      };
    },
  });
  return { store, calls };
}

describe('a new store', () => {
  it('adopts the fingerprint with the first key, and not before', async () => {
    const store = await createMemoryStore();
    const engine = open(store);
    await engine.ready();
    const { reporterId } = unwrap(await engine.createReporter({ name: 'First Shop' }));
    expect(await engine.issueKey({ reporterId: 'f'.repeat(16) })).toMatchObject({ ok: false });
    expect(await store.findSecretFingerprint()).toBeUndefined();
    unwrap(await engine.issueKey({ reporterId }));
    expect(await store.findSecretFingerprint()).toBe(secretFingerprint(SECRET));
    await open(store).ready();
  });

  it('belongs to one of two processes that issue a first key at once, and the other changes nothing', async () => {
    const store = await createMemoryStore();
    const engines = [open(store), open(store, OTHER)];
    const { reporterId } = unwrap(await engines[0]!.createReporter({ name: 'First Shop' }));
    await Promise.all(engines.map((engine) => engine.ready()));
    const issued = await Promise.allSettled(engines.map((engine) => engine.issueKey({ reporterId })));
    const rejected = issued.filter((result) => result.status === 'rejected');
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.reason).toBeInstanceOf(SecretError);
    expect(await store.listKeys()).toHaveLength(1);
  });
});

describe('another secret', () => {
  it('is refused by every operation, which changes nothing, with both fingerprints and no secret', async () => {
    const store = await createMemoryStore();
    const apiKey = await issueKey(store);
    const before = store.export();
    const engine = open(store, OTHER);
    const calls: (() => Promise<unknown>)[] = [
      () => engine.ready(),
      () => engine.report({ apiKey, type: 'fraud', severity: 5, text: 't', identifiers }),
      () => engine.query({ apiKey, identifiers }),
      () => engine.remove({ apiKey, deletionCode: '0'.repeat(16) }),
      () => engine.view({ linkHash: hashOf(1) }),
      () => engine.explain({ identifiers }),
      () => engine.createReporter({ name: 'Another' }),
      () => engine.ensureReporter({ name: 'Another' }),
      () => engine.listReporters(),
      () => engine.listKeys(),
      () => engine.recomputeTrust(),
      () => engine.listDisputes(),
      () => engine.protect({ hash: hashOf(1), reason: 'r', by: 'Ada' }),
      () => engine.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' }),
      () => engine.pepperStatus(),
      () => engine.rotatePepper({ pepper: 'a pepper of sixteen bytes' }),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((rejection: unknown) => rejection);
      expect(error, String(call)).toBeInstanceOf(SecretError);
      expect(error).toBeInstanceOf(StoreKeyError);
      const { name, message } = error as Error;
      expect(name).toBe('SecretError');
      expect(message).toContain(secretFingerprint(SECRET));
      expect(message).toContain(secretFingerprint(OTHER));
      expect(message).not.toContain(OTHER);
    }
    expect(Buffer.compare(store.export(), before)).toBe(0);
    expect(await store.listReporters()).toHaveLength(1);
  });
});

describe('a store without a fingerprint', () => {
  it('adopts it when a key is recognised, and refuses another secret from then on', async () => {
    const { store, apiKey } = await createOlder();
    expect(await store.findSecretFingerprint()).toBeUndefined();
    // Under another secret no key is recognised, so nothing is adopted.
    expect(await open(store, OTHER).query({ apiKey, identifiers })).toMatchObject({ ok: false });
    expect(await store.findSecretFingerprint()).toBeUndefined();
    unwrap(await open(store).query({ apiKey, identifiers }));
    expect(await store.findSecretFingerprint()).toBe(secretFingerprint(SECRET));
    await expect(open(store, OTHER).query({ apiKey, identifiers })).rejects.toThrow(SecretError);
  });

  it('does not adopt with a further key: the secret is not verified by it', async () => {
    const { store } = await createOlder();
    const [reporter] = await store.listReporters();
    unwrap(await open(store).issueKey({ reporterId: reporter!.reporterId }));
    expect(await store.findSecretFingerprint()).toBeUndefined();
  });

  it('answers if the fingerprint cannot be saved, tries once, and tells so by a notice', async () => {
    const { store: inner, apiKey } = await createOlder();
    const { store, calls } = counting({
      ...inner,
      adoptSecretFingerprint: async () => {
        throw new StoreUnavailableError('disk full');
      },
    });
    const notices: EngineNotice[] = [];
    const engine = open(store, SECRET, { onNotice: (notice) => notices.push(notice) });
    for (let n = 0; n < 3; n++) unwrap(await engine.query({ apiKey, identifiers }));
    expect(notices.map(({ event }) => event)).toEqual(['secret-fingerprint-not-saved']);
    expect(calls.get('adoptSecretFingerprint')).toBe(1);
  });
});

describe('the check', () => {
  it('is one store call per engine', async () => {
    const inner = await createMemoryStore();
    const apiKey = await issueKey(inner);
    const { store, calls } = counting(inner);
    const engine = open(store);
    await Promise.all([engine.query({ apiKey, identifiers }), engine.listReporters(), engine.ready()]);
    unwrap(await engine.query({ apiKey, identifiers }));
    expect(calls.get('findSecretFingerprint')).toBe(1);
    expect(calls.get('adoptSecretFingerprint')).toBeUndefined();
  });

  it('is repeated after the store was unavailable', async () => {
    const inner = await createMemoryStore();
    const apiKey = await issueKey(inner);
    const state = { isUp: false };
    const store: Store = {
      ...inner,
      findSecretFingerprint: async () => {
        if (!state.isUp) throw new StoreUnavailableError('no disk');
        return inner.findSecretFingerprint();
      },
    };
    const engine = open(store);
    await expect(engine.query({ apiKey, identifiers })).rejects.toThrow(StoreUnavailableError);
    state.isUp = true;
    expect((await engine.query({ apiKey, identifiers })).ok).toBe(true);
  });

  it('of `ready` includes the peppers', async () => {
    const store = await createMemoryStore();
    const peppered = open(store, SECRET, { peppers: ['a pepper of sixteen bytes'] });
    await peppered.ready();
    await expect(open(store).ready()).rejects.toThrow(PepperError);
  });
});
