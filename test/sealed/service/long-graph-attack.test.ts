import { expect, it } from 'vitest';
import { toHex } from '../../../src/sealed/encoding.ts';
import { TAG_BYTES } from '../../../src/sealed/rows.ts';
import * as game from './graph-game.ts';

// The game of graph-attack.test.ts with as many identifiers as a large service has. It takes some minutes.

it('a key holder that evaluates nothing guesses no better than chance among 200,000 identifiers', async () => {
  const { seen, all } = await game.playGame({ persons: 200_000, reports: 200_000, reporters: 2_000, days: 2 });
  const found: Record<string, Record<string, number>> = {};
  const play = (name: string, one: game.Row[], other: game.Row[], common: game.Common): void => {
    const pairs = game.pairsOf(one, other, common);
    expect(pairs.right.length).toBeGreaterThan(100_000);
    found[`${name}, ${pairs.right.length} pairs`] = game.advantagesOf(pairs);
  };
  for (const [at, rows] of seen.entries()) {
    found[`publication ${at}, ${rows.length} rows, says something`] = game.advantagesOfOne(rows);
    play(`publication ${at}, one identifier`, rows, rows, ({ person }) => person);
    play(`publication ${at}, one report`, rows, rows, ({ report }) => report);
  }
  for (const [one, other] of [
    [0, 1],
    [2, 3],
    [1, 3],
  ] as const)
    play(`publications ${one} and ${other}, one identifier`, seen[one]!, seen[other]!, ({ person }) => person);
  if (process.env['PRINT_TIMES'] === '1') console.warn(JSON.stringify(found, undefined, 1));
  for (const advantages of Object.values(found)) game.expectChance(advantages);
  const tags = all.flatMap((publication) => game.rowsIn(publication).map((row) => toHex(row.subarray(0, TAG_BYTES))));
  expect(new Set(tags).size).toBe(tags.length);
});
