import { key, reporter } from '../contract/stored.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap, type RateLimit } from '../../src/index.ts';
import { addressBucket, createThrottle, type Throttle } from '../../src/core/engine/limits.ts';
import { createSharedThrottle } from '../../src/stores/shared/throttle.ts';
import { createTestEngine, hashOf } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import type { TokensRequest } from '../../src/core/store/records.ts';

const limit: RateLimit = { name: 'viewer', requests: 3, windowSeconds: 60 };

/** A throttle of addresses in memory, whose time is an argument. */
function throttleOf({ requests = 3 } = {}, most?: number) {
  const time = { nowMs: 0 };
  const throttle = createThrottle({ ...limit, requests }, () => time.nowMs, most);
  return {
    size: throttle.size,
    take(who: string, nowMs: number) {
      time.nowMs = nowMs;
      return throttle.take(who);
    },
  };
}

describe('token bucket', () => {
  it('lets the burst through, then one each time a token has come back', () => {
    const throttle = throttleOf();
    for (let n = 0; n < 3; n++) expect(throttle.take('a', 1000).ok).toBe(true);
    expect(throttle.take('a', 1000)).toEqual({
      ok: false,
      refusal: { reason: 'limited', limit, retryAfterSeconds: 20 },
    });
    expect(throttle.take('b', 1000).ok).toBe(true);
    expect(throttle.take('a', 20_999).ok).toBe(false);
    expect(throttle.take('a', 21_001).ok).toBe(true);
    expect(throttle.take('a', 21_001).ok).toBe(false);
  });

  it('never lets more through than the burst and what came back, and waiting as told always helps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 60 }), (gaps) => {
        const throttle = throttleOf();
        let now = 0;
        let passed = 0;
        for (const gap of gaps) {
          now += gap;
          const outcome = throttle.take('a', now);
          if (outcome.ok) passed++;
          else {
            const refusal = outcome.refusal as { retryAfterSeconds: number };
            now += refusal.retryAfterSeconds * 1000;
            expect(throttle.take('a', now).ok).toBe(true);
            passed++;
          }
        }
        expect(passed).toBeLessThanOrEqual(3 + now / 20_000 + 1e-6);
      }),
      { numRuns: 500 },
    );
  });

  it('survives a clock that is set back', () => {
    const throttle = throttleOf();
    throttle.take('a', 100_000);
    expect(throttle.take('a', 0).ok).toBe(true);
    expect(throttle.take('a', 0).ok).toBe(true);
    expect(throttle.take('a', 0).ok).toBe(false);
  });

  it('forgets the one unseen for longest when it is full, and only that one', () => {
    const throttle = throttleOf({ requests: 1 }, 2);
    throttle.take('a', 0);
    throttle.take('b', 0);
    expect(throttle.take('a', 0).ok).toBe(false);
    throttle.take('c', 0);
    expect(throttle.take('a', 0).ok).toBe(false);
    expect(throttle.take('b', 0).ok).toBe(true);
  });

  it('remembers a bounded number of addresses, however many there are', () => {
    const throttle = throttleOf({}, 1_000);
    for (let n = 0; n < 20_000; n++) expect(throttle.take(`192.0.${n >> 8}.${n & 255}`, n).ok).toBe(true);
    expect(throttle.size()).toBe(1_000);
  });
});

