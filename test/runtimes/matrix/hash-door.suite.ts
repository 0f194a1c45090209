import { describe, expect, it } from 'vitest';
import * as door from '../../../src/hash.ts';
import { choose } from '../../../src/core/hash/choose.ts';
import { chainVectors } from '../../vectors/chain.ts';

// The door on the hashers that this runtime has.
describe('redflag/hash', () => {
  it('hashes with vector instructions by default', () => {
    expect(choose().name).toBe('simd');
  });

  it('gives every known answer', async () => {
    const digests = chainVectors.cases.map(({ digest }) => digest);
    const inputs = chainVectors.cases.map(({ input }) => input);
    expect(await door.hashIdentifiers(inputs)).toEqual(digests);
    const streamed: string[] = [];
    for await (const hash of door.hashStream(inputs)) streamed.push(hash);
    expect(streamed).toEqual(digests);
  });

  it.each(chainVectors.otherParameters)('gives the known answer for $prefix and $iterations rounds', async (known) => {
    const { input, prefix, iterations, digest } = known;
    for (const hasher of ['plain', 'scalar', 'simd'] as const)
      expect(door.hashIdentifierSync(input, { prefix, iterations, hasher })).toBe(digest);
    expect(await door.hashIdentifier(input, { prefix, iterations })).toBe(digest);
  });

  it('refuses a value that is no identifier', async () => {
    await expect(door.hashIdentifier('')).rejects.toBeInstanceOf(door.IdentifierError);
  });
});
