import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const identifiers = [{ kind: 'email', hash: hashOf(1) }];

describe('reporters', () => {
  it('have a public name of 1 to 80 characters that nobody else has', async () => {
    const { engine } = await createTestEngine();
    expect(unwrap(await engine.createReporter({ name: '  Ünïcode & Sons  ' }))).toEqual({
      reporterId: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'Ünïcode & Sons',
      verified: true,
      suspended: false,
      createdAt: START,
      identifiersPerDay: null,
      contact: null,
    });
    expect(await engine.createReporter({ name: 'Ünïcode & Sons' })).toEqual({
      ok: false,
      refusal: { reason: 'name-taken' },
    });
    for (const name of ['', '   ', 'x'.repeat(81), 'two\nlines', 'a\0b', 7 as unknown as string]) {
      expect(await engine.createReporter({ name })).toEqual({
        ok: false,
        refusal: { reason: 'invalid-name', limitCharacters: 80 },
      });
    }
    expect((await engine.listReporters()).map((r) => r.name)).toEqual(['First Shop', 'Second Shop', 'Ünïcode & Sons']);
  });

  it('can be suspended: no key of theirs is let in, what they reported stays', async () => {
    const { engine, apiKey, otherKey, reporterId } = await createTestEngine();
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 't', identifiers }));
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    expect(await engine.query({ apiKey, identifiers })).toEqual({ ok: false, refusal: { reason: 'suspended-key' } });
    expect(unwrap(await engine.query({ apiKey: otherKey, identifiers })).reported).toBe(1);
    unwrap(await engine.suspendReporter({ reporterId, suspended: false }));
    expect((await engine.query({ apiKey, identifiers })).ok).toBe(true);
    expect(await engine.suspendReporter({ reporterId: 'f'.repeat(16), suspended: true })).toEqual({
      ok: false,
      refusal: { reason: 'unknown-reporter' },
    });
  });

  it('are found by their ids, or by their name as a person types it', async () => {
    const { engine, reporterId } = await createTestEngine();
    const [first, second] = await engine.listReporters();
    expect(await engine.listReporters({ reporterIds: [second!.reporterId, reporterId, reporterId] })).toEqual([
      first,
      second,
    ]);
    expect(await engine.listReporters({ reporterIds: ['f'.repeat(16), 'no id'] })).toEqual([]);
    expect(await engine.findReporter({ reporterId })).toEqual(first);
    expect(await engine.findReporter({ reporterId: 'no id' })).toBeUndefined();
    expect(await engine.findReporter({ name: ' Second Shop ' })).toEqual(second);
    for (const name of ['second shop', 'two\nlines']) expect(await engine.findReporter({ name })).toBeUndefined();
    await expect(engine.listReporters({ name: 'First Shop' } as object)).rejects.toBeInstanceOf(TypeError);
  });

  it('have a public contact, at first or later, which can be removed', async () => {
    const { engine, reporterId } = await createTestEngine();
    const contact = 'https://shop.example/fraud';
    const made = unwrap(await engine.createReporter({ name: 'Third Shop', contact: ` ${contact} ` }));
    expect(made.contact).toBe(contact);
    const contacts = async () => (await engine.listStandings()).map((standing) => standing.contact);
    expect(await contacts()).toEqual([null, null, contact]);
    unwrap(await engine.updateReporter({ reporterId, contact: 'fraud@shop.example', by: 'Ada' }));
    unwrap(await engine.updateReporter({ reporterId: made.reporterId, contact: null }));
    expect(await contacts()).toEqual(['fraud@shop.example', null, null]);
    expect((await engine.listAudit()).slice(-2)).toMatchObject([
      { action: 'contact-set', actor: 'Ada', reporterId, subject: null, amount: null },
      { action: 'contact-set', actor: 'engine', reporterId: made.reporterId },
    ]);
  });

  it('are changed as asked, or not at all', async () => {
    const { engine, reporterId } = await createTestEngine();
    const before = await engine.listReporters();
    const wrong = { ok: false, refusal: { reason: 'invalid-contact', limitCharacters: 200 } };
    expect(await engine.updateReporter({ reporterId, verified: false, contact: 'javascript:1' })).toEqual(wrong);
    expect(await engine.createReporter({ name: 'Third Shop', contact: '' })).toEqual(wrong);
    for (const unknown of ['f'.repeat(16), `${reporterId}0`])
      expect(await engine.updateReporter({ reporterId: unknown, contact: null })).toEqual({
        ok: false,
        refusal: { reason: 'unknown-reporter' },
      });
    expect(await engine.updateReporter({ reporterId, verified: false, by: ' ' })).toMatchObject({
      refusal: { reason: 'invalid-name' },
    });
    await expect(engine.updateReporter({ reporterId, verifed: false } as never)).rejects.toBeInstanceOf(TypeError);
    await expect(engine.updateReporter({ reporterId, verified: 0 as never })).rejects.toBeInstanceOf(TypeError);
    unwrap(await engine.updateReporter({ reporterId }));
    expect(await engine.listReporters()).toEqual(before);
  });
});

