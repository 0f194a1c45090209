import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import {
  createSeededRandom,
  OFFENCE_TYPES,
  StoreUnavailableError,
  unwrap,
  type Identifier,
  type ReportDraft,
  type Store,
} from '../../src/index.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { createTestEngine, hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const email = (n: number): Identifier => ({ kind: 'email', hash: hashOf(n) });
const draft = (over: Partial<ReportDraft> = {}): ReportDraft => ({
  type: 'fraud',
  severity: 6,
  text: 'Paid with a stolen card',
  identifiers: [email(1)],
  ...over,
});
const EMPTY_HASH = '1419ad7330f8c784a57d9713a4f99fcbe66fdcea';
const refused = (reason: string, more: object = {}) => ({ ok: false, refusal: { reason, ...more } });

describe('report, query, view, remove', () => {
  it('goes the whole way', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    const receipt = unwrap(await engine.report({ apiKey, ...draft() }));
    expect(receipt).toEqual({
      reportId: expect.stringMatching(/^[0-9a-f]{16}$/),
      deletionCode: expect.stringMatching(/^[0-9a-f]{16}$/),
      duplicate: false,
    });

    const result = unwrap(await engine.query({ apiKey: otherKey, identifiers: [email(1), email(2)] }));
    expect(result).toEqual({
      points: 24,
      reported: 1,
      reliability: 7.1,
      link: expect.stringMatching(/^https:\/\/reports\.example\/report\/[0-9a-f]{40}$/),
    });
    const linkHash = result.link.slice(-40);
    expect(unwrap(await engine.view({ linkHash }))).toEqual([
      {
        reportId: receipt.reportId,
        type: 'fraud',
        severity: 6,
        text: 'Paid with a stolen card',
        createdAt: START,
        reporter: 'First Shop',
      },
    ]);

    expect(await engine.remove({ apiKey, deletionCode: receipt.deletionCode })).toEqual({ ok: true, value: undefined });
    expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: [email(1), email(2)] }))).toEqual({
      points: 0,
      reported: 0,
      reliability: 0,
      link: result.link,
    });
    expect(await engine.view({ linkHash })).toEqual(refused('not-found'));
  });

  it('stores nothing for a query that matches nothing, and its link works once the set matches', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store });
    // The first query of a reporter also counts against its budget.
    unwrap(await engine.query({ apiKey, identifiers: [email(2)] }));
    const before = store.export();
    const { link } = unwrap(await engine.query({ apiKey, identifiers: [email(1)] }));
    expect(Buffer.compare(store.export(), before)).toBe(0);
    expect(await engine.view({ linkHash: link.slice(-40) })).toEqual(refused('not-found'));
    await engine.report({ apiKey, ...draft() });
    expect(await engine.view({ linkHash: link.slice(-40) })).toEqual(refused('not-found'));
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] })).link).toBe(link);
    expect(unwrap(await engine.view({ linkHash: link.slice(-40) }))).toHaveLength(1);
  });

  it('gives one set one link in any order, and different sets different links', async () => {
    const { engine, apiKey } = await createTestEngine();
    const link = async (identifiers: Identifier[]) => unwrap(await engine.query({ apiKey, identifiers })).link;
    expect(await link([email(1), email(2)])).toBe(await link([email(2), email(1), email(2)]));
    expect(await link([email(1), email(2)])).not.toBe(await link([email(1)]));
    const elsewhere = await createTestEngine({ secret: 'another secret of sixteen bytes' });
    expect(unwrap(await elsewhere.engine.query({ apiKey: elsewhere.apiKey, identifiers: [email(1)] })).link).not.toBe(
      await link([email(1)]),
    );
  });

  it('shows reports newest first and no more than the bound, the only one of a reporter among them', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine({ bounds: { viewReports: 3 } });
    for (let n = 0; n < 4; n++) {
      clock.nowMs += 1000;
      unwrap(await engine.report({ apiKey: n === 0 ? otherKey : apiKey, ...draft({ text: `report ${n}` }) }));
    }
    const result = unwrap(await engine.query({ apiKey, identifiers: [email(1)] }));
    expect(result.reported).toBe(4);
    expect(unwrap(await engine.view({ linkHash: result.link.slice(-40) })).map((r) => r.text)).toEqual([
      'report 3',
      'report 2',
      'report 0',
    ]);
  });

  it('counts a voice once, however often it speaks (protocol 8: duplicates dilute)', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    for (const text of ['a', 'b', 'c']) unwrap(await engine.report({ apiKey, ...draft({ text }) }));
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] }))).toMatchObject({
      points: 24,
      reported: 3,
      reliability: 7.1,
    });
    unwrap(await engine.report({ apiKey: otherKey, ...draft() }));
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] }))).toMatchObject({
      points: 51,
      reported: 4,
      reliability: 8.5,
    });
  });

  it('takes the word of a reporter that is not verified for that of a new key', async () => {
    const { engine } = await createTestEngine();
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Unknown', verified: false }));
    const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
    unwrap(await engine.report({ apiKey, ...draft({ severity: 10 }) }));
    // At the usual threshold of the field (points 10, count 1, reliability 3.0) one such report does not block. This
    // is a deliberate choice.
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] }))).toMatchObject({
      points: 9,
      reported: 1,
      reliability: 1.7,
    });
  });
});

