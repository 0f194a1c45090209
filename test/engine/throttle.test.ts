import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { addressBucket, createThrottle } from '../../src/engine/throttle.ts';
import { createTestEngine, hashOf } from './setup.ts';

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
