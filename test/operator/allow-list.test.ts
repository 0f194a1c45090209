import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import type { Protection } from '../../src/operator.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';

const HOUR = 3_600_000;
const hash = hashOf(1);
const shared = { kind: 'domain', hash };
const person = { kind: 'phone', hash: hashOf(2) };
const draft = (identifiers: { kind: string; hash: string }[], text = 'Paid with a stolen card') => ({
  type: 'fraud',
  severity: 10,
  text,
  identifiers,
});
const note = { reason: 'Our payment provider', by: 'Ada' };
const refused = (reason: string, more: object = {}) => ({ ok: false, refusal: { reason, ...more } });
const nothing = { points: 0, reported: 0, reliability: 0 };

describe('a protected hash', () => {
  it('matches nothing, whoever reports it and under whatever kind, before or after', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft([shared]) }));
    const ask = async (kind = 'domain') =>
      unwrap(await engine.query({ apiKey: otherKey, identifiers: [{ kind, hash }] }));
    const before = await ask();
    expect(before.reported).toBe(1);
    expect(await engine.protect({ hash, ...note })).toEqual({ ok: true, value: undefined });
    for (const kind of ['domain', 'email', 'other']) expect(await ask(kind)).toMatchObject(nothing);
    unwrap(await engine.report({ apiKey: otherKey, ...draft([{ kind: 'email', hash }]) }));
    expect(await ask()).toEqual({ ...nothing, link: before.link });
  });

  it('adds nothing to what else matches', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft([shared, person]) }));
    const ask = async (...identifiers: { kind: string; hash: string }[]) => {
      const { link: _, ...verdict } = unwrap(await engine.query({ apiKey: otherKey, identifiers }));
      return verdict;
    };
    const alone = await ask(person);
    expect((await ask(person, shared)).points).toBeGreaterThan(alone.points);
    unwrap(await engine.protect({ hash, ...note }));
    expect(await ask(person, shared)).toEqual(alone);
    expect(await ask(shared)).toEqual(nothing);
  });

  it('is behind no link', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft([shared], 'of the shared one') }));
    const personal = unwrap(await engine.report({ apiKey, ...draft([person], 'of the person') }));
    const { link } = unwrap(await engine.query({ apiKey: otherKey, identifiers: [shared, person] }));
    const view = () => engine.view({ linkHash: link.slice(-40) });
    expect(unwrap(await view())).toHaveLength(2);
    unwrap(await engine.protect({ hash, ...note }));
    expect(unwrap(await view()).map(({ reportId }) => reportId)).toEqual([personal.reportId]);
    unwrap(await engine.protect({ hash: person.hash, ...note }));
    expect(await view()).toEqual(refused('not-found'));
  });

  it('teaches nothing of reporters', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    unwrap(await engine.protect({ hash, ...note }));
    const before = await engine.listStandings();
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft([shared]) }));
    clock.nowMs += 1000;
    unwrap(await engine.report({ apiKey: otherKey, ...draft([shared]) }));
    expect(await engine.listStandings()).toEqual(before);
    expect(await engine.recomputeTrust()).toEqual(before);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await engine.listStandings()).toEqual(before);
  });

  it('is named by its kind and its reason when the operator asks why, never by its hash', async () => {
    const { engine, apiKey } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft([shared, person]) }));
    unwrap(await engine.protect({ hash, by: 'Ada', reason: 'Our payment provider.', endsAt: START + HOUR }));
    const explained = unwrap(await engine.explain({ identifiers: [shared, person] }));
    expect(explained.protected).toEqual([{ kinds: ['domain'], reason: 'Our payment provider.', endsAt: START + HOUR }]);
    expect(explained.sentences).toContain(
      'An identifier (domain) is on the allow-list and was left out: Our payment provider.',
    );
    expect(explained.verdict.reported).toBe(1);
    // A reporter learns that, not why.
    const shown = unwrap(await engine.explainQuery({ apiKey, identifiers: [shared, person] })).explanation!;
    expect(shown.protected).toEqual([{ kinds: ['domain'], endsAt: START + HOUR }]);
    expect(shown.sentences).toContain('An identifier (domain) is on the allow-list and was left out.');
    expect(JSON.stringify(shown)).not.toContain('payment');
    expect(JSON.stringify(explained)).not.toContain(hash);
    expect(JSON.stringify(explained)).not.toContain(person.hash);
  });
});

