import { describe, expect, it } from 'vitest';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { RefusedError, unwrap } from '../../src/index.ts';
import type { AuditEntry } from '../../src/operator.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

/** The entries that a call adds. */
async function addedBy(engine: Engine, call: () => Promise<unknown>): Promise<AuditEntry[]> {
  const after = (await engine.verifyAudit()).entries;
  await call();
  return (await engine.listAudit({ after })).filter(isSoundEntry);
}

const identifiers = [{ kind: 'email', hash: hashOf(1) }];

describe('the audit log of an engine', () => {
  it('has one entry for each action, with the name of the person who acted', async () => {
    const { engine, apiKey, reporterId } = await createTestEngine();
    const draft = { apiKey, type: 'fraud', severity: 7, text: 'A text', identifiers };
    const { reportId } = unwrap(await engine.report(draft));
    const by = ' Ada ';
    const one = async (call: () => Promise<unknown>, expected: Partial<AuditEntry>): Promise<void> => {
      const entry = { actor: 'Ada', reporterId: null, subject: null, amount: null, ...expected };
      expect(await addedBy(engine, call)).toMatchObject([entry]);
    };
    await one(() => engine.createReporter({ name: 'Third', by }), {
      action: 'reporter-created',
      reporterId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    await one(() => engine.suspendReporter({ reporterId, suspended: true, by }), {
      action: 'reporter-suspended',
      reporterId,
    });
    await one(() => engine.suspendReporter({ reporterId, suspended: false, by }), {
      action: 'reporter-unsuspended',
      reporterId,
    });
    const { keyId } = unwrap(await engine.issueKey({ reporterId }));
    let next = '';
    const rotated = await addedBy(engine, async () => {
      next = unwrap(await engine.rotateKey({ keyId, by })).keyId;
    });
    expect(rotated).toMatchObject([
      { actor: 'Ada', action: 'key-issued', reporterId, subject: next },
      { actor: 'Ada', action: 'key-rotated', reporterId, subject: keyId },
    ]);
    await one(() => engine.revokeKey({ keyId: next, by }), { action: 'key-revoked', reporterId, subject: next });
    await one(() => engine.openDispute({ reportId, reason: 'Wrong', by }), {
      action: 'dispute-opened',
      reporterId,
      subject: reportId,
    });
    await one(() => engine.decideDispute({ reportId, upheld: true, by }), {
      action: 'dispute-upheld',
      reporterId,
      subject: reportId,
    });
    await one(() => engine.protect({ hash: hashOf(2), reason: 'Our own', by }), { action: 'allow-list-added' });
    await one(() => engine.unprotect({ hash: hashOf(2), by }), { action: 'allow-list-removed' });
    await one(() => engine.rotatePepper({ pepper: 'p'.repeat(32), by }), {
      action: 'pepper-rotated',
      subject: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    await one(() => engine.eraseIdentifiers({ hashes: [hashOf(1), hashOf(5)], by }), { action: 'erased', amount: 1 });
    await one(() => engine.recordAction({ action: 'exported', by }), { action: 'exported' });
    await one(() => engine.recordAction({ action: 'imported', amount: 7, by }), { action: 'imported', amount: 7 });
    await one(() => engine.createReporter({ name: 'Fourth' }), {
      action: 'reporter-created',
      actor: 'engine',
      reporterId: expect.any(String) as string,
    });
    const whole = await engine.verifyAudit();
    expect(whole).toMatchObject({ firstBad: null, entries: (await engine.listAudit()).length });
  });

  it('has no entry for what requests do, or for a refused action', async () => {
    const { engine, apiKey, reporterId } = await createTestEngine();
    const added = await addedBy(engine, async () => {
      const { deletionCode } = unwrap(
        await engine.report({ apiKey, type: 'fraud', severity: 7, text: 'A text', identifiers }),
      );
      await engine.query({ apiKey, identifiers });
      await engine.remove({ apiKey, deletionCode });
      await engine.createReporter({ name: 'First Shop' });
      await engine.createReporter({ name: '' });
      await engine.ensureReporter({ name: 'First Shop' });
      await engine.revokeKey({ keyId: '0'.repeat(16) });
      await engine.decideDispute({ reportId: '0'.repeat(16), upheld: true, by: 'Ada' });
      await engine.unprotect({ hash: hashOf(9), by: 'Ada' });
      for (const by of ['', 'A\nB', 'a'.repeat(81), 'engine', ' Engine ', '\u00a0ENGINE']) {
        const refused = { ok: false, refusal: { reason: 'invalid-name' } };
        expect(await engine.createReporter({ name: 'Other', by })).toMatchObject(refused);
        expect(await engine.suspendReporter({ reporterId, suspended: true, by })).toMatchObject(refused);
        expect(await engine.issueKey({ reporterId, by })).toMatchObject(refused);
        expect(await engine.rotateKey({ keyId: '0'.repeat(16), by })).toMatchObject(refused);
        expect(await engine.revokeKey({ keyId: '0'.repeat(16), by })).toMatchObject(refused);
        expect(await engine.recordAction({ action: 'exported', by })).toMatchObject(refused);
        await expect(engine.rotatePepper({ pepper: 'p'.repeat(32), by })).rejects.toBeInstanceOf(RefusedError);
      }
    });
    expect(added).toEqual([]);
  });

  it('holds no hash, key, text, reason or name of a reporter', async () => {
    const { engine, apiKey, reporterId } = await createTestEngine({ peppers: ['p'.repeat(32)] });
    const draft = { apiKey, type: 'fraud', severity: 7, text: 'A secret text', identifiers };
    const { reportId, deletionCode } = unwrap(await engine.report(draft));
    const other = unwrap(await engine.issueKey({ reporterId }));
    await engine.openDispute({ reportId, reason: 'A secret reason', by: 'Ada' });
    await engine.protect({ hash: hashOf(2), reason: 'A secret reason', by: 'Ada' });
    const stored = (await engine.listProtected()).map(({ hash }) => hash);
    await engine.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' });
    const log = JSON.stringify(await engine.listAudit());
    for (const text of [apiKey, other.apiKey, deletionCode, 'secret', hashOf(1), hashOf(2), ...stored, 'First Shop'])
      expect(log).not.toContain(text);
  });

  it('is read in pages, and refuses other values', async () => {
    const { engine } = await createTestEngine();
    const [first, second] = await engine.listAudit();
    expect(await engine.listAudit({ limit: 1 })).toEqual([first]);
    expect(await engine.listAudit({ after: 1, limit: 1 })).toEqual([second]);
    expect(await engine.listAudit({ before: 3, limit: 1 })).toEqual([second]);
    expect((await engine.listAudit({ before: Infinity, action: 'key-issued' })).map(({ seq }) => seq)).toEqual([4, 3]);
    for (const wrong of [{ before: 0 }, { before: 1.5 }])
      await expect(engine.listAudit(wrong)).rejects.toBeInstanceOf(RangeError);
    for (const wrong of [{ before: 1, after: 1 }, { action: 1 as unknown as 'erased' }])
      await expect(engine.listAudit(wrong)).rejects.toBeInstanceOf(TypeError);
    await expect(engine.listAudit({ limit: 0 })).rejects.toBeInstanceOf(RangeError);
    await expect(engine.listAudit({ after: -1 })).rejects.toBeInstanceOf(RangeError);
    await expect(engine.listAudit({ since: 1 } as object)).rejects.toBeInstanceOf(TypeError);
    await expect(engine.verifyAudit({ head: 'AB' })).rejects.toBeInstanceOf(TypeError);
    await expect(engine.recordAction({ action: 'erased' as 'exported' })).rejects.toBeInstanceOf(TypeError);
    await expect(engine.recordAction({ action: 'pepper-added', subject: 'x' })).rejects.toBeInstanceOf(TypeError);
    await expect(engine.recordAction({ action: 'imported', amount: -1 })).rejects.toBeInstanceOf(RangeError);
  });

  it('has no entry for an interrupted rotation that goes on', async () => {
    const store = await createMemoryStore();
    const options = { store, secret: 'a secret of more than sixteen bytes', publicUrl: 'https://reports.example' };
    const engine = createEngine(options);
    await engine.ensureReporter({ name: 'Shop' });
    await engine.protect({ hash: hashOf(1), reason: 'ours', by: 'Ada' });
    const pepper = 'p'.repeat(32);
    const { rehash } = store;
    store.rehash = () => Promise.reject(new Error('killed'));
    await expect(engine.rotatePepper({ pepper, by: 'Ada' })).rejects.toThrow('killed');
    store.rehash = rehash;
    const again = createEngine({ ...options, peppers: [pepper] });
    expect(await addedBy(again, () => again.rotatePepper())).toEqual([]);
    expect(
      (await again.listAudit()).filter(isSoundEntry).filter(({ action }) => action === 'pepper-rotated'),
    ).toHaveLength(1);
    await engine.close();
  });
});