describe('retries', () => {
  it('stores the same request once and answers the same code, whatever the order of identifiers', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const both = draft({ identifiers: [email(1), email(2)] });
    const first = unwrap(await engine.report({ apiKey, ...both }));
    clock.nowMs += 23 * 3_600_000;
    expect(unwrap(await engine.report({ apiKey, ...both, identifiers: [email(2), email(1)] }))).toEqual({
      ...first,
      duplicate: true,
    });
    expect(unwrap(await engine.report({ apiKey: otherKey, ...both }))).toMatchObject({ duplicate: false });
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] })).reported).toBe(2);
    clock.nowMs += 2 * 3_600_000;
    expect(unwrap(await engine.report({ apiKey, ...both }))).toMatchObject({ duplicate: false });
  });

  it('stores it anew after it was deleted', async () => {
    const { engine, apiKey } = await createTestEngine();
    const first = unwrap(await engine.report({ apiKey, ...draft() }));
    unwrap(await engine.remove({ apiKey, deletionCode: first.deletionCode }));
    const second = unwrap(await engine.report({ apiKey, ...draft() }));
    expect(second.duplicate).toBe(false);
    expect(second.deletionCode).not.toBe(first.deletionCode);
  });

  it('stores it once when both arrive at the same moment', async () => {
    const { engine, apiKey } = await createTestEngine();
    const receipts = await Promise.all(
      Array.from({ length: 10 }, () => engine.report({ apiKey, ...draft() }).then(unwrap)),
    );
    expect(new Set(receipts.map((r) => r.deletionCode)).size).toBe(1);
    expect(receipts.filter((r) => !r.duplicate)).toHaveLength(1);
  });
});

