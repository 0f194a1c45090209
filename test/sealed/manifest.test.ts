import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import type { JsonObject } from '../../src/sealed/json.ts';
import { checksum } from '../../src/sealed/byte-hashes.ts';
import { fromHex, toBase64Url } from '../../src/sealed/encoding.ts';
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import { joinBytes } from '../../src/sealed/group/hash-to-group.ts';
import { headAfter, linksOf, markOf, type Mark } from '../../src/sealed/history.ts';
import { parseManifest, type Manifest } from '../../src/sealed/manifest-format.ts';
import {
  CLOCK_TOLERANCE_MS,
  createOperatorKey,
  operatorPublicKey,
  signManifest,
  signMark,
  verifyManifest,
  type VerifyOptions,
} from '../../src/sealed/manifest.ts';
import { bytesOf, refusal, seededRandom, toHex } from './group-samples.ts';

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;
const keyOf = (name: string): string => toBase64Url(seededRandom(name)(32));
const sumOf = (name: string): string => checksum(bytesOf(name));
/** The SHA-256 of two others, one after the other. */
const joined = (left: string, right: string): string => checksum(fromHex(left + right)!);

await loadSodium();
const secretKey = createOperatorKey(seededRandom('operator'));
const operatorKey = operatorPublicKey(secretKey);
const evaluatorSecret = createOperatorKey(seededRandom('evaluator'));
const evaluatorKey = operatorPublicKey(evaluatorSecret);
const bytesOfKey = (name: string): Uint8Array => seededRandom(name)(32);
const evaluator = { key: toBase64Url(evaluatorKey), publicKey: toBase64Url(bytesOfKey('pk0')) };

const content: Omit<Manifest, 'operatorKey'> = {
  evaluator,
  sequence: 12,
  history: { link: sumOf('link 9'), manifests: [sumOf('manifest 10'), sumOf('manifest 11')] },
  issuedAt: NOW - HOUR,
  expiresAt: NOW + 47 * HOUR,
  epoch: { number: 3, publicKey: keyOf('epoch 3'), endsAt: NOW + 100 * HOUR },
  next: { number: 4, publicKey: keyOf('epoch 4'), startsAt: NOW + 50 * HOUR },
  destroyed: [1, 2],
  rows: 1000,
  snapshot: sumOf('snapshot'),
  salt: keyOf('salt'),
  model: { name: 'link-claim/7', constants: LINK_CLAIM_CONSTANTS as unknown as JsonObject },
  matchKinds: 'any',
  kinds: ['email', 'ip', 'phone'],
  types: ['chargeback', 'fraud'],
};
const { bytes, signature } = countersigned();
const verify = (given = { bytes, signature }, more: Partial<VerifyOptions> = {}) =>
  verifyManifest(given.bytes, given.signature, { operatorKey, now: NOW, ...more });
const signed = (changed: Partial<Manifest>) => countersigned({ changed });

/** A manifest with both signatures. The evaluator may sign something else than it should. */
function countersigned({
  secret = evaluatorSecret,
  publicKey = bytesOfKey('pk0'),
  mark = {} as Partial<Mark>,
  changed = {} as Partial<Manifest>,
  signingKey = secretKey,
} = {}) {
  const whole = { ...content, ...changed };
  const own = signManifest(whole, signingKey);
  const right = markOf(headAfter(whole, own.bytes));
  return {
    bytes: own.bytes,
    signature: joinBytes([own.signature, signMark(secret, publicKey, { ...right, ...mark })]),
  };
}

/** Signs any bytes as a manifest of the operator, to test what a valid signature does not excuse. */
async function signText(text: string) {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const signature = ed25519.sign(bytesOf(text), secretKey);
  return { bytes: bytesOf(text), signature: joinBytes([signature, signature]) };
}

