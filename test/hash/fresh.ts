import { instantiateChain, type ChainModule } from '../../src/core/hash/chain-module.ts';
import type { Hasher } from '../../src/core/hash/hasher.ts';
import { SCALAR_WASM } from '../../src/core/hash/scalar.generated.ts';
import { SIMD_WASM } from '../../src/core/hash/simd.generated.ts';
import { createWasmHasher } from '../../src/core/hash/wasm.ts';

export type WasmName = Parameters<typeof createWasmHasher>[0];

/** An instance of the module that a hasher of this name runs on. */
export function freshModule(name: WasmName): ChainModule {
  return instantiateChain(name === 'scalar' ? SCALAR_WASM : SIMD_WASM);
}

/** A hasher that shares nothing with the others. */
export function freshHasher(name: WasmName): Hasher {
  return createWasmHasher(name, freshModule(name));
}
