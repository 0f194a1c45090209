import { expect, it } from 'vitest';
import { createThrottle } from '../../src/core/engine/limits.ts';

it('remembers at most 100,000 addresses of a million, and the busy one among them', () => {
  const throttle = createThrottle({ name: 'viewer', requests: 200, windowSeconds: 60 }, () => 0);
  let isBounded = true;
  let served = 0;
  for (let n = 0; n < 1_000_000; n++) {
    throttle.take(`2001:db8:${n}`);
    if (n % 5000 === 0 && throttle.take('busy').ok) served++;
    isBounded &&= throttle.size() <= 100_000;
  }
  expect(isBounded).toBe(true);
  expect(throttle.size()).toBeGreaterThanOrEqual(99_000);
  // It was never forgotten: its bucket is empty.
  expect(served).toBe(200);
  expect(throttle.take('busy').ok).toBe(false);
});