describe('deletion', () => {
  it('tells only the owner that a report was deleted; everyone else hears what a stranger hears', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft() }));
    expect(await engine.remove({ apiKey: otherKey, deletionCode })).toEqual(refused('unknown-code'));
    expect(await engine.remove({ apiKey, deletionCode: 'ffffffffffffffff' })).toEqual(refused('unknown-code'));
    expect(await engine.remove({ apiKey, deletionCode: 'short' })).toEqual(refused('invalid-code'));
    expect((await engine.remove({ apiKey, deletionCode: deletionCode.toUpperCase() })).ok).toBe(true);
    expect(await engine.remove({ apiKey, deletionCode })).toEqual(refused('already-deleted'));
    expect(await engine.remove({ apiKey: otherKey, deletionCode })).toEqual(refused('unknown-code'));
  });

  it('undoes a submission exactly: every later answer is what it was before', async () => {
    const identifiers = fc
      .uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
      .map((ns) => ns.map(email));
    await fc.assert(
      fc.asyncProperty(fc.array(identifiers, { maxLength: 4 }), identifiers, async (others, mine) => {
        const { engine, apiKey, otherKey } = await createTestEngine();
        for (const [n, set] of others.entries())
          unwrap(await engine.report({ apiKey: otherKey, ...draft({ identifiers: set, text: `t${n}` }) }));
        const ask = () =>
          Promise.all(
            [1, 2, 3, 4].map(async (n) =>
              unwrap(await engine.query({ apiKey, identifiers: [email(n), email((n % 4) + 1)] })),
            ),
          );
        const before = await ask();
        const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft({ identifiers: mine, severity: 10 }) }));
        unwrap(await engine.remove({ apiKey, deletionCode }));
        expect(await ask()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});

describe('bounds (protocol 8)', () => {
  it.each([
    ['a type that is not on the list', { type: 'nonsense' }, refused('invalid-type')],
    ['severity 0', { severity: 0 }, refused('invalid-severity')],
    ['severity 11', { severity: 11 }, refused('invalid-severity')],
    ['severity 5.5', { severity: 5.5 }, refused('invalid-severity')],
    ['severity NaN', { severity: Number.NaN }, refused('invalid-severity')],
    ['no text', { text: '' }, refused('invalid-text', { limitCharacters: 2000, characters: 0 })],
    ['blank text', { text: ' \n\t ' }, refused('invalid-text', { limitCharacters: 2000, characters: 0 })],
    ['text of 2,001', { text: 'x'.repeat(2001) }, refused('invalid-text', { limitCharacters: 2000, characters: 2001 })],
    [
      'text of 2,001 astral characters',
      { text: '👩'.repeat(2001) },
      refused('invalid-text', { limitCharacters: 2000, characters: 2001 }),
    ],
    ['a NUL in the text', { text: '👩a\0b' }, refused('invalid-text', { limitCharacters: 2000, at: 3 })],
    ['half a surrogate pair', { text: 'a\ud800b' }, refused('invalid-text', { limitCharacters: 2000, at: 2 })],
    ['a number as text', { text: 7 as never }, refused('invalid-text', { limitCharacters: 2000 })],
    ['no identifier', { identifiers: [] }, refused('no-identifier')],
    [
      'only the hash of the empty string',
      { identifiers: [{ kind: 'email', hash: EMPTY_HASH }] },
      refused('no-identifier'),
    ],
    [
      'a raw e-mail',
      { identifiers: [{ kind: 'email', hash: 'john@example.com' }] },
      refused('invalid-identifier', { field: 'email' }),
    ],
    [
      'an MD5',
      { identifiers: [{ kind: 'email', hash: 'a'.repeat(32) }] },
      refused('invalid-identifier', { field: 'email' }),
    ],
    ['a kind with a space', { identifiers: [{ kind: 'e mail', hash: hashOf(1) }] }, refused('invalid-field-name')],
    [
      '33 identifiers',
      { identifiers: Array.from({ length: 33 }, (_, n) => email(n)) },
      refused('too-many-identifiers', { limit: 32 }),
    ],
  ])('refuses %s and stores nothing', async (_, over, answer) => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store });
    expect(await engine.report({ apiKey, ...draft(over) })).toEqual(answer);
    expect((await store.count()).reports).toBe(0);
  });

  it('takes what lies on the bounds', async () => {
    const { engine, apiKey } = await createTestEngine();
    const identifiers = Array.from({ length: 32 }, (_, n) => email(n));
    for (const text of ['x', 'x'.repeat(2000), '👩'.repeat(2000)]) {
      for (const severity of [1, 10])
        expect((await engine.report({ apiKey, ...draft({ text, severity, identifiers }) })).ok).toBe(true);
    }
  });

  it('lowers upper-case hex and leaves the hash of the empty string out', async () => {
    const { engine, apiKey } = await createTestEngine();
    unwrap(
      await engine.report({
        apiKey,
        ...draft({
          identifiers: [
            { kind: 'email', hash: hashOf(0xabc).toUpperCase() },
            { kind: 'phone', hash: EMPTY_HASH },
          ],
        }),
      }),
    );
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(0xabc)] })).reported).toBe(1);
    expect(await engine.query({ apiKey, identifiers: [{ kind: 'phone', hash: EMPTY_HASH }] })).toEqual(
      refused('no-identifier'),
    );
  });

  it('takes all default offence types', async () => {
    const { engine, apiKey } = await createTestEngine();
    const types = (
      'chargeback fraud phishing spam scam abuse hacking malware copyright identity_theft stolen_card nonpayment ' +
      'refund_abuse account_takeover disposable other'
    ).split(' ');
    expect(OFFENCE_TYPES).toEqual(types);
    for (const type of types) expect((await engine.report({ apiKey, ...draft({ type }) })).ok, type).toBe(true);
    for (const type of ['', 'Fraud', 'fraud ', 'constructor', 'refund-abuse'])
      expect(await engine.report({ apiKey, ...draft({ type }) }), type).toEqual(refused('invalid-type'));
  });

  it('takes another operator’s empty hash and offence types', async () => {
    const { engine, apiKey } = await createTestEngine({ emptyHash: hashOf(7), offenceTypes: ['late_return'] });
    expect(await engine.query({ apiKey, identifiers: [email(7)] })).toEqual(refused('no-identifier'));
    expect((await engine.report({ apiKey, ...draft({ type: 'late_return' }) })).ok).toBe(true);
    expect(await engine.report({ apiKey, ...draft() })).toEqual(refused('invalid-type'));
  });
});

