import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { addressBucket, createSharedThrottle, createThrottle } from '../../src/engine/throttle.ts';
import { createTestEngine, hashOf } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import type { AskedTokens } from '../../src/store/records.ts';

const limit = { name: 'query', requests: 3, windowSeconds: 60 } as const;

describe('token bucket', () => {
  it('lets the burst through, then one each time a token has come back', () => {
    const throttle = createThrottle(limit);
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
        const throttle = createThrottle(limit);
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
    const throttle = createThrottle(limit);
    throttle.take('a', 100_000);
    expect(throttle.take('a', 0).ok).toBe(true);
    expect(throttle.take('a', 0).ok).toBe(true);
    expect(throttle.take('a', 0).ok).toBe(false);
  });

  it('forgets the one unseen for longest when it is full, and only that one', () => {
    const throttle = createThrottle({ ...limit, requests: 1 }, 2);
    throttle.take('a', 0);
    throttle.take('b', 0);
    expect(throttle.take('a', 0).ok).toBe(false);
    throttle.take('c', 0);
    expect(throttle.take('a', 0).ok).toBe(false);
    expect(throttle.take('b', 0).ok).toBe(true);
  });
});

/** Throttles of several processes on one bucket. `asked` has what they asked the store for. */
function shareBucket(requests: number, processes: number) {
  const takeTokens = createSharedBuckets();
  const asked: AskedTokens[] = [];
  const store = { failing: false };
  const shared = {
    lease: async () => undefined,
    async takeTokens(tokens: AskedTokens) {
      asked.push(tokens);
      if (store.failing) throw new Error('the store is unavailable');
      return takeTokens(tokens);
    },
  };
  const wide = { name: 'query', requests, windowSeconds: 60 } as const;
  const throttles = Array.from({ length: processes }, () => createSharedThrottle(wide, shared, (name) => name));
  const spend = async (process: number, nowMs: number) => (await throttles[process]!.take('a', nowMs)).ok;
  return { spend, asked, store };
}

describe('token bucket that processes share', () => {
  it('is asked for several tokens at once, and every request costs one', async () => {
    const { spend, asked } = shareBucket(640, 1);
    for (let n = 0; n < 640; n++) expect(await spend(0, n === 0 ? 0 : n * 10)).toBe(true);
    const taken = asked.reduce((sum, { tokens }) => sum + tokens, 0);
    // What was taken ahead and is not spent yet: less than a thirty-second.
    expect(taken - 640).toBeGreaterThanOrEqual(0);
    expect(taken - 640).toBeLessThan(20);
    expect(asked[0]!.tokens).toBe(1);
    expect(asked[1]!.tokens).toBe(19);
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
          expect(asked.every(({ tokens }) => tokens <= Math.max(1, requests / 32))).toBe(true);
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
    expect(asked.map(({ tokens }) => tokens)).toEqual([19, 1]);
  });

  it('takes tokens ahead again after the store has failed', async () => {
    const { spend, asked, store } = shareBucket(640, 1);
    await spend(0, 0);
    store.failing = true;
    await expect(spend(0, 0)).rejects.toThrow('unavailable');
    store.failing = false;
    expect(await spend(0, 500)).toBe(true);
    expect(await spend(0, 1_000)).toBe(true);
    expect(asked.map(({ tokens }) => tokens)).toEqual([1, 19, 1, 19]);
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
  ])('%s is counted as %s', (address, bucket) => expect(addressBucket(address)).toBe(bucket));
});

describe('limits of section 8', () => {
  it('counts each key and each operation by itself', async () => {
    const small = { requests: 2, windowSeconds: 60 };
    const { engine, apiKey, otherKey, clock } = await createTestEngine({
      limits: { query: small, report: small, delete: small },
    });
    const query = (key: string) => engine.query({ apiKey: key, identifiers: [{ kind: 'email', hash: hashOf(1) }] });
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

  it('counts the viewer by client address, and an embedding program not at all', async () => {
    const { engine } = await createTestEngine({ limits: { viewer: { requests: 1, windowSeconds: 60 } } });
    const view = (client?: string) => engine.view({ linkHash: hashOf(1), client });
    expect(await view('192.0.2.1')).toMatchObject({ refusal: { reason: 'not-found' } });
    expect(await view('192.0.2.1')).toMatchObject({ refusal: { reason: 'limited' } });
    expect(await view('192.0.2.2')).toMatchObject({ refusal: { reason: 'not-found' } });
    for (let n = 0; n < 5; n++) expect(await view()).toMatchObject({ refusal: { reason: 'not-found' } });
  });

  it('does not count a guess at a key', async () => {
    const { engine } = await createTestEngine({ limits: { query: { requests: 1, windowSeconds: 60 } } });
    for (let n = 0; n < 5; n++)
      expect(await engine.query({ apiKey: '0'.repeat(16), identifiers: [] })).toMatchObject({
        refusal: { reason: 'unknown-key' },
      });
  });
});
