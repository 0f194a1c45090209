import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toInput } from '../../src/sealed/encoding.ts';
import {
  blind,
  evaluate as evaluateBatch,
  invertScalar,
  multiply,
  unblind,
  verifyProof,
} from '../../src/sealed/group/voprf.ts';
import { NO_HISTORY } from '../../src/sealed/history.ts';
import { parseKeys, serialiseKeys } from '../../src/sealed/key-file.ts';
import {
  createKeys,
  destroyEpoch,
  epochKeyOf,
  epochPublicKeyOf,
  nextEpoch,
  scheduleOf,
  sequenceAt,
  withOpenEpoch,
  type SealedKeys,
} from '../../src/sealed/keys.ts';
import { refusal, seededRandom, toHex } from './group-samples.ts';
import { createTestEvaluator, toEpoch } from './test-evaluator.ts';

const DAY = 86_400_000;
const START = 1_800_000_000_000;
const HASH = 'e6046ea1e61328d5ad100fdf7507b841b5112932';
const hashes = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex);

const { access, secrets, sealHash } = createTestEvaluator();

/** Keys with this many epochs, made as early as possible. */
function keysOf(epochs: number, seed = 1): SealedKeys {
  const random = seededRandom(`keys ${seed}`);
  let keys = createKeys(access, START, random);
  while (keys.epochs.length < epochs) keys = nextEpoch(keys, START, random);
  return keys;
}

/** What a client learns: N of the VOPRF in two steps, under the key of the evaluator and that of an epoch. */
function evaluate(keys: SealedKeys, epoch: number, hash: string): Uint8Array {
  const random = seededRandom(`client ${hash}`);
  const own = blind(toInput(hash), random);
  const first = evaluateBatch(secrets.sealingKey, access.publicKey, [own.blinded], random);
  verifyProof(access.publicKey, [own.blinded], first);
  const publicKey = epochPublicKeyOf(keys, epoch);
  const last = evaluateBatch(epochKeyOf(keys, epoch), publicKey, first.evaluated, random);
  verifyProof(publicKey, first.evaluated, last);
  return unblind(own.blind, last.evaluated[0]!);
}

