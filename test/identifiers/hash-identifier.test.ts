import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Hasher } from '../../src/core/hash/hasher.ts';
import * as door from '../../src/hash.ts';
import { createIdentifierHashing } from '../../src/core/identifiers/hash-identifier.ts';
import { chainByNodeCrypto } from '../contract/hasher.ts';
import { chainVectors } from '../vectors/chain.ts';
import { anyCharacter } from '../any-character.ts';

const { hashIdentifier, hashIdentifiers, hashIdentifierSync, IdentifierError } = door;
const utf8 = new TextEncoder();
const few = { iterations: 3 };

function expected(value: string, prefix = 'service-', iterations = 3): string {
  return chainByNodeCrypto(utf8.encode(value), utf8.encode(prefix), iterations);
}

/** Does nothing, at once. */
const idle: Hasher = { name: 'plain', digest: () => {}, advance: () => {}, nextPass: () => 1, warmUp: () => {} };

describe('hashIdentifier', () => {
  it.each(chainVectors.cases)('gives the known answer of $input by default', async ({ input, digest }) => {
    expect(await hashIdentifier(input)).toBe(digest);
    expect(hashIdentifierSync(input)).toBe(digest);
  });

  it.each(chainVectors.otherParameters.filter(({ iterations }) => iterations <= 1000))(
    'gives the known answer for prefix $prefix and $iterations iterations, by each hasher',
    async ({ input, prefix, iterations, digest }) => {
      for (const hasher of [undefined, 'plain', 'scalar'] as const) {
        expect(await hashIdentifier(input, { prefix, iterations, hasher })).toBe(digest);
      }
    },
  );

  it('takes an empty prefix and one that is not ASCII', async () => {
    expect(await hashIdentifier('x', { prefix: '', ...few })).toBe(expected('x', ''));
    expect(await hashIdentifier('x', { prefix: 'dïenst-', ...few })).toBe(expected('x', 'dïenst-'));
  });

  it('hashes any text alike where the platform has no TextEncoder, as in jsdom', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (value, prefix) => {
        const alike = (): unknown => {
          try {
            return hashIdentifierSync(`x${value}`, { prefix, ...few });
          } catch (error) {
            return (error as Error).message;
          }
        };
        const usual = alike();
        vi.stubGlobal('TextEncoder', undefined);
        const without = alike();
        vi.unstubAllGlobals();
        expect(without).toBe(usual);
      }),
    );
  });

  it.each([
    [{ iterations: 0 }, RangeError, `"iterations" expected a whole number of at least 1, got 0`],
    [{ iterations: 2 ** 53 }, RangeError, `"iterations" expected a whole number of at least 1, got 9007199254740992`],
    [{ iterations: 1.5 }, RangeError, `"iterations" expected a whole number of at least 1, got 1.5`],
    [{ iterations: Number.NaN }, RangeError, `"iterations" expected a whole number of at least 1, got NaN`],
    [{ iterations: '5' }, TypeError, `"iterations" expected a number, got string`],
    [{ prefix: 7 }, TypeError, '"prefix" expected a string, got number'],
    [{ prefix: 'p\ud800' }, TypeError, '"prefix" expected well-formed text, got a lone surrogate'],
    [{ hasher: 'md5' }, TypeError, '"hasher" expected one of plain, scalar, simd, wide'],
    [{ rounds: 5 }, TypeError, '"rounds" is not an option'],
  ])('refuses the options %j', async (options, kind, message) => {
    expect(() => hashIdentifierSync('x', options as never)).toThrow(kind);
    expect(() => hashIdentifierSync('x', options as never)).toThrow(message);
    await expect(hashIdentifier('x', options as never)).rejects.toThrow(message);
    await expect(hashIdentifiers(['x'], options as never)).rejects.toThrow(message);
  });

  it('rejects a value that cannot be an identifier, without repeating it', async () => {
    await expect(hashIdentifier(' ')).rejects.toMatchObject({ reason: 'empty', index: undefined });
    const error: unknown = await hashIdentifier('secret\ud800').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IdentifierError);
    expect(JSON.stringify([String(error), error])).not.toContain('secret');
  });

  it('wipes its copy of the value, after a failure too', () => {
    let seen: Uint8Array | undefined;
    const machine = { ...idle };
    const hashing = createIdentifierHashing(() => machine);
    machine.digest = (_, value) => {
      seen = value;
      expect(new TextDecoder().decode(value)).toBe('secret');
      throw new Error('broken machine');
    };
    expect(() => hashing.hashIdentifierSync('Secret')).toThrow('broken machine');
    expect(seen).toEqual(new Uint8Array(6));
  });
});

