import { describe, expect, it } from 'vitest';
import { instantiateChain, type ChainModule } from '../../src/hash/chain-module.ts';
import { SCALAR_WASM } from '../../src/hash/scalar.generated.ts';
import { createWasmHasher } from '../../src/hash/wasm.ts';
import { chainByNodeCrypto, chainOf, patterned } from '../contract/hasher.ts';

const utf8 = new TextEncoder();
const PREFIX = utf8.encode('service-');
/** Where the hex tables end; all behind them may hold secrets. */
const SECRETS = 2048;

function memoryOf(chain: ChainModule): Buffer {
  return Buffer.from(chain.memory.buffer);
}

describe('memory of the module', () => {
  it('imports nothing and stays at one page whatever the length of the value', () => {
    const module = new WebAssembly.Module(Buffer.from(SCALAR_WASM, 'base64'));
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    const chain = instantiateChain(SCALAR_WASM);
    chainOf(createWasmHasher(chain), patterned(1_000_000, 1), PREFIX, 2);
    expect(chain.memory.buffer.byteLength).toBe(65_536);
  });

  it('holds the value while it is hashed, so the next tests look at the right place', () => {
    const seen: boolean[] = [];
    const chain = instantiateChain(SCALAR_WASM);
    const spying = { ...chain, finish: () => { seen.push(memoryOf(chain).includes('person@example.com')); chain.finish(); } };
    chainOf(createWasmHasher(spying), utf8.encode('person@example.com'), PREFIX, 3);
    expect(seen).toEqual([true]);
  });

  it.each([18, 64, 119, 4096, 10_000])('keeps nothing of a value of %i bytes, nor of the chain after it', (length) => {
    const chain = instantiateChain(SCALAR_WASM);
    const fresh = Buffer.from(memoryOf(chain));
    const hash = chainOf(createWasmHasher(chain), patterned(length, 9), PREFIX, 600);
    const after = memoryOf(chain);
    expect(after.includes(hash)).toBe(false);
    expect(after.subarray(SECRETS).every((byte) => byte === 0)).toBe(true);
    expect(after.equals(fresh)).toBe(true);
  });

  it.each(['absorb', 'endPrefix', 'finish', 'advance'] as const)('keeps nothing after an exception in %s, and goes on working', (step) => {
    let failing = true;
    const chain = instantiateChain(SCALAR_WASM);
    const hasher = createWasmHasher({
      ...chain,
      [step]: (argument: number) => {
        (chain[step] as (argument: number) => void)(argument);
        if (failing) throw new Error('broken machine');
      },
    });
    const value = utf8.encode('person@example.com');
    expect(() => chainOf(hasher, value, PREFIX, 600)).toThrow('broken machine');
    expect(memoryOf(chain).subarray(SECRETS).every((byte) => byte === 0)).toBe(true);
    failing = false;
    expect(chainOf(hasher, value, PREFIX, 600)).toBe(chainByNodeCrypto(value, PREFIX, 600));
  });

  it('wipes once a call, also when the rounds come in several slices', () => {
    const calls: string[] = [];
    const chain = instantiateChain(SCALAR_WASM);
    const counted = {
      ...chain,
      ...Object.fromEntries(
        (['begin', 'absorb', 'endPrefix', 'finish', 'advance', 'wipe'] as const).map((step) => [
          step,
          (argument: number) => { calls.push(step); (chain[step] as (argument: number) => void)(argument); },
        ]),
      ),
    };
    chainOf(createWasmHasher(counted), utf8.encode('x'), PREFIX, 1201);
    expect(calls).toEqual(['begin', 'absorb', 'absorb', 'finish', 'wipe', 'begin', 'absorb', 'endPrefix', 'advance', 'advance', 'advance', 'wipe']);
  });
});
