import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../src/core/hash/chain.ts';
import { unpack, type ChainModule, type VectorModule } from '../../src/core/hash/chain-module.ts';
import type { Hasher } from '../../src/core/hash/hasher.ts';
import { SCALAR_WASM } from '../../src/core/hash/scalar.generated.ts';
import { SIMD_WASM } from '../../src/core/hash/simd.generated.ts';
import { createWasmHasher } from '../../src/core/hash/wasm.ts';
import { chainByNodeCrypto, patterned } from '../contract/hasher.ts';
import { freshModule } from './fresh.ts';

const utf8 = new TextEncoder();
const PREFIX = utf8.encode('service-');
/** From where to where the module may hold secrets: `assembly/memory.ts`. */
const SECRETS = 2048;
const SECRETS_END = 10_752;

const bytesOf = (module: string): Uint8Array<ArrayBuffer> => unpack(Buffer.from(module, 'hex'));
/** A copy of it all. */
const memoryOf = (chain: ChainModule): Buffer => Buffer.from(new Uint8Array(chain.memory.buffer));
const secretsOf = (chain: ChainModule): Buffer => memoryOf(chain).subarray(SECRETS, SECRETS_END);

/** `chains` values that differ, hashed together. */
function hashSome(hasher: Hasher, chains: number, prefix: Uint8Array, rounds: number, length = 18): Uint32Array {
  const digests = new Uint32Array(5 * chains);
  for (let index = 0; index < chains; index++) hasher.digest(prefix, patterned(length, index), digests, 5 * index);
  hasher.advance(digests, prefix, rounds - 1);
  return digests;
}

/** How often each word of the digests stands in memory. */
function traces(memory: Buffer, digests: Uint32Array): number {
  return [...digests].filter((word) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(word);
    return memory.includes(bytes);
  }).length;
}

describe('size', () => {
  it('all modules together are at most 48 kB, and 10.5 kB when a server compresses them', () => {
    const modules = Buffer.concat([SCALAR_WASM, SIMD_WASM].map(bytesOf));
    expect(modules.length).toBeLessThanOrEqual(48_000);
    expect(gzipSync(modules, { level: 9 }).length).toBeLessThanOrEqual(10_500);
  });
});