describe('the bucket of a reporter', () => {
  const minute = { name: 'query', requests: 40, windowSeconds: 60 } as const;
  const found = (reporterId: string) => ({
    key: key(1, { reporterId }),
    reporter: reporter(1, { reporterId, name: reporterId }),
  });
  /** A throttle in memory, and those of three processes on one store. */
  const kinds = {
    memory: (monotonic: () => number) => [createThrottle(minute, monotonic)],
    shared: (monotonic: () => number) => {
      const shared = { lease: async () => undefined, takeTokens: createSharedBuckets() };
      const create = () =>
        createSharedThrottle(minute, { shared, bucketOf: (name) => name, monotonic, storeTime: monotonic });
      return [create(), create(), create()];
    },
  };

  it.each(['memory', 'shared'] as const)('gives all that a request costs, or nothing (%s)', async (kind) => {
    const time = { nowMs: 0 };
    const [throttle] = kinds[kind](() => time.nowMs);
    const ask = (cost: number) => throttle!.ask('a key', cost).count(found('shop'));
    expect(await ask(32)).toMatchObject({ ok: true });
    expect(await ask(32)).toMatchObject({
      ok: false,
      refusal: { reason: 'limited', limit: { name: 'query' }, retryAfterSeconds: 36 },
    });
    // The refusal took nothing: eight are left.
    expect(await ask(8)).toMatchObject({ ok: true });
    time.nowMs += 60_000;
    expect(await ask(40)).toMatchObject({ ok: true });
  });

  it.each(['memory', 'shared'] as const)('is full again after work that was not done (%s)', async (kind) => {
    const [throttle] = kinds[kind](() => 0);
    for (let n = 0; n < 10; n++) {
      const ticket = throttle!.ask('a key', 32);
      expect(await ticket.count(found('shop'))).toMatchObject({ ok: true });
      ticket.giveBack();
    }
    const all = throttle!.ask('a key', 40);
    expect(await all.count(found('shop'))).toMatchObject({ ok: true });
    expect(await throttle!.ask('a key', 1).count(found('shop'))).toMatchObject({ ok: false });
    all.giveBack();
    expect(await throttle!.ask('a key', 40).count(found('shop'))).toMatchObject({ ok: true });
  });

  it('that is given back allows at most twice the limit at once (shared)', async () => {
    const time = { nowMs: 0 };
    const [throttle] = kinds.shared(() => time.nowMs);
    for (let round = 0; round < 3; round++) {
      const tickets = [throttle!.ask('a key', 20), throttle!.ask('a key', 20)];
      for (const ticket of tickets) await ticket.count(found('shop'));
      for (const ticket of tickets) ticket.giveBack();
      time.nowMs += 60_000;
    }
    let passed = 0;
    while ((await throttle!.ask('a key', 1).count(found('shop'))).ok) passed++;
    expect(passed).toBeGreaterThanOrEqual(40);
    expect(passed).toBeLessThanOrEqual(80);
  });

  it('answers a request that costs more than the limit once it is full, and the next ones wait', async () => {
    for (const kind of ['memory', 'shared'] as const) {
      const time = { nowMs: 0 };
      const [throttle] = kinds[kind](() => time.nowMs);
      const ask = (cost: number) => throttle!.ask('a key', cost).count(found('shop'));
      expect((await ask(60)).ok).toBe(true);
      expect(await ask(1)).toMatchObject({ refusal: { retryAfterSeconds: 32 } });
      time.nowMs += 31_500;
      expect((await ask(1)).ok).toBe(true);
    }
  });

  it('is given back by a request that is refused, or whose key does not work', async () => {
    const wide = { ...minute, requests: 640 };
    const shared = { lease: async () => undefined, takeTokens: createSharedBuckets() };
    const create = () =>
      createSharedThrottle(wide, { shared, bucketOf: (name) => name, monotonic: () => 0, storeTime: () => 0 });
    const [here, there] = [create(), create()];
    const ask = async (throttle: Throttle, cost: number) => {
      const ticket = throttle.ask('a key', cost);
      return { isAsked: ticket.tokens !== undefined, ok: (await ticket.count(found('shop'))).ok };
    };
    for (let n = 0; n < 2; n++) expect(await ask(here, 1)).toEqual({ isAsked: true, ok: true });
    // The process holds 18 tokens now.
    for (let n = 0; n < 100; n++) {
      expect((await here.ask('another key', 0).count(found('shop'))).ok).toBe(true);
      here.ask('another key', 5).cancel();
      // A key that was cancelled may have ended. It asks the store again, so that no such key reads on and on.
      expect(here.ask('another key', 5).tokens).toBeDefined();
    }
    for (let n = 0; n < 640; n++) await ask(there, 1);
    for (let n = 0; n < 3; n++) expect(await ask(here, 19)).toEqual({ isAsked: true, ok: false });
    expect(await ask(here, 18)).toEqual({ isAsked: false, ok: true });
    expect(await ask(here, 1)).toEqual({ isAsked: true, ok: false });
  });

  it.each([
    ['in memory, and its refill', 0],
    ['its refill, and 1/32 for each process', 3],
  ])('allows no more identifiers in any window than the limit, %s', async (_, sharing) => {
    const wide = { ...minute, requests: 640 };
    const request = fc.record({
      process: fc.nat(2),
      key: fc.nat(3),
      cost: fc.integer({ min: 1, max: 32 }),
      gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
      together: fc.integer({ min: 1, max: 30 }),
      works: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 40 }), async (requests) => {
        const time = { nowMs: 0 };
        const shared = { lease: async () => undefined, takeTokens: createSharedBuckets() };
        const monotonic = () => time.nowMs;
        const processes =
          sharing === 0
            ? [createThrottle(wide, monotonic)]
            : Array.from({ length: sharing }, () =>
                createSharedThrottle(wide, { shared, bucketOf: (name) => name, monotonic, storeTime: monotonic }),
              );
        const answered: { reporter: number; at: number; cost: number }[] = [];
        for (const { process, key, cost, gap, together, works } of requests) {
          time.nowMs += gap;
          // Keys 0 and 1 are of one reporter, 2 and 3 of another one.
          const reporter = key >> 1;
          const counted = await Promise.all(
            Array.from({ length: together }, async () => {
              const ticket = processes[process % processes.length]!.ask(`key ${key}`, cost);
              if (works) return (await ticket.count(found(`reporter ${reporter}`))).ok;
              ticket.cancel();
              return false;
            }),
          );
          for (const ok of counted) if (ok) answered.push({ reporter, at: time.nowMs, cost });
        }
        const rate = wide.requests / (wide.windowSeconds * 1000);
        for (const reporter of [0, 1]) {
          const own = answered.filter((one) => one.reporter === reporter);
          for (const from of new Set(own.map(({ at }) => at))) {
            const later = own.filter(({ at }) => at >= from);
            const most = wide.requests * (1 + sharing / 32) + (time.nowMs - from) * rate;
            expect(later.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(most + 1e-6);
          }
          const all = own.reduce((sum, { cost }) => sum + cost, 0);
          expect(all).toBeLessThanOrEqual(wide.requests + time.nowMs * rate + 1e-6);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Throttles of several processes on one bucket. `asked` has what they asked the store for. */
function shareBucket(requests: number, processes: number) {
  const takeTokens = createSharedBuckets();
  const asked: TokensRequest[] = [];
  const store = { failing: false, now: 0, most: 0 };
  const shared = {
    lease: async () => undefined,
    async takeTokens(tokens: TokensRequest) {
      asked.push(tokens);
      store.most = Math.max(store.most, ++store.now);
      await undefined;
      store.now--;
      if (store.failing) throw new Error('the store is unavailable');
      return takeTokens(tokens);
    },
  };
  const time = { nowMs: 0 };
  const wide = { name: 'viewer', requests, windowSeconds: 60 } as const;
  const throttles = Array.from({ length: processes }, () =>
    createSharedThrottle(wide, {
      shared,
      bucketOf: (name) => name,
      monotonic: () => time.nowMs,
      storeTime: () => time.nowMs,
    }),
  );
  const spend = async (process: number, nowMs: number, cost?: number) => {
    time.nowMs = nowMs;
    return (await throttles[process]!.take('a', cost)).ok;
  };
  return { spend, asked, store };
}

const tokensOf = ({ tokens }: TokensRequest) => tokens;

describe('token bucket that processes share', () => {
  it('is asked for several tokens at once, and every request costs one', async () => {
    const { spend, asked } = shareBucket(640, 1);
    for (let n = 0; n < 640; n++) expect(await spend(0, n === 0 ? 0 : n * 10)).toBe(true);
    const taken = asked.reduce((sum, { tokens }) => sum + tokens, 0);
    // What was taken ahead and is not spent yet: less than a thirty-second.
    expect(taken - 640).toBeGreaterThanOrEqual(0);
    expect(taken - 640).toBeLessThan(20);
    expect(asked.slice(0, 2).map(tokensOf)).toEqual([1, 19]);
  });

  it('is asked no more by a process that it refused, until it has the tokens', async () => {
    const { spend, asked } = shareBucket(60, 2);
    for (let n = 0; n < 60; n++) await spend(0, 0);
    expect(asked).toHaveLength(60);
    for (let n = 0; n < 100; n++) expect(await spend(0, n * 9)).toBe(false);
    expect(asked).toHaveLength(61);
    // The other process does not know it yet. A second later, one token is there.
    expect(await spend(1, 900)).toBe(false);
    expect(await spend(0, 1_000)).toBe(true);
    expect(await spend(0, 1_000)).toBe(false);
    expect(asked).toHaveLength(64);
  });

  // On PostgreSQL, each request that asks uses a connection while it waits for the lock of the bucket. Of a thousand of
  // one address, those that came before the first refusal all asked, and again each time the bucket had a token.
  it('is asked by one request of an address at a time, however many arrive at once', async () => {
    const { spend, asked, store } = shareBucket(60, 1);
    const burst = async (nowMs: number) => {
      const before = asked.length;
      const all = await Promise.all(Array.from({ length: 500 }, () => spend(0, nowMs)));
      return [all.filter((ok) => ok).length, asked.length - before];
    };
    expect(await burst(0)).toEqual([60, 61]);
    expect(await burst(500)).toEqual([0, 0]);
    expect(await burst(1_000)).toEqual([1, 2]);
    expect(store.most).toBe(1);
    // Those that wait would each wait for the time limit of the store.
    store.failing = true;
    const failed = await Promise.allSettled(Array.from({ length: 500 }, () => spend(0, 60_000)));
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toHaveLength(64);
    store.failing = false;
    expect(await spend(0, 60_000)).toBe(true);
  });

  it('is asked by a request that costs less than the one that it refused', async () => {
    const { spend } = shareBucket(60, 1);
    expect(await spend(0, 0, 55)).toBe(true);
    expect(await spend(0, 0, 10)).toBe(false);
    expect(await spend(0, 0, 5)).toBe(true);
    expect(await spend(0, 5_000, 10)).toBe(false);
    expect(await spend(0, 10_000, 10)).toBe(true);
  });

  it('holds a small limit exactly, whichever process is asked', async () => {
    for (const requests of [1, 30, 63]) {
      const { spend } = shareBucket(requests, 3);
      const passed = await Promise.all(Array.from({ length: 3 * requests }, (_, n) => spend(n % 3, 1000)));
      expect(passed.filter(Boolean)).toHaveLength(requests);
    }
  });

  it('allows each process at most 1/32 more at once, and over time not one request more', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2_000 }),
        fc.array(fc.record({ process: fc.nat(2), gap: fc.integer({ min: 0, max: 20_000 }), burst: fc.nat(400) }), {
          minLength: 1,
          maxLength: 12,
        }),
        async (requests, bursts) => {
          const { spend, asked } = shareBucket(requests, 3);
          let now = 0;
          const passed: number[] = [];
          for (const { process, gap, burst } of bursts) {
            now += gap;
            const at = now;
            const ok = await Promise.all(Array.from({ length: burst }, () => spend(process, at)));
            for (const one of ok) if (one) passed.push(at);
          }
          const rate = requests / 60_000;
          expect(passed.length).toBeLessThanOrEqual(requests + now * rate + 1e-6);
          for (const from of new Set(passed)) {
            const later = passed.filter((at) => at >= from).length;
            expect(later).toBeLessThanOrEqual(requests * (1 + 3 / 32) + (now - from) * rate + 1e-6);
          }
          expect(asked.every((one) => tokensOf(one) <= Math.max(1, requests / 32))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('takes one token if other processes have emptied most of the bucket', async () => {
    const { spend, asked } = shareBucket(640, 2);
    expect(await spend(0, 0)).toBe(true);
    for (let n = 0; n < 637; n++) expect(await spend(1, 0)).toBe(true);
    asked.length = 0;
    expect([await spend(0, 0), await spend(0, 0)]).toEqual([true, true]);
    expect(asked.map(tokensOf)).toEqual([19, 1]);
  });

  it('takes tokens ahead again after the store has failed', async () => {
    const { spend, asked, store } = shareBucket(640, 1);
    await spend(0, 0);
    store.failing = true;
    await expect(spend(0, 0)).rejects.toThrow('unavailable');
    store.failing = false;
    expect(await spend(0, 500)).toBe(true);
    expect(await spend(0, 1_000)).toBe(true);
    expect(asked.map(tokensOf)).toEqual([1, 19, 1, 19]);
  });
});

describe('addressBucket', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['[fe80::1%eth0]:80', 'fe80:0:0:0::/64'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:0:192.0.2.7', '192.0.2.7'],
    ['::192.0.2.7', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['2002:c000:207::1', '192.0.2.7'],
    ['2002:c000:207:5::1', '192.0.2.7'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
    [':::', ':::'],
  ])('%s is counted as %s', (address, bucket) => expect(addressBucket(address)).toBe(bucket));

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['[fe80::1%eth0]:80', 'fe80:0:0::/48'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2002:c000:207:5::1', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.7'],
    ['unknown', 'unknown'],
  ])('%s is of the site %s', (address, site) => expect(addressBucket(address, 48)).toBe(site));

  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  /** Writes an address in one of its notations, as proxies, sockets and logs do. */
  const decorations = fc.record({
    upper: fc.boolean(),
    // Leading zeros of groups, a compressed run of zeros, the last 32 bits in dots.
    zeros: fc.boolean(),
    compressed: fc.nat(7),
    dotted: fc.boolean(),
    around: fc.constantFrom('%', '[%]', '[%]:443', '%zone', '[%zone]:1'),
  });
  const decorate = (text: string, around: string): string =>
    around === '%zone' || around === '[%zone]:1'
      ? around.replace('%zone', `${text}%eth0`)
      : around.replace('%', () => text);
  const write = (groups: readonly number[], how: typeof decorations extends fc.Arbitrary<infer T> ? T : never) => {
    const hex = groups.map((group) => group.toString(16).padStart(how.zeros ? 4 : 1, '0'));
    const low = [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.');
    const parts = how.dotted ? [...hex.slice(0, 6), low] : hex;
    let end = how.compressed;
    while (end < parts.length && /^0+$/.test(parts[end]!)) end++;
    const text =
      end > how.compressed
        ? `${parts.slice(0, how.compressed).join(':')}::${parts.slice(end).join(':')}`
        : parts.join(':');
    return decorate(how.upper ? text.toUpperCase() : text, how.around);
  };
  const low = (a: number, b: number) => (a << 8) | b;

  it('is one for all notations of an IPv4 address, and another for another', () => {
    const toNotations = (ip: Uint8Array) => {
      const [a, b, c, d] = ip as unknown as [number, number, number, number];
      const high = low(a, b);
      const rest = low(c, d);
      return fc.oneof(
        fc.constant(ip.join('.')),
        ...[
          [0, 0, 0, 0, 0, 0xffff, high, rest],
          [0, 0, 0, 0, 0xffff, 0, high, rest],
          [0x64, 0xff9b, 0, 0, 0, 0, high, rest],
          [0x2002, high, rest, 5, 0, 0, 0, 1],
        ].map((groups) => decorations.map((how) => write(groups, how))),
      );
    };
    const pair = fc
      .tuple(bytes(4), bytes(4))
      .chain(([one, other]) =>
        fc.record({
          one: fc.constant(one),
          other: fc.constant(other),
          texts: fc.tuple(toNotations(one), toNotations(one), toNotations(other)),
        }),
      );
    fc.assert(
      fc.property(pair, ({ one, other, texts: [text, again, another] }) => {
        expect(addressBucket(text)).toBe(one.join('.'));
        expect(addressBucket(again)).toBe(one.join('.'));
        expect(addressBucket(another)).toBe(other.join('.'));
      }),
    );
  });

  it('is one for all notations of an IPv6 network, and another for another', () => {
    const network = fc.tuple(
      fc.integer({ min: 0x2400, max: 0xfeff }),
      ...[1, 2, 3].map(() => fc.constantFrom(0, 1, 0xab)),
    );
    const host = fc.array(fc.constantFrom(0, 1, 0xffff, 0xc000), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(network, network, host, host, decorations, decorations, (one, other, first, second, how, like) => {
        const bucket = addressBucket(write([...one, ...first], how));
        expect(bucket).toBe(`${one.map((group) => group.toString(16)).join(':')}::/64`);
        expect(addressBucket(write([...one, ...second], like))).toBe(bucket);
        expect(addressBucket(write([...other, ...second], like)) === bucket).toBe(one.join() === other.join());
      }),
    );
  });
});

describe('limits of section 8', () => {
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ kind: 'email', hash: hashOf(from + n) }));

  it('counts each reporter and each operation by itself', async () => {
    const small = { requests: 2, windowSeconds: 60 };
    const { engine, apiKey, otherKey, clock } = await createTestEngine({
      limits: { query: small, report: small, delete: small },
    });
    const query = (key: string) => engine.query({ apiKey: key, identifiers });
    unwrap(await query(apiKey));
    unwrap(await query(apiKey));
    expect(await query(apiKey)).toMatchObject({ ok: false, refusal: { reason: 'limited', retryAfterSeconds: 30 } });
    expect((await query(otherKey)).ok).toBe(true);
    const remove = () => engine.remove({ apiKey, deletionCode: 'f'.repeat(16) });
    expect(await remove()).toMatchObject({ refusal: { reason: 'unknown-code' } });
    await remove();
    expect(await remove()).toMatchObject({ refusal: { reason: 'limited' } });
    clock.nowMs += 30_000;
    expect((await query(apiKey)).ok).toBe(true);
  });

  it('counts all keys of a reporter together', async () => {
    const { engine, apiKey, reporterId } = await createTestEngine({
      limits: { query: { requests: 4, windowSeconds: 60 } },
    });
    const second = unwrap(await engine.issueKey({ reporterId })).apiKey;
    for (const key of [apiKey, second, apiKey, second]) unwrap(await engine.query({ apiKey: key, identifiers }));
    for (const key of [apiKey, second])
      expect(await engine.query({ apiKey: key, identifiers })).toMatchObject({ refusal: { reason: 'limited' } });
  });

  it('counts each identifier of a query, and copies once', async () => {
    const { engine, apiKey, otherKey } = await createTestEngine({
      limits: { query: { requests: 40, windowSeconds: 60 } },
    });
    unwrap(await engine.query({ apiKey, identifiers: many(0, 32) }));
    expect(await engine.query({ apiKey, identifiers: many(32, 9) })).toMatchObject({
      refusal: { reason: 'limited', limit: { name: 'query', requests: 40 } },
    });
    unwrap(await engine.query({ apiKey, identifiers: many(32, 8) }));
    // 40 copies are one identifier: neither too many nor 40 tokens.
    const copies = Array.from({ length: 40 }, (_, n) => ({ kind: `email${n === 0 ? '' : n + 1}`, hash: hashOf(1) }));
    for (let n = 0; n < 40; n++) unwrap(await engine.query({ apiKey: otherKey, identifiers: copies }));
    expect((await engine.query({ apiKey: otherKey, identifiers: copies })).ok).toBe(false);
  });

  it('counts each kind of a hash in a report, because each is stored', async () => {
    const { engine, apiKey, reporterId } = await createTestEngine();
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 70, by: 'Ada' }));
    const draft = { type: 'fraud', severity: 5 };
    const kinds = Array.from({ length: 32 }, (_, n) => `k${'abcdefgh'[n >> 2]}${'abcd'[n & 3]}`);
    const named = kinds.map((kind) => ({ kind, hash: hashOf(1) }));
    const copies = kinds.map((_, n) => ({ kind: `email${n + 1}`, hash: hashOf(1) }));
    const limited = { refusal: { reason: 'limited', limit: { name: 'identifiers' } } };
    unwrap(await engine.report({ apiKey, ...draft, text: 'By a program', identifiers: named }));
    unwrap(await engine.submitReport({ reporterId, ...draft, text: 'In the panel', identifiers: named }));
    expect(await engine.report({ apiKey, ...draft, text: 'Again', identifiers: named })).toMatchObject(limited);
    expect(await engine.submitReport({ reporterId, ...draft, text: 'Again', identifiers: named })).toMatchObject(
      limited,
    );
    // One kind, and a query reads a hash once.
    unwrap(await engine.report({ apiKey, ...draft, text: 'Copies', identifiers: copies }));
    unwrap(await engine.query({ apiKey, identifiers: named }));
  });

  it('lets one reporter ask about no more identifiers a day than its budget', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    const { reporterId } = unwrap(await engine.createReporter({ name: 'New Shop', verified: false }));
    const keys = [
      unwrap(await engine.issueKey({ reporterId })).apiKey,
      unwrap(await engine.issueKey({ reporterId })).apiKey,
    ];
    const answered = { verified: 0, new: 0 };
    for (let n = 0; n < 80; n++) {
      for (const key of keys)
        if ((await engine.query({ apiKey: key, identifiers: many(32 * n, 32) })).ok) answered.new += 32;
      if ((await engine.query({ apiKey, identifiers: many(32 * n, 32) })).ok) answered.verified += 32;
      clock.nowMs += 2_000;
    }
    expect(answered).toEqual({ verified: 80 * 32, new: 1_984 });
    const refused = await engine.query({ apiKey: keys[0]!, identifiers: many(0, 32) });
    expect(refused).toMatchObject({
      refusal: { reason: 'limited', limit: { name: 'identifiers', requests: 2_000, windowSeconds: 86_400 } },
    });
  });

  it('does not depend on the clock: after a jump of a day ahead and back, no key is locked out and no bucket is refilled', async () => {
    const monotonic = { nowMs: 0 };
    const { engine, apiKey, clock } = await createTestEngine({
      limits: { query: { requests: 2, windowSeconds: 60 } },
      monotonic: () => monotonic.nowMs,
    });
    const query = async () => (await engine.query({ apiKey, identifiers })).ok;
    expect([await query(), await query(), await query()]).toEqual([true, true, false]);
    clock.nowMs += 86_400_000;
    expect(await query()).toBe(false);
    clock.nowMs -= 86_400_000;
    monotonic.nowMs += 30_000;
    expect([await query(), await query()]).toEqual([true, false]);
  });

  it('counts the viewer by client address, and an embedding program not at all', async () => {
    const { engine } = await createTestEngine({ limits: { viewer: { requests: 1, windowSeconds: 60 } } });
    const view = (client?: string) => engine.view({ linkHash: hashOf(1), client });
    expect(await view('192.0.2.1')).toMatchObject({ refusal: { reason: 'not-found' } });
    expect(await view('192.0.2.1')).toMatchObject({ refusal: { reason: 'limited' } });
    expect(await view('192.0.2.2')).toMatchObject({ refusal: { reason: 'not-found' } });
    for (let n = 0; n < 5; n++) expect(await view()).toMatchObject({ refusal: { reason: 'not-found' } });
  });

  it('counts unknown keys by address, and never refuses a valid key for its address', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    const guess = (client?: string, key = '0'.repeat(16)) =>
      engine.query({ apiKey: key, ...(client === undefined ? {} : { client }), identifiers });
    const reasons = [];
    for (let n = 0; n < 5_000; n++) {
      // One /64 network is one client. A text that has not the form of a key counts too.
      const outcome = await guess(`2001:db8:1:2::${n.toString(16)}`, n % 2 === 0 ? undefined : 'no key');
      reasons.push(outcome.ok ? 'answered' : outcome.refusal.reason);
    }
    expect(reasons.filter((reason) => reason === 'unknown-key')).toHaveLength(20);
    expect(reasons.filter((reason) => reason === 'limited')).toHaveLength(4_980);
    expect(await guess('2001:db8:1:2::1')).toMatchObject({
      refusal: { limit: { name: 'unknown-key', requests: 20, windowSeconds: 60 }, retryAfterSeconds: 3 },
    });
    unwrap(await guess('2001:db8:1:2::1', apiKey));
    expect(await guess('2001:db8:1:3::1')).toMatchObject({ refusal: { reason: 'unknown-key' } });
    clock.nowMs += 3_000;
    expect(await guess('2001:db8:1:2::1')).toMatchObject({ refusal: { reason: 'unknown-key' } });
    // An embedding program that passes no address is not limited.
    for (let n = 0; n < 30; n++) expect(await guess()).toMatchObject({ refusal: { reason: 'unknown-key' } });
    await expect(guess(7 as never)).rejects.toThrow('"client"');
  });

  it('counts keys that do not work like unknown keys: revoked, of another scope, of a suspended reporter', async () => {
    const { engine, reporterId, apiKey, clock } = await createTestEngine();
    const ask = async (key: string, client: string) => {
      const outcome = await engine.query({ apiKey: key, client, identifiers });
      return outcome.ok ? 'answered' : outcome.refusal.reason;
    };
    const floods = async (key: string, client: string, reason: string) => {
      const reasons = [];
      for (let n = 0; n < 25; n++) reasons.push(await ask(key, client));
      expect(reasons).toEqual([...Array<string>(20).fill(reason), ...Array<string>(5).fill('limited')]);
      // All keys that do not work share the bucket of the address.
      expect(await ask('0'.repeat(16), client)).toBe('limited');
    };
    const revoked = unwrap(await engine.issueKey({ reporterId }));
    unwrap(await engine.revokeKey({ keyId: revoked.keyId }));
    await floods(revoked.apiKey, '192.0.2.1', 'revoked-key');
    const reporting = unwrap(await engine.issueKey({ reporterId, scope: 'report' }));
    await floods(reporting.apiKey, '192.0.2.2', 'key-scope');
    const other = unwrap(await engine.createReporter({ name: 'Suspended shop' }));
    const suspended = unwrap(await engine.issueKey({ reporterId: other.reporterId }));
    unwrap(await engine.suspendReporter({ reporterId: other.reporterId, suspended: true }));
    await floods(suspended.apiKey, '192.0.2.3', 'suspended-key');
    // A key that works is never refused for its address.
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect(await ask(apiKey, client)).toBe('answered');
    expect(
      await engine.remove({ apiKey: reporting.apiKey, deletionCode: '0'.repeat(16), client: '192.0.2.2' }),
    ).toMatchObject({ refusal: { reason: 'unknown-code' } });
    clock.nowMs += 3_000;
    expect(await ask(revoked.apiKey, '192.0.2.1')).toBe('revoked-key');
    expect(await ask(revoked.apiKey, '192.0.2.1')).toBe('limited');
  });
});