describe('a report that shares several identifiers with a query', () => {
  it('is evidence for each of them, and for a hash sent under two kinds once, at the greater weight', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    const phone = { kind: 'phone', hash: hashOf(2) };
    const ip = { kind: 'ip', hash: hashOf(3) };
    unwrap(await engine.report({ apiKey, ...draft({ identifiers: [email(1), phone, ip] }) }));
    const weights = async (...identifiers: Identifier[]) => {
      const { explanation } = unwrap(await engine.explainQuery({ apiKey: otherKey, identifiers }));
      return explanation!.identifiers.map(({ kind, weight }) => [kind, weight]).sort();
    };
    const [byEmail, byPhone, byIp] = [
      ['email', 0.97],
      ['phone', 0.7],
      ['ip', 0.1],
    ];
    expect(await weights(phone)).toEqual([byPhone]);
    expect(await weights(email(1), phone, ip)).toEqual([byEmail, byIp, byPhone]);
    for (const twice of [
      [email(1), { ...email(1), kind: 'ip' }],
      [{ ...email(1), kind: 'ip' }, email(1)],
    ])
      expect(await weights(...twice, phone)).toEqual([byEmail, byPhone]);
  });
});

describe('kinds (protocol 2.3)', () => {
  it('match by hash whatever the name, at the weaker of the two weights', async () => {
    const { engine, apiKey } = await createTestEngine();
    unwrap(
      await engine.report({
        apiKey,
        ...draft({ severity: 10, identifiers: [{ kind: 'paypalemail', hash: hashOf(1) }] }),
      }),
    );
    unwrap(
      await engine.report({ apiKey, ...draft({ severity: 10, identifiers: [{ kind: 'email', hash: hashOf(2) }] }) }),
    );
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] })).points).toBe(15);
    expect(unwrap(await engine.query({ apiKey, identifiers: [{ kind: 'ip', hash: hashOf(2) }] })).points).toBe(3);
    expect(
      unwrap(await engine.query({ apiKey, identifiers: [email(2), { kind: 'ip', hash: hashOf(2) }] })).points,
    ).toBe(29);
  });

  it('of one hash are few, whatever names a reporter invents; known ones are always kept', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store });
    const report = (kinds: readonly string[], text: string) =>
      engine.report({ apiKey, ...draft({ text, identifiers: kinds.map((kind) => ({ kind, hash: hashOf(1) })) }) });
    for (let n = 0; n < 12; n++) {
      const invented = Array.from({ length: 31 }, (_, at) => `k${n}_${at}x`);
      expect(await report([...invented, 'phone'], `text ${n}`)).toMatchObject({
        ok: true,
        value: { duplicate: false },
      });
      expect(await report([...invented, 'phone'], `text ${n}`)).toMatchObject({ ok: true, value: { duplicate: true } });
    }
    unwrap(await report(['email', 'ip', 'domain', 'x'], 'the last one'));
    const kinds = new Set((await store.findMatches([hashOf(1)])).map(({ kind }) => kind));
    expect(kinds.size).toBe(32 + 5);
    for (const kind of ['email', 'phone', 'domain', 'ip', 'other']) expect(kinds).toContain(kind);
    expect(kinds).not.toContain('x');
  });

  it('match only under the same name when the operator says so, in query and view', async () => {
    const { engine, apiKey } = await createTestEngine({ matchKinds: 'exact' });
    unwrap(await engine.report({ apiKey, ...draft({ identifiers: [{ kind: 'phone', hash: hashOf(1) }] }) }));
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] })).reported).toBe(0);
    const { reported, link } = unwrap(
      await engine.query({ apiKey, identifiers: [{ kind: 'phone', hash: hashOf(1) }] }),
    );
    expect(reported).toBe(1);
    expect(unwrap(await engine.view({ linkHash: link.slice(-40) }))).toHaveLength(1);
  });
});