/** What is asked of the hasher, in order: chains × rounds, or the value of a first round. */
function recorded(): { steps: string[]; hasher: Hasher } {
  const steps: string[] = [];
  const hasher: Hasher = {
    ...idle,
    digest: (_, value) => {
      steps.push(new TextDecoder().decode(value));
    },
    advance: (digests, _, rounds) => {
      steps.push(`${digests.length / 5} × ${rounds}`);
    },
    warmUp: () => {
      steps.push('warm up');
    },
  };
  return { steps, hasher };
}

describe('loading', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it("runs one round, of nothing that is anybody's, and no kernel", () => {
    const { steps, hasher } = recorded();
    createIdentifierHashing((name) => (expect(name).toBeUndefined(), hasher));
    expect(steps).toEqual(['x', '1 × 0']);
  });

  it('leaves it to whoever hashes to hear of a machine that is broken', () => {
    const broken: Hasher = {
      ...idle,
      digest: () => {
        throw new Error('broken machine');
      },
    };
    const hashing = createIdentifierHashing((name) => (name === 'plain' ? idle : broken));
    expect(() => hashing.hashIdentifierSync('x')).toThrow('broken machine');
    expect(hashing.hashIdentifierSync('x', { hasher: 'plain' })).toBe('0'.repeat(40));
  });

  it('compiles the module of the door', async () => {
    const Module = vi.spyOn(WebAssembly, 'Module');
    vi.resetModules();
    const { hashIdentifierSync: hash } = await import('../../src/hash.ts');
    expect(Module).toHaveBeenCalledOnce();
    expect(hash('x', few)).toBe(expected('x'));
    expect(Module).toHaveBeenCalledOnce();
  });

  it('goes well where there is no WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { hashIdentifierSync: hash } = await import('../../src/hash.ts');
    expect(hash('x', few)).toBe(expected('x'));
  });
});

describe('prepareHashing', () => {
  it("runs one chain and four together, of nothing that is anybody's", () => {
    const { steps, hasher } = recorded();
    const hashing = createIdentifierHashing(() => hasher);
    steps.length = 0;
    hashing.prepareHashing();
    expect(steps).toEqual(['1 × 2500', '4 × 2500']);
  });

  it('takes the hasher that will be used, and no other name', () => {
    for (const hasher of ['plain', 'scalar', 'simd'] as const)
      expect(() => door.prepareHashing({ hasher })).not.toThrow();
    expect(() => door.prepareHashing({ hasher: 'md5' as never })).toThrow(TypeError);
    expect(() => door.prepareHashing({ hashers: 'plain' } as object)).toThrow('"hashers" is not an option');
    expect(hashIdentifierSync('x', few)).toBe(expected('x'));
  });
});