describe('a manifest', () => {
  it('is returned as it was signed, with what to remember', () => {
    expect(verify()).toEqual({
      manifest: { ...content, operatorKey: toBase64Url(operatorKey) },
      seen: {
        sequence: 12,
        link: joined(joined(joined(sumOf('link 9'), sumOf('manifest 10')), sumOf('manifest 11')), checksum(bytes)),
        epochKey: content.epoch.publicKey,
        epochEndsAt: content.epoch.endsAt,
      },
    });
  });

  it('has the same bytes and signature each time', () => {
    expect(signManifest(content, secretKey)).toEqual({ bytes, signature: signature.slice(0, 64) });
    expect(signature).toHaveLength(128);
  });

  it('has the signature that the platform verifies', async () => {
    const key = await crypto.subtle.importKey('raw', operatorKey.slice(), 'Ed25519', false, ['verify']);
    expect(await crypto.subtle.verify('Ed25519', key, signature.slice(0, 64), bytes.slice())).toBe(true);
  });

  it('with any changed byte, or another signature, is refused', () => {
    for (let at = 0; at < bytes.length; at += 17) {
      const broken = bytes.slice();
      broken[at]! ^= 1 << (at % 8);
      expect(
        refusal(() => verify({ bytes: broken, signature })),
        `byte ${at}`,
      ).toBe('bad-signature');
    }
    for (let bit = 0; bit < 512; bit += 5) {
      const broken = signature.slice();
      broken[bit >> 3]! ^= 1 << (bit & 7);
      expect(
        refusal(() => verify({ bytes, signature: broken })),
        `bit ${bit}`,
      ).toBe('bad-signature');
    }
    for (const other of [signature.slice(1), new Uint8Array(64), new Uint8Array(0)])
      expect(refusal(() => verify({ bytes, signature: other }))).toBe('bad-signature');
    expect(refusal(() => verify({ bytes: new Uint8Array(0), signature }))).toBe('bad-signature');
  });

  it('of another operator is refused, and so is one that only names another', () => {
    const stranger = createOperatorKey(seededRandom('stranger'));
    expect(refusal(() => verify(countersigned({ signingKey: stranger })))).toBe('bad-signature');
    const named = bytesOf(new TextDecoder().decode(bytes).replace(toBase64Url(operatorKey), keyOf('x')));
    expect(refusal(() => verify({ bytes: named, signature }))).toBe('bad-signature');
    expect(refusal(() => verify(undefined, { operatorKey: operatorKey.slice(1) }))).toBe('bad-signature');
  });

  it('of another evaluator than the expected one is refused', () => {
    expect(verify(undefined, { evaluatorKey }).manifest.evaluator).toEqual(evaluator);
    expect(refusal(() => verify())).toBe('none');
    const other = createOperatorKey(seededRandom('other evaluator'));
    const replaced = countersigned({
      secret: other,
      changed: { evaluator: { ...evaluator, key: toBase64Url(operatorPublicKey(other)) } },
    });
    // Without the evaluator's key, a client cannot tell.
    expect(refusal(() => verify(replaced))).toBe('none');
    expect(() => verify(replaced, { evaluatorKey })).toThrow('names another evaluator');
    expect(refusal(() => verify(replaced, { evaluatorKey }))).toBe('bad-evaluator-signature');
  });

  it('that its evaluator has not signed as it is, is refused, whether or not the client knows the evaluator', () => {
    const good = countersigned();
    const [own, theirs] = [good.signature.slice(0, 64), good.signature.slice(64)];
    const flipped = theirs.slice();
    flipped[40]! ^= 1;
    const wrong: [string, { bytes: Uint8Array; signature: Uint8Array }][] = [
      ['no signature', { bytes: good.bytes, signature: own }],
      ['a changed signature', { bytes: good.bytes, signature: joinBytes([own, flipped]) }],
      ['a short one', { bytes: good.bytes, signature: good.signature.slice(0, 127) }],
      ['a byte more', { bytes: good.bytes, signature: joinBytes([good.signature, new Uint8Array(1)]) }],
      ["the operator's own", { bytes: good.bytes, signature: joinBytes([own, own]) }],
      ['that of the operator in its place', countersigned({ secret: secretKey })],
      ['one for another link', countersigned({ mark: { link: sumOf('x') } })],
      ['one for another sequence', countersigned({ mark: { sequence: 13 } })],
      ['one for another multiplication key', countersigned({ publicKey: bytesOfKey('other pk0') })],
    ];
    for (const [what, given] of wrong)
      for (const more of [{}, { evaluatorKey }])
        expect(
          refusal(() => verify(given, more)),
          what,
        ).toBe('bad-evaluator-signature');
    for (const what of [{ key: evaluator.key }, { ...evaluator, more: 1 }, evaluator.key, {}, null])
      expect(() => signed({ evaluator: what as unknown as Manifest['evaluator'] })).toThrow('fields in their ranges');
  });

  it('expires after 48 hours and at the end of its epoch', () => {
    expect(refusal(() => verify(undefined, { now: content.expiresAt - 1 }))).toBe('none');
    expect(refusal(() => verify(undefined, { now: content.expiresAt }))).toBe('expired');
    const ending = signed({ epoch: { ...content.epoch, endsAt: NOW } });
    expect(refusal(() => verify(ending, { now: NOW - 1 }))).toBe('none');
    expect(refusal(() => verify(ending))).toBe('expired');
  });

  it('from the future is refused beyond the tolerance of clocks', () => {
    expect(refusal(() => verify(undefined, { now: content.issuedAt - CLOCK_TOLERANCE_MS }))).toBe('none');
    expect(refusal(() => verify(undefined, { now: content.issuedAt - CLOCK_TOLERANCE_MS - 1 }))).toBe(
      'issued-in-future',
    );
  });

  it('that goes back, replaces one of the same sequence, or does not continue the last one, is refused', () => {
    const { seen } = verify();
    const after = headAfter(content, bytes).history;
    expect(verify(undefined, { lastSeen: seen }).seen).toEqual(seen);
    expect(refusal(() => verify(signed({ sequence: 11 }), { lastSeen: seen }))).toBe('rollback');
    expect(refusal(() => verify(signed({ rows: 4 }), { lastSeen: seen }))).toBe('fork');
    expect(refusal(() => verify(signed({ sequence: 13 }), { lastSeen: seen }))).toBe('fork');
    // The sequence alone says which one is later: the clock of the operator may have been wrong.
    const earlier = { issuedAt: NOW - 2 * HOUR, expiresAt: NOW + 46 * HOUR };
    const later = signed({ sequence: 13, history: after, ...earlier });
    expect(verify(later, { lastSeen: seen }).seen.sequence).toBe(13);
    expect(refusal(() => verify(undefined, { lastSeen: verify(later).seen }))).toBe('rollback');
    const { link } = verify(signed({ rows: 4 })).seen;
    expect(refusal(() => verify(signed({ rows: 4 }), { lastSeen: seen, acceptLink: link }))).toBe('none');
    expect(refusal(() => verify(signed({ rows: 3 }), { lastSeen: seen, acceptLink: link }))).toBe('fork');
  });

  it('lists 128 manifests before it, and joins older ones into one link', () => {
    let head = headAfter(content, bytes);
    const { link } = verify().seen;
    for (let sequence = 13; sequence < 141; sequence++) {
      const next = signed({ sequence, history: head.history });
      expect(
        refusal(() => verify(next, { lastSeen: verify().seen })),
        `${sequence}`,
      ).toBe('none');
      head = headAfter({ ...content, sequence, history: head.history }, next.bytes);
    }
    expect(head.history.manifests).toHaveLength(128);
    expect(head.history.link).toBe(link);
    expect(head.history.link).toBe(linksOf(head.history)[0]);
    head = headAfter({ ...content, history: head.history }, bytes);
    expect(linksOf(head.history)).not.toContain(link);
  });

  it('that is signed but in another form, or of another version, is refused', async () => {
    const text = new TextDecoder().decode(bytes);
    const texts = [
      text.replace('{', '{ '),
      text.replace('redflag-sealed/4', 'redflag-sealed/1'),
      text.replace('"rows":1000', '"rows":1e3'),
      text.replace('"rows":1000', '"rows":1000,"rows":1000'),
      text.replace('"rows":1000,', ''),
      text.replace('"types"', '"unknown":0,"types"'),
      text.replace(toBase64Url(operatorKey), keyOf('another')),
      '{}',
      'null',
      '',
    ];
    for (const wrong of texts) {
      expect(wrong).not.toBe(text);
      const forged = await signText(wrong);
      expect(
        refusal(() => verify(forged)),
        wrong.slice(0, 40),
      ).toBe('malformed');
    }
  });

  // Who answers in place of the service needs no key for these: they are read to say who signed.
  it('a long or deep one of a stranger has no signature, and is no error of the program', () => {
    const text = new TextDecoder().decode(bytes);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const forgeries = [
      text.replace(toBase64Url(operatorKey), 'A'.repeat(250_000)),
      text.replace('"constants":{', `"constants":{"x":${deep},`),
    ];
    for (const wrong of forgeries)
      expect(refusal(() => verify({ bytes: bytesOf(wrong), signature }))).toBe('bad-signature');
  });

  it.each<[string, Partial<Manifest>]>([
    ['a sequence out of range', { sequence: 2 ** 32 }],
    ['a link that is no checksum', { history: { ...content.history, link: '' } }],
    ['129 manifests in the history', { history: { ...content.history, manifests: Array(129).fill(sumOf('x')) } }],
    ['an epoch that has not begun', { epoch: { ...content.epoch, endsAt: NOW - HOUR + 30 * 24 * HOUR + 1 } }],
    ['a validity other than 48 hours', { expiresAt: NOW + 48 * HOUR }],
    ['a time that is not whole', { issuedAt: NOW - 0.5, expiresAt: NOW + 48 * HOUR - 0.5 }],
    ['an epoch key of 31 bytes', { epoch: { ...content.epoch, publicKey: toBase64Url(new Uint8Array(31)) } }],
    ['a next epoch that is not later', { next: { ...content.next!, number: 3 } }],
    ['one key for both epochs', { next: { ...content.next!, publicKey: content.epoch.publicKey } }],
    ['a destroyed current epoch', { destroyed: [1, 2, 3] }],
    ['destroyed epochs out of order', { destroyed: [2, 1] }],
    ['negative rows', { rows: -1 }],
    ['a checksum in capitals', { snapshot: sumOf('snapshot').toUpperCase() }],
    ['a salt of 31 bytes', { salt: toBase64Url(new Uint8Array(31)) }],
    ['a model without a name', { model: { name: '', constants: {} } }],
    ['constants that are a list', { model: { name: 'x', constants: [] as unknown as JsonObject } }],
    ['another way to match kinds', { matchKinds: 'some' as 'any' }],
    ['a kind with a number', { kinds: ['email2'] }],
    ['64 types', { types: Array.from({ length: 64 }, (_, n) => `type${n}`) }],
  ])('is not signed with %s', (_, wrong) => {
    expect(() => signed(wrong)).toThrow('the manifest expected fields in their ranges');
  });

  it('may lack a next epoch and rows', () => {
    const least = { next: null, destroyed: [], rows: 0, kinds: [], types: [] };
    expect(verify(signed(least)).manifest).toMatchObject(least);
  });

  it('of any bytes never makes the parser fail', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytesOf)), (any) => {
        expect(parseManifest(any)).toBe(undefined);
      }),
    );
  });

  it('keeps the constants of the model to the last digit', () => {
    expect(verify().manifest.model.constants).toEqual(LINK_CLAIM_CONSTANTS);
  });

  it('never changes its form between versions of the package', () => {
    expect(toHex(signManifest({ ...content, model: { name: 'x', constants: {} } }, secretKey).signature)).toBe(
      '1b2dc0518990d39a1c5f57bbd4db2064a043a0c58080918e7482ff7e285137586a94c27c998317ccde53db8e1d1ad851b78de3047b6859956f3f50bf13af0e0c',
    );
  });
});