describe('the keys of a sealed store', () => {
  it('lead from the stored element to what a client evaluates, and back, in each epoch', () => {
    fc.assert(
      fc.property(hashes, fc.constantFrom(1, 2, 3), (hash, epoch) => {
        const keys = keysOf(3);
        const stored = sealHash(hash);
        const element = evaluate(keys, epoch, hash);
        expect(toEpoch(keys, epoch, stored)).toEqual(element);
        expect(multiply(invertScalar(epochKeyOf(keys, epoch)), element)).toEqual(stored);
      }),
      { numRuns: 15 },
    );
  });

  it('give another element in each epoch, and none of them is the stored one', () => {
    const keys = keysOf(3);
    const stored = sealHash(HASH);
    const all = [stored, ...[1, 2, 3].map((epoch) => toEpoch(keys, epoch, stored))].map(toHex);
    expect(new Set(all).size).toBe(4);
  });

  it('are the same for the same randomness', () => {
    expect(keysOf(3)).toEqual(keysOf(3));
    expect(keysOf(3)).not.toEqual(keysOf(3, 2));
  });

  it('have epochs of 30 days that overlap by 7', () => {
    const [first, second, third] = keysOf(3).epochs;
    expect([first!.number, second!.number, third!.number]).toEqual([1, 2, 3]);
    expect([first!.startsAt, first!.endsAt]).toEqual([START, START + 30 * DAY]);
    expect([second!.startsAt, second!.endsAt]).toEqual([START + 23 * DAY, START + 53 * DAY]);
    expect([third!.startsAt, third!.endsAt]).toEqual([START + 46 * DAY, START + 76 * DAY]);
  });

  it('have an epoch that begins now if the last one was over', () => {
    const late = nextEpoch(keysOf(1), START + 90 * DAY, seededRandom(2));
    expect(late.epochs[1]).toMatchObject({ startsAt: START + 90 * DAY, endsAt: START + 120 * DAY });
  });

  it.each<[string, number, number | undefined, number | undefined, number[], number[]]>([
    ['before the first', -1, undefined, 1, [], []],
    ['at the start', 0, 1, 2, [1], []],
    ['before the overlap', 23 * DAY - 1, 1, 2, [1], []],
    ['in the overlap', 23 * DAY, 1, 2, [1, 2], []],
    ['at the end of the first', 30 * DAY, 2, 3, [2], [1]],
    ['in the second overlap', 50 * DAY, 2, 3, [2, 3], [1]],
    ['in the last epoch', 60 * DAY, 3, undefined, [3], [1, 2]],
    ['after the last', 76 * DAY, undefined, undefined, [], [1, 2, 3]],
  ])('say which epochs count %s', (_, after, current, next, open, ended) => {
    const schedule = scheduleOf(keysOf(3).epochs, START + after);
    expect(schedule.current?.number).toBe(current);
    expect(schedule.next?.number).toBe(next);
    expect(schedule.open.map(({ number }) => number)).toEqual(open);
    expect(schedule.ended.map(({ number }) => number)).toEqual(ended);
    expect(schedule.destroyed).toEqual([]);
  });

  it('always have a current epoch if each is followed in time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 76 * DAY - 1 }), (after) => {
        const { current, open, next, ended } = scheduleOf(keysOf(3).epochs, START + after);
        expect(open[0]).toBe(current);
        expect(open.length).toBeLessThanOrEqual(2);
        if (open.length === 2) expect(open[1]).toBe(next);
        expect(ended.every(({ number }) => number < current!.number)).toBe(true);
      }),
    );
  });

  it('lose the secret of a destroyed epoch, and refuse to use it', () => {
    const keys = keysOf(3);
    const destroyed = destroyEpoch(keys, 1);
    expect(serialiseKeys(destroyed)).not.toContain(JSON.parse(serialiseKeys(keys)).epochs[0].key);
    expect(destroyed.epochs[0]).toEqual({ ...keys.epochs[0], key: null });
    expect(keys.epochs[0]!.key).toHaveLength(32);
    const stored = sealHash(HASH);
    for (const call of [
      () => epochKeyOf(destroyed, 1),
      () => epochPublicKeyOf(destroyed, 1),
      () => toEpoch(destroyed, 1, stored),
      () => destroyEpoch(destroyed, 1),
    ])
      expect(refusal(call)).toBe('epoch-destroyed');
    expect(refusal(() => epochKeyOf(keys, 4))).toBe('unknown-epoch');
    expect(refusal(() => destroyEpoch(keys, 0))).toBe('unknown-epoch');
  });

  it('take a destroyed epoch out of the schedule, also if it was current', () => {
    const { current, next, open, ended, destroyed } = scheduleOf(destroyEpoch(keysOf(3), 1).epochs, START + 25 * DAY);
    expect([current?.number, next?.number]).toEqual([2, 3]);
    expect([open, ended, destroyed].map((list) => list.map(({ number }) => number))).toEqual([[2], [], [1]]);
  });

  it('have an epoch that begins now, once those of a wrong clock are destroyed', () => {
    const random = seededRandom('a year ahead');
    const ahead = START + 365 * DAY;
    const made = createKeys(access, ahead, random);
    const published = {
      ...nextEpoch(keysOf(1), ahead, random),
      head: { sequence: sequenceAt(ahead), history: NO_HISTORY },
    };
    for (const keys of [made, published]) {
      const wrong = keys.epochs.filter(({ startsAt }) => startsAt > START);
      let right: SealedKeys = wrong.reduce<SealedKeys>((left, { number }) => destroyEpoch(left, number), keys);
      if (scheduleOf(right.epochs, START).current !== undefined) right = destroyEpoch(right, 1);
      right = withOpenEpoch(right, START, random);
      const current = scheduleOf(right.epochs, START).current!;
      expect(current).toMatchObject({ number: right.epochs.length, startsAt: START, endsAt: START + 30 * DAY });
      expect(parseKeys(serialiseKeys(right))).toEqual(right);
      // Its successor follows in time.
      const followed = withOpenEpoch(right, START + 23 * DAY, random);
      expect(followed.epochs.at(-1)).toMatchObject({ startsAt: START + 23 * DAY });
    }
  });

  it('have an epoch after the last one with a key, if a later one was destroyed', () => {
    const keys = nextEpoch(destroyEpoch(keysOf(2), 2), START, seededRandom(3));
    expect(keys.epochs.map(({ startsAt }) => startsAt)).toEqual([START, START + 23 * DAY, START + 23 * DAY]);
    expect(parseKeys(serialiseKeys(keys))).toEqual(keys);
  });
});

