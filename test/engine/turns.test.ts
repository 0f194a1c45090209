import { expect, it } from 'vitest';
import { accept } from '../../src/core/domain/refusal.ts';
import { createTurns } from '../../src/core/engine/turns.ts';

it('gives a work that two owners wait for the turn of the one that waits for nothing else', async () => {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const { inTurn } = createTurns(async () => {}, 99);
  const ask = (owner: string, name: string): Promise<unknown> =>
    inTurn<string>(
      name,
      () => {
        order.push(name);
        return new Promise((resolve) => ends.push(() => resolve(accept(name))));
      },
      owner,
    );
  const asked = [
    ask('busy', 'running'),
    ask('other', 'also running'),
    ask('busy', 'first'),
    ask('busy', 'shared'),
    ask('third', 'of a third'),
    ask('second', 'shared'),
  ];
  while (order.length < 5) {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
  for (const end of ends) end();
  await Promise.all(asked);
  expect(order).toEqual(['running', 'also running', 'shared', 'of a third', 'first']);
});
