import { expect } from 'vitest';
import { describePairs } from './pairs.ts';

// long-told-apart.test.ts compares the times.
describePairs('the same replies', 50, async ({ ask, unknown, special }) => {
  const replies = new Set<string>();
  for (let n = 0; n < 50; n++)
    for (const value of [unknown(), special()]) replies.add(JSON.stringify(await ask(value)()));
  expect(replies.size).toBe(1);
});
