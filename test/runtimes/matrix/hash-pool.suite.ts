import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { hashIdentifierSync } from '../../../src/hash.ts';
import type * as Door from '../../../src/node.ts';
import { chainVectors } from '../../vectors/chain.ts';

// The built door, with the worker script beside it. Not a literal, so that the bundle leaves it alone.
const built = pathToFileURL('dist/node.js').href;
const { createHashPool, HashPoolError, IdentifierError } = (await import(built)) as typeof Door;

describe('createHashPool of redflag/node', () => {
  const pools: Door.HashPool[] = [];
  const open = (options: Door.NodeHashPoolOptions = { size: 2 }): Door.HashPool => {
    const pool = createHashPool(options);
    pools.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  it('gives every known answer, as a list and as a stream', async () => {
    const digests = chainVectors.cases.map(({ digest }) => digest);
    const inputs = chainVectors.cases.map(({ input }) => input);
    const pool = open();
    expect(await pool.hashIdentifiers(inputs)).toEqual(digests);
    const streamed: string[] = [];
    for await (const hash of pool.hashStream(inputs)) streamed.push(hash);
    expect(streamed).toEqual(digests);
  });

  it('hashes a list with each hasher', async () => {
    const values = Array.from({ length: 100 }, (_, at) => `person${at}@example.com`);
    const expected = values.map((value) => hashIdentifierSync(value, { iterations: 50 }));
    const pool = open({});
    for (const hasher of ['plain', 'scalar', 'simd'] as const)
      expect(await pool.hashIdentifiers(values, { iterations: 50, hasher })).toEqual(expected);
  });

  it('names the value that is no identifier, and works on', async () => {
    const pool = open();
    await expect(pool.hashIdentifiers(['a', ''])).rejects.toBeInstanceOf(IdentifierError);
    expect(await pool.hashIdentifiers(['a'], { iterations: 1 })).toEqual([hashIdentifierSync('a', { iterations: 1 })]);
  });

  it('stops a running call at a signal, and works on', async () => {
    const pool = open();
    const stop = new AbortController();
    const many = Array.from({ length: 10_000 }, (_, at) => `person${at}`);
    const reason = new Error('no longer needed');
    const onProgress = (): void => stop.abort(reason);
    await expect(pool.hashIdentifiers(many, { signal: stop.signal, onProgress })).rejects.toBe(reason);
    expect(await pool.hashIdentifiers(['a'], { iterations: 1 })).toHaveLength(1);
  });

  it('rejects calls after its end', async () => {
    const pool = open();
    const running = pool.hashIdentifiers(['a', 'b'], { iterations: 1_000_000_000 });
    const ended = expect(running).rejects.toMatchObject({ name: 'HashPoolError', reason: 'closed' });
    await pool.close();
    await ended;
    await expect(pool.hashIdentifiers(['a'])).rejects.toBeInstanceOf(HashPoolError);
  });

  it('says that the script of its workers is not there', async () => {
    const pool = open({ size: 1, workerUrl: pathToFileURL('dist/none.js') });
    await expect(pool.hashIdentifiers(['a'])).rejects.toMatchObject({ name: 'HashPoolError', reason: 'worker-ended' });
  });
});