describe('keys (protocol 5)', () => {
  it('are shown once and stored only as a keyed digest', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store });
    expect(apiKey).toMatch(/^[0-9a-f]{16}$/);
    const bytes = Buffer.from(store.export());
    expect(bytes.includes(apiKey)).toBe(false);
    expect(bytes.includes(Buffer.from(apiKey, 'hex'))).toBe(false);
    expect(JSON.stringify(await engine.listKeys())).not.toContain(apiKey);
  });

  it('are refused when unknown, malformed or of another secret', async () => {
    const store = await createMemoryStore();
    const { engine } = await createTestEngine({ store });
    for (const apiKey of ['', 'x', '0'.repeat(16), 'F'.repeat(16), '0'.repeat(17)]) {
      expect(await engine.query({ apiKey, identifiers })).toEqual({ ok: false, refusal: { reason: 'unknown-key' } });
    }
  });

  it('rotate: the old one is good for the grace time and no longer', async () => {
    const { engine, clock, apiKey } = await createTestEngine();
    const [old] = await engine.listKeys();
    const issued = unwrap(await engine.rotateKey({ keyId: old!.keyId, graceSeconds: 3600 }));
    expect(issued.reporterId).toBe(old!.reporterId);
    for (const key of [apiKey, issued.apiKey]) expect((await engine.query({ apiKey: key, identifiers })).ok).toBe(true);
    clock.nowMs += 3_599_999;
    expect((await engine.query({ apiKey, identifiers })).ok).toBe(true);
    clock.nowMs += 1;
    expect(await engine.query({ apiKey, identifiers })).toEqual({ ok: false, refusal: { reason: 'revoked-key' } });
    expect((await engine.query({ apiKey: issued.apiKey, identifiers })).ok).toBe(true);
    expect((await engine.listKeys()).find((k) => k.keyId === old!.keyId)!.endsAt).toBe(START + 3_600_000);
  });

  it('rotate without a grace time: the old one ends at once', async () => {
    const { engine, apiKey } = await createTestEngine();
    const [old] = await engine.listKeys();
    const issued = unwrap(await engine.rotateKey({ keyId: old!.keyId, graceSeconds: 0 }));
    expect(await engine.query({ apiKey, identifiers })).toEqual({ ok: false, refusal: { reason: 'revoked-key' } });
    expect((await engine.query({ apiKey: issued.apiKey, identifiers })).ok).toBe(true);
    // An ended key is not rotated again.
    expect(await engine.rotateKey({ keyId: old!.keyId })).toEqual({ ok: false, refusal: { reason: 'unknown-key-id' } });
  });

  it('rotate at once, twice or together with a revocation: one successor at most', async () => {
    const { engine, clock } = await createTestEngine();
    const [first, second] = await engine.listKeys();
    const rotations = await Promise.all([1, 2, 3].map(() => engine.rotateKey({ keyId: first!.keyId })));
    expect(rotations.map(({ ok }) => ok).sort()).toEqual([false, false, true]);
    expect(rotations).toContainEqual({ ok: false, refusal: { reason: 'unknown-key-id' } });
    const [revoked, rotated] = await Promise.all([
      engine.revokeKey({ keyId: second!.keyId }),
      engine.rotateKey({ keyId: second!.keyId }),
    ]);
    expect([revoked.ok, rotated]).toEqual([true, { ok: false, refusal: { reason: 'unknown-key-id' } }]);
    clock.nowMs += 100_000_000;
    expect((await engine.listKeys()).filter(({ endsAt }) => endsAt === null)).toHaveLength(1);
  });

  it('rotate with the longest grace time, ten years, and no longer', async () => {
    const { engine } = await createTestEngine();
    const [old] = await engine.listKeys();
    await expect(engine.rotateKey({ keyId: old!.keyId, graceSeconds: 315_360_001 })).rejects.toThrow(RangeError);
    unwrap(await engine.rotateKey({ keyId: old!.keyId, graceSeconds: 315_360_000 }));
  });

  it('revoke: at once, also within a grace time', async () => {
    const { engine, apiKey } = await createTestEngine();
    const [key] = await engine.listKeys();
    unwrap(await engine.rotateKey({ keyId: key!.keyId }));
    unwrap(await engine.revokeKey({ keyId: key!.keyId }));
    expect(await engine.query({ apiKey, identifiers })).toEqual({ ok: false, refusal: { reason: 'revoked-key' } });
  });

  it('may be issued for some actions and with an end, which a key that replaces it has too', async () => {
    const { engine, clock, reporterId } = await createTestEngine();
    const endsAt = START + 100 * 86_400_000;
    const issued = unwrap(await engine.issueKey({ reporterId, scope: 'query', endsAt }));
    expect(issued).toMatchObject({ scope: 'query', endsAt, issuedUntil: endsAt, lastUsedAt: null });
    const rotated = unwrap(await engine.rotateKey({ keyId: issued.keyId, graceSeconds: 60 }));
    expect(rotated).toMatchObject({ scope: 'query', endsAt, issuedUntil: endsAt });
    // Within the grace time, the old key is not replaced again.
    expect(await engine.rotateKey({ keyId: issued.keyId, graceSeconds: 60 })).toEqual({
      ok: false,
      refusal: { reason: 'unknown-key-id' },
    });
    // The old key never outlives its end.
    clock.nowMs = endsAt - 1_000;
    unwrap(await engine.rotateKey({ keyId: rotated.keyId, graceSeconds: 60 }));
    const known = new Map((await engine.listKeys()).map((key) => [key.keyId, key]));
    expect(known.get(issued.keyId)).toMatchObject({ endsAt: START + 60_000, issuedUntil: endsAt });
    expect(known.get(rotated.keyId)).toMatchObject({ endsAt: endsAt - 1 });
    clock.nowMs = endsAt - 2;
    expect((await engine.query({ apiKey: rotated.apiKey, identifiers })).ok).toBe(true);
    clock.nowMs = endsAt;
    expect(await engine.query({ apiKey: rotated.apiKey, identifiers })).toEqual({
      ok: false,
      refusal: { reason: 'revoked-key' },
    });
  });

  it('are listed of one reporter, or by their ids', async () => {
    const { engine, reporterId } = await createTestEngine();
    const [first, second] = await engine.listKeys();
    expect(await engine.listKeys({ reporterId })).toEqual([first]);
    expect(await engine.listKeys({ keyId: second!.keyId })).toEqual([second]);
    expect(await engine.listKeys({ keyId: second!.keyId, reporterId })).toEqual([]);
    for (const wrong of ['', 'no id', `${reporterId}a`])
      expect(await engine.listKeys({ reporterId: wrong })).toEqual([]);
    await expect(engine.listKeys({ reporter: reporterId } as object)).rejects.toBeInstanceOf(TypeError);
  });

  it('have a name if they are issued with one, and so does a key that replaces it', async () => {
    const { engine, reporterId } = await createTestEngine();
    const named = unwrap(await engine.issueKey({ reporterId, keyName: ' Caisse n\u006f\u0308 1 ' }));
    expect(named.keyName).toBe('Caisse n\u00f6 1');
    expect(unwrap(await engine.rotateKey({ keyId: named.keyId })).keyName).toBe('Caisse n\u00f6 1');
    // A whole reporter may be passed, and its name is not that of the key.
    const reporter = unwrap(await engine.createReporter({ name: 'A shop' }));
    expect(unwrap(await engine.issueKey(reporter)).keyName).toBeNull();
    const before = await engine.listKeys();
    expect(before.flatMap(({ keyName }) => keyName ?? [])).toEqual([named.keyName, named.keyName]);
    expect(before).toHaveLength(5);
    for (const keyName of ['', ' ', 'a\nb', 'a\tb', 'a\u200bb', 'a\u0000b', '\ud800', 'x'.repeat(41), 7, {}])
      expect(await engine.issueKey({ reporterId, keyName: keyName as string })).toEqual({
        ok: false,
        refusal: { reason: 'invalid-name', limitCharacters: 40 },
      });
    expect(await engine.listKeys()).toEqual(before);
    expect((await engine.issueKey({ reporterId, keyName: '\u{1f6d2}'.repeat(40) })).ok).toBe(true);
  });

  it('are not issued for an unknown action, with an end that has passed, or with a misspelt option', async () => {
    const { engine, reporterId } = await createTestEngine();
    const issue = (over: object) => engine.issueKey({ reporterId, ...over });
    await expect(issue({ scope: 'view' })).rejects.toThrow(TypeError);
    await expect(issue({ endsAt: START })).rejects.toThrow(RangeError);
    await expect(issue({ endsAt: '2027-01-31' })).rejects.toThrow(TypeError);
    await expect(issue({ expiresAt: START + 1 })).rejects.toThrow('"expiresAt" is not an option');
    expect(await engine.listKeys()).toHaveLength(2);
    expect((await issue({ scope: null, endsAt: START + 1 })).ok).toBe(true);
  });

  it('need whole ids: an id with another character after it is unknown', async () => {
    const { engine, reporterId } = await createTestEngine();
    const { keyId } = (await engine.listKeys())[0]!;
    const refusal = (reason: string) => ({ ok: false, refusal: { reason } });
    expect(await engine.issueKey({ reporterId: `${reporterId}0` })).toEqual(refusal('unknown-reporter'));
    expect(await engine.suspendReporter({ reporterId: `${reporterId}0`, suspended: true })).toEqual(
      refusal('unknown-reporter'),
    );
    expect(await engine.rotateKey({ keyId: `${keyId}0` })).toEqual(refusal('unknown-key-id'));
    expect(await engine.revokeKey({ keyId: `${keyId}0` })).toEqual(refusal('unknown-key-id'));
    expect(await engine.listKeys()).toHaveLength(2);
  });

  it('refuse what is not there', async () => {
    const { engine } = await createTestEngine();
    expect(await engine.issueKey({ reporterId: 'f'.repeat(16) })).toEqual({
      ok: false,
      refusal: { reason: 'unknown-reporter' },
    });
    expect(await engine.issueKey({ reporterId: 'not an id' })).toEqual({
      ok: false,
      refusal: { reason: 'unknown-reporter' },
    });
    expect(await engine.rotateKey({ keyId: 'f'.repeat(16) })).toEqual({
      ok: false,
      refusal: { reason: 'unknown-key-id' },
    });
    expect(await engine.revokeKey({ keyId: 'nonsense' })).toEqual({ ok: false, refusal: { reason: 'unknown-key-id' } });
    const [key] = await engine.listKeys();
    await expect(engine.rotateKey({ keyId: key!.keyId, graceSeconds: -1 })).rejects.toThrow('"graceSeconds"');
  });
});