describe.each(['scalar', 'simd', 'wide'] as const)('memory of the module behind %s', (name) => {
  it('imports nothing and stays at one page whatever the length of the value', () => {
    const module = new WebAssembly.Module(bytesOf(name === 'scalar' ? SCALAR_WASM : SIMD_WASM));
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    const chain = freshModule(name);
    hashSome(createWasmHasher(name, chain), 1, PREFIX, 2, 1_000_000);
    expect(chain.memory.buffer.byteLength).toBe(65_536);
  });

  it('holds the value and the digests while it works, so the next tests look at the right place', () => {
    const seen: boolean[] = [];
    const chain = freshModule(name);
    const spying = {
      ...chain,
      finish: () => {
        seen.push(secretsOf(chain).includes('person@example.com'));
        chain.finish();
      },
    };
    createWasmHasher(name, spying).digest(PREFIX, utf8.encode('person@example.com'), new Uint32Array(5), 0);
    expect(seen).toEqual([true]);

    let kept: Buffer = Buffer.alloc(0);
    const leaky = {
      ...chain,
      wipe: () => {
        kept = secretsOf(chain);
        chain.wipe();
      },
    };
    const digests = hashSome(createWasmHasher(name, leaky), 9, PREFIX, 600);
    expect(traces(kept, digests.subarray(40))).toBe(5);
  });

  it.each([
    [1, 18],
    [4, 64],
    [5, 119],
    [8, 4096],
    [21, 10_000],
  ])('keeps nothing of %i values of %i bytes, nor of the chains after them', (chains, length) => {
    for (const prefix of [PREFIX, utf8.encode('shop+'), utf8.encode('fraudhosting-'), patterned(40, 7)]) {
      const chain = freshModule(name);
      const fresh = memoryOf(chain);
      hashSome(createWasmHasher(name, chain), chains, prefix, 600, length);
      expect(secretsOf(chain).every((byte) => byte === 0)).toBe(true);
      expect(memoryOf(chain).equals(fresh)).toBe(true);
    }
  });

  it('keeps nothing of being warmed up, whatever the prefix before', () => {
    for (const prefix of [undefined, PREFIX, utf8.encode('shop+'), patterned(40, 7)]) {
      const chain = freshModule(name);
      const fresh = memoryOf(chain);
      const hasher = createWasmHasher(name, chain);
      for (const chains of [1, 4, 8]) {
        if (prefix) hasher.advance(new Uint32Array(5), prefix, 3);
        hasher.warmUp(chains);
        expect(memoryOf(chain).equals(fresh)).toBe(true);
      }
      expect(toHex(hashSome(hasher, 1, PREFIX, 600), 0)).toBe(chainByNodeCrypto(patterned(18, 0), PREFIX, 600));
    }
  });

  const steps = [
    'absorb',
    'endPrefix',
    'finish',
    'advance',
    ...(name === 'scalar' ? [] : (['advanceFour'] as const)),
    ...(name === 'wide' ? (['advanceEight'] as const) : []),
  ] as const;
  it.each(steps)('keeps nothing after an exception in %s, and goes on working', (step) => {
    let failing = true;
    const chain = freshModule(name);
    const hasher = createWasmHasher(name, {
      ...chain,
      [step]: (argument: number) => {
        (chain as VectorModule)[step](argument);
        if (failing) throw new Error('broken machine');
      },
    });
    // 8 + 1 and 8 + 4: every kernel has its turn.
    expect(() => [9, 12].map((chains) => hashSome(hasher, chains, PREFIX, 600))).toThrow('broken machine');
    expect(secretsOf(chain).every((byte) => byte === 0)).toBe(true);
    failing = false;
    const digests = hashSome(hasher, 13, PREFIX, 600);
    expect(
      chainByNodeCrypto(patterned(18, 12), PREFIX, 600).startsWith(digests[60]!.toString(16).padStart(8, '0')),
    ).toBe(true);
  });

  it('wipes once a call, also when the rounds come in several slices', () => {
    const calls: string[] = [];
    const chain = freshModule(name);
    const counted = {
      ...chain,
      ...Object.fromEntries(
        (['begin', 'absorb', 'endPrefix', 'finish', 'advance', 'wipe'] as const).map((step) => [
          step,
          (argument: number) => {
            calls.push(step);
            (chain as VectorModule)[step](argument);
          },
        ]),
      ),
    };
    hashSome(createWasmHasher(name, counted), 1, PREFIX, 1201);
    expect(calls).toEqual([
      'begin',
      'absorb',
      'absorb',
      'finish',
      'wipe',
      'begin',
      'absorb',
      'endPrefix',
      'advance',
      'advance',
      'advance',
      'wipe',
    ]);
  });
});

describe('which prefixes the unrolled kernels take', () => {
  /** Where the loops of `assembly/lanes.ts`, and only they, write the schedule of four chains. */
  const SCHEDULE = 8192 + 256;

  it.each([
    [0, true],
    [7, true],
    [8, true],
    [15, true],
    [16, false],
    [64, false],
  ])('a prefix of %i bytes: %s', (length, isUnrolled) => {
    const chain = freshModule('simd');
    let schedule: Buffer = Buffer.alloc(0);
    const spying = {
      ...chain,
      wipe: () => {
        schedule = memoryOf(chain).subarray(SCHEDULE, SCHEDULE + 1024);
        chain.wipe();
      },
    };
    hashSome(createWasmHasher('simd', spying), 4, patterned(length, 3), 5);
    expect(schedule.every((byte) => byte === 0)).toBe(isUnrolled);
  });
});

describe('which kernel takes how many', () => {
  const passes = (name: 'simd' | 'wide' | 'scalar', chains: number): number[] => {
    const hasher = createWasmHasher(name, freshModule(name));
    const taken: number[] = [];
    for (let left = chains; left > 0; left -= taken.at(-1)!) taken.push(hasher.nextPass(left));
    return taken;
  };

  it('leaves no lane idle that a single chain would fill sooner', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((chains) => passes('simd', chains).join('+'))).toEqual([
      '1',
      '1+1',
      '3',
      '4',
      '4+1',
      '4+1+1',
      '4+3',
      '4+4',
      '4+4+1',
    ]);
    expect([4, 5, 8, 9, 12, 13, 16].map((chains) => passes('wide', chains).join('+'))).toEqual([
      '4',
      '5',
      '8',
      '8+1',
      '8+4',
      '8+5',
      '8+8',
    ]);
    expect(passes('scalar', 3)).toEqual([1, 1, 1]);
  });
});