describe('offline test mode', () => {
  it('gives the same bytes for the same inputs, clock and seed', async () => {
    const run = async () => {
      const store = await createMemoryStore();
      const { engine, apiKey, otherKey, clock } = await createTestEngine({ store });
      const replies: unknown[] = [apiKey, otherKey];
      for (let n = 0; n < 30; n++) {
        clock.nowMs += 3_600_000;
        replies.push(
          await engine.report({
            apiKey: n % 3 ? apiKey : otherKey,
            ...draft({ identifiers: [email(n % 5), email(n % 7)], text: `t${n % 11}` }),
          }),
        );
        replies.push(await engine.query({ apiKey, identifiers: [email(n % 4)] }));
      }
      return { replies, bytes: Buffer.from(store.export()).toString('base64') };
    };
    expect(await run()).toEqual(await run());
  });
});

describe('links', () => {
  it('keep of a set only what matched, and gain what matches when the set is asked again', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store });
    unwrap(await engine.report({ apiKey, ...draft() }));
    const set = [email(1), email(2), email(3)];
    const linkHash = unwrap(await engine.query({ apiKey, identifiers: set })).link.slice(-40);
    expect(await store.findLink(linkHash)).toEqual([email(1)]);
    for (const n of [2, 3]) expect(Buffer.from(store.export()).includes(Buffer.from(hashOf(n), 'hex'))).toBe(false);
    unwrap(await engine.report({ apiKey, ...draft({ identifiers: [email(2)] }) }));
    expect(unwrap(await engine.view({ linkHash }))).toHaveLength(1);
    expect(unwrap(await engine.query({ apiKey, identifiers: set })).link.slice(-40)).toBe(linkHash);
    expect(unwrap(await engine.view({ linkHash }))).toHaveLength(2);
  });

  it('are bounded for one identifier, however many sets are asked with it', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store, bounds: { linksPerIdentifier: 5 } });
    unwrap(await engine.report({ apiKey, ...draft() }));
    for (let n = 10; n < 40; n++) unwrap(await engine.query({ apiKey, identifiers: [email(1), email(n)] }));
    expect((await store.count()).links).toBe(5);
  });
});

describe('a store that takes no writes', () => {
  it('is asked all the same; only the link leads nowhere until the set is asked again', async () => {
    const inner = await createMemoryStore();
    const state = { refuses: false };
    const store: Store = {
      ...inner,
      putLink: (...args) =>
        state.refuses ? Promise.reject(new StoreUnavailableError('disk full')) : inner.putLink(...args),
    };
    const { engine, apiKey } = await createTestEngine({ store });
    unwrap(await engine.report({ apiKey, ...draft() }));
    state.refuses = true;
    const asked = unwrap(await engine.query({ apiKey, identifiers: [email(1)] }));
    expect(asked.reported).toBe(1);
    expect((await inner.count()).links).toBe(0);
    state.refuses = false;
    expect(unwrap(await engine.query({ apiKey, identifiers: [email(1)] }))).toEqual(asked);
    expect((await inner.count()).links).toBe(1);
  });
});

describe('offline test mode, continued', () => {
  it('goes on with a store that an earlier run with the same seed has filled', async () => {
    const first = await createMemoryStore();
    await createTestEngine({ store: first });
    const again = createEngine({
      store: await createSqljsStore({ bytes: first.export() }),
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      random: createSeededRandom('test'),
    });
    expect((await again.createReporter({ name: 'Third Shop' })).ok).toBe(true);
  });

  it('fails clearly when its source gives the same bytes again and again', async () => {
    const { engine, apiKey } = await createTestEngine({ random: countedRandom() });
    expect((await engine.report({ apiKey, ...draft() })).ok).toBe(true);
    await expect(engine.report({ apiKey, ...draft({ text: 'another' }) })).rejects.toThrow('"random"');
  });
});

/** Fresh bytes for reporters and keys, then always the same. */
function countedRandom(): (byteCount: number) => Uint8Array {
  let left = 6;
  return (byteCount) => new Uint8Array(byteCount).fill(left > 0 ? left-- : 0);
}