describe('hashIdentifiers', () => {
  it('gives a tuple a tuple of the same length, and any other iterable an array', async () => {
    // The types are what is tested: each of these lines compiles without `!`.
    const [email, ip] = await hashIdentifiers(['a', 'b'], few);
    const both: string = email + ip;
    expect(both).toBe(expected('a') + expected('b'));
    const pair = ['a', 'b'] as const;
    const [, second]: [string, string] = await hashIdentifiers(pair, few);
    expect(second).toBe(expected('b'));
    const list: string[] = ['a'];
    const hashes: string[] = await hashIdentifiers(list, few);
    // @ts-expect-error a list of unknown length may be empty
    const first: string = (await hashIdentifiers(list, few))[0];
    const ofSet: string[] = await hashIdentifiers(new Set(list), few);
    expect([hashes, first, ofSet]).toEqual([[expected('a')], expected('a'), [expected('a')]]);
  });

  it('of a single value refuses the options of a list', () => {
    expect(() => hashIdentifierSync('x', { ...few, signal: undefined } as object)).toThrow('"signal" is not an option');
    expect(() => door.hashStream(['x'], { ...few, onprogress: () => {} } as object)).toThrow(
      '"onprogress" is not an option',
    );
  });

  it('keeps the order, takes any iterable, and equals one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z@. ]{0,20}x$/)), async (values) => {
        const one = values.map((value) => hashIdentifierSync(value, few));
        expect(await hashIdentifiers(values, few)).toEqual(one);
        expect(await hashIdentifiers(new Set(values), few)).toEqual(
          [...new Set(values)].map((value) => hashIdentifierSync(value, few)),
        );
      }),
      { numRuns: 50 },
    );
    expect(await hashIdentifiers([])).toEqual([]);
  });

  it('gives each of many concurrent callers its own answers', async () => {
    const lists = Array.from({ length: 12 }, (_, list) =>
      Array.from({ length: 6 }, (_, at) => `person${list}.${at}@example.com`),
    );
    const options = (list: number) => ({
      prefix: 'p'.repeat(list * 3),
      iterations: 9000,
      hasher: list % 4 === 0 ? ('plain' as const) : undefined,
    });
    const all = await Promise.all(lists.map((values, list) => hashIdentifiers(values, options(list))));
    lists.forEach((values, list) => {
      expect(all[list]).toEqual(values.map((value) => hashIdentifierSync(value, options(list))));
    });
    expect(all[1]![0]).toBe(expected('person1.0@example.com', 'ppp', 9000));
  });

  it("names the index of what is nobody's identifier, before it hashes anything", async () => {
    const digest = vi.fn();
    const hashing = createIdentifierHashing(() => ({ ...idle, digest }));
    digest.mockClear();
    const error: unknown = await hashing
      .hashIdentifiers(['fine', 'fine too', 'secret\ud800'])
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'IdentifierError', reason: 'lone-surrogate', index: 2 });
    expect(String(error)).toContain('index 2');
    expect(JSON.stringify([String(error), error])).not.toContain('secret');
    expect(digest).not.toHaveBeenCalled();
    await expect(hashIdentifiers(['x', 7 as never])).rejects.toMatchObject({ reason: 'not-a-string', index: 1 });
  });

  it.each([
    ['a@example.com', 'string'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'object'],
  ])('refuses %j for a list', async (values, got) => {
    await expect(hashIdentifiers(values as never)).rejects.toThrow(
      new TypeError(`"values" expected a list of strings, got ${got}`),
    );
  });

  it('lets timers run while it works', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await hashIdentifiers(Array.from({ length: 20 }, (_, at) => `x${at}`));
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(5);
  });

  it('lets timers run where there is only a message channel, and only a timer', async () => {
    const kept = { setImmediate: globalThis.setImmediate, MessageChannel: globalThis.MessageChannel };
    try {
      for (const missing of ['setImmediate', 'MessageChannel'] as const) {
        vi.stubGlobal(missing, undefined);
        expect(await hashIdentifiers(['x', 'y', 'z'], { iterations: 20_000 })).toHaveLength(3);
      }
    } finally {
      vi.unstubAllGlobals();
    }
    expect(globalThis.setImmediate).toBe(kept.setImmediate);
    expect(globalThis.MessageChannel).toBe(kept.MessageChannel);
  });

  it('stops when the signal says so', async () => {
    const reason = new Error('enough');
    await expect(hashIdentifiers(['x'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const controller = new AbortController();
    let hashed = 0;
    const hashing = createIdentifierHashing(() => ({
      ...idle,
      digest: () => {
        if (++hashed === 3) setTimeout(() => controller.abort(reason), 0);
      },
    }));
    const many = Array.from({ length: 100_000 }, (_, at) => `x${at}`);
    await expect(hashing.hashIdentifiers(many, { signal: controller.signal })).rejects.toBe(reason);
    expect(hashed).toBeGreaterThanOrEqual(3);
    expect(hashed).toBeLessThan(many.length);
  });

  it('refuses what is no signal', async () => {
    await expect(hashIdentifiers(['x'], { signal: {} as never })).rejects.toThrow(
      new TypeError('"signal" expected an AbortSignal, got object'),
    );
  });
});

describe('the door', () => {
  it('opens on these names', () => {
    expect(Object.keys(door).sort()).toEqual([
      'DEFAULT_ITERATIONS',
      'DEFAULT_PREFIX',
      'IdentifierError',
      'hashIdentifier',
      'hashIdentifierSync',
      'hashIdentifiers',
      'hashStream',
      'normaliseIdentifier',
      'prepareHashing',
    ]);
  });
});