describe('the end of a protection', () => {
  it('comes when it was said, to the millisecond', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft([shared]) }));
    const ask = async () => unwrap(await engine.query({ apiKey: otherKey, identifiers: [shared] }));
    const before = await ask();
    unwrap(await engine.protect({ hash, ...note, endsAt: START + HOUR }));
    clock.nowMs = START + HOUR - 1;
    expect((await ask()).reported).toBe(0);
    clock.nowMs = START + HOUR;
    expect(await ask()).toEqual(before);
    expect(await engine.unprotect({ hash, by: 'Ada' })).toEqual(refused('not-protected'));
    // And it may be put on the list again.
    expect((await engine.protect({ hash, ...note })).ok).toBe(true);
    expect((await ask()).reported).toBe(0);
    expect(await engine.listProtected()).toHaveLength(2);
  });

  it('comes when it is taken off the list: what was reported counts again', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const ask = async () => unwrap(await engine.query({ apiKey: otherKey, identifiers: [shared] }));
    unwrap(await engine.report({ apiKey, ...draft([shared]) }));
    const before = await ask();
    unwrap(await engine.protect({ hash, ...note }));
    clock.nowMs += 1000;
    expect(await engine.unprotect({ hash, by: 'Bob' })).toEqual({ ok: true, value: undefined });
    expect(await ask()).toEqual(before);
    // What was then said of then still holds.
    expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: [shared], asOf: START + 500 })).reported).toBe(0);
  });
});

describe('the record of the allow-list', () => {
  it('says who, when and why, of what has ended too', async () => {
    const { engine, clock } = await createTestEngine();
    unwrap(
      await engine.protect({ hash: hashOf(5), reason: ' A shop’s own address ', by: ' Ada ', endsAt: START + HOUR }),
    );
    clock.nowMs += 1000;
    unwrap(await engine.protect({ hash, ...note, by: 'Bob' }));
    clock.nowMs += 1000;
    unwrap(await engine.unprotect({ hash, by: 'Eve' }));
    expect(await engine.listProtected()).toEqual<Protection[]>([
      {
        hash,
        reason: 'Our payment provider',
        addedBy: 'Bob',
        addedAt: START + 1000,
        endsAt: START + 2000,
        endedBy: 'Eve',
      },
      {
        hash: hashOf(5),
        reason: 'A shop’s own address',
        addedBy: 'Ada',
        addedAt: START,
        endsAt: START + HOUR,
        endedBy: null,
      },
    ]);
  });
});

describe('what cannot be on the list', () => {
  it('is refused, and nothing changes', async () => {
    const { engine } = await createTestEngine();
    for (const wrong of ['', 'x', 'A'.repeat(40), 'a'.repeat(39), 'client@example.com', 7 as unknown as string]) {
      expect(await engine.protect({ hash: wrong, ...note })).toEqual(refused('invalid-hash'));
      expect(await engine.unprotect({ hash: wrong, by: 'Ada' })).toEqual(refused('invalid-hash'));
    }
    for (const by of ['', 'x'.repeat(81), 'a\tb', 'engine', undefined as unknown as string]) {
      expect(await engine.protect({ hash, reason: 'r', by })).toEqual(refused('invalid-name', { limitCharacters: 80 }));
      expect(await engine.unprotect({ hash, by })).toEqual(refused('invalid-name', { limitCharacters: 80 }));
    }
    for (const reason of [' ', 'x'.repeat(501), undefined as unknown as string]) {
      expect(await engine.protect({ hash, reason, by: 'Ada' })).toEqual(
        refused('invalid-note', { limitCharacters: 500 }),
      );
    }
    for (const endsAt of [START, START - 1, START + 0.5, Number.NaN])
      await expect(engine.protect({ hash, ...note, endsAt })).rejects.toThrow('"endsAt"');
    expect(await engine.unprotect({ hash, by: 'Ada' })).toEqual(refused('not-protected'));
    expect(await engine.listProtected()).toEqual([]);
    unwrap(await engine.protect({ hash, ...note }));
    expect(await engine.protect({ hash, ...note })).toEqual(refused('already-protected'));
    expect(await engine.listProtected()).toHaveLength(1);
  });
});