describe('the text of the keys', () => {
  it('reads back to the same keys', () => {
    for (const keys of [keysOf(1), keysOf(4), destroyEpoch(keysOf(2), 1)])
      expect(parseKeys(serialiseKeys(keys))).toEqual(keys);
    const head = { sequence: 0xffff_ffff, history: { ...NO_HISTORY, manifests: ['ab'.repeat(32)] } };
    expect(parseKeys(serialiseKeys({ ...keysOf(1), head }))).toEqual({ ...keysOf(1), head });
    for (const dueSince of [0, START])
      expect(parseKeys(serialiseKeys({ ...keysOf(1), dueSince }))).toEqual({ ...keysOf(1), dueSince });
    for (const dueSince of [-1, 0.5, 2 ** 53])
      expect(refusal(() => parseKeys(serialiseKeys({ ...keysOf(1), dueSince })))).toBe('malformed');
    for (const wrong of [
      { sequence: 2 ** 32 },
      { sequence: -1 },
      { history: { ...NO_HISTORY, link: '' } },
      { history: { ...NO_HISTORY, manifests: ['x'] } },
      { history: { ...NO_HISTORY, manifests: Array.from({ length: 129 }, () => 'ab'.repeat(32)) } },
    ])
      expect(refusal(() => parseKeys(serialiseKeys({ ...keysOf(1), head: { ...head, ...wrong } })))).toBe('malformed');
    expect(serialiseKeys(keysOf(1))).toMatch(/^\{"format":"redflag-sealed-keys\/3"[^\n]+\}\n$/);
  });

  it.each<[string, (text: string) => string]>([
    ['no line end', (text) => text.trim()],
    ['spaces', (text) => text.replace(':', ': ')],
    ['another version', (text) => text.replace('keys/3', 'keys/2')],
    ['a field more', (text) => text.replace('{', '{"a":1,')],
    ['a key more in an epoch', (text) => text.replace('"number":1', '"note":"","number":1')],
    ['an epoch left out', (text) => text.replace('"number":1', '"number":2')],
    ['a time that is no number', (text) => text.replace(/"startsAt":\d+/, '"startsAt":null')],
    ['an epoch that ends before it begins', (text) => text.replace(/"endsAt":\d+/, '"endsAt":1')],
    ['a key of zero', (text) => text.replace(/(\d,"key":)"[^"]+"/, `$1"${'A'.repeat(43)}"`)],
    ['a key that is not reduced', (text) => text.replace(/(\d,"key":)"[^"]+"/, `$1"${'_'.repeat(42)}8"`)],
    ['a short token', (text) => text.replace(/"token":"../, '"token":"')],
    ['a short public key', (text) => text.replace(/"publicKey":"../, '"publicKey":"')],
    ['a short signing key', (text) => text.replace(/(example","key":")../, '$1')],
    ['no address', (text) => text.replace(/"url":"[^"]+",/, '')],
    ['an address with a slash at its end', (text) => text.replace('.example"', '.example/"')],
    ['an address with a password', (text) => text.replace('https://', 'https://a:b@')],
    ['a field more', (text) => text.replace('"token"', '"note":"","token"')],
    ['no operator key', (text) => text.replace(/"operatorKey":"[^"]+"/, '"operatorKey":null')],
    ['nothing', () => ''],
    ['half of it', (text) => text.slice(0, text.length / 2)],
    ['another kind of JSON', () => '[]\n'],
  ])('with %s is refused, and the error repeats none of it', (_, change) => {
    const text = serialiseKeys(keysOf(2));
    const changed = change(text);
    expect(changed).not.toBe(text);
    expect(refusal(() => parseKeys(changed))).toBe('malformed');
    expect(() => parseKeys(changed)).toThrow(/^the sealed keys expected the file as it was written; restore a backup$/);
  });
});
