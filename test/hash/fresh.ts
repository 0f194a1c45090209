import { instantiateChain, type ChainModule } from '../../src/hash/chain-module.ts';
import type { Hasher } from '../../src/hash/hasher.ts';
import { SCALAR_WASM } from '../../src/hash/scalar.generated.ts';
import { SIMD_WASM } from '../../src/hash/simd.generated.ts';
import { createWasmHasher } from '../../src/hash/wasm.ts';

export type WasmName = Parameters<typeof createWasmHasher>[0];

/** An instance of the module that a hasher of this name runs on. */
export function freshModule(name: WasmName): ChainModule {
  return instantiateChain(name === 'scalar' ? SCALAR_WASM : SIMD_WASM);
}

/** A hasher that shares nothing with the others. */
export function freshHasher(name: WasmName): Hasher {
  return createWasmHasher(name, freshModule(name));
}
