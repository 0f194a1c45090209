import { instantiateChain } from './chain-module.ts';
import { assertHasherName, type Hasher, type HasherName } from './hasher.ts';
import { createPlainHasher } from './plain.ts';
import { SCALAR_WASM } from './scalar.generated.ts';
import { SIMD_WASM } from './simd.generated.ts';
import { createWasmHasher } from './wasm.ts';

/** Each is made once, on first use, and throws what the platform throws where it is missing or forbidden. */
const HASHERS: Readonly<Record<HasherName, () => Hasher>> = {
  plain: /* @__PURE__ */ once(createPlainHasher),
  scalar: /* @__PURE__ */ once(() => createWasmHasher('scalar', instantiateChain(SCALAR_WASM))),
  simd: /* @__PURE__ */ once(() => createWasmHasher('simd', instantiateChain(SIMD_WASM))),
  // An instance of its own: V8 decides when it compiles whether its flag holds.
  wide: /* @__PURE__ */ once(() => createWasmHasher('wide', instantiateChain(SIMD_WASM))),
};

const fastest = /* @__PURE__ */ once(() => {
  for (const name of ['simd', 'scalar'] as const) {
    try {
      return HASHERS[name]();
    } catch {
      // No vectors: an old browser. No WebAssembly: a content security policy without 'wasm-unsafe-eval', or a runtime that
      // compiles no bytes.
    }
  }
  return HASHERS.plain();
});

/**
 * The hasher to use: the one named, or else the fastest that this platform allows. This is the only feature detection.
 * `wide` is never taken unless it is named.
 *
 * Naming one that the platform does not allow throws what the platform throws; any other name throws a TypeError.
 */
export function choose(name?: HasherName): Hasher {
  if (name === undefined) return fastest();
  assertHasherName(name);
  return HASHERS[name]();
}

/** Makes the value on the first call and keeps it. A failed attempt is not kept. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
