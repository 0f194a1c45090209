import { instantiateChain } from './chain-module.ts';
import { assertHasherName, type Hasher, type HasherName } from './hasher.ts';
import { createPlainHasher } from './plain.ts';
import { SCALAR_WASM } from './scalar.generated.ts';
import { SIMD_WASM } from './simd.generated.ts';
import { createWasmHasher } from './wasm.ts';

/** Each hasher is created once, on first use. If WebAssembly is unavailable, creation throws the platform's error. */
const HASHERS: Readonly<Record<HasherName, () => Hasher>> = {
  plain: /* @__PURE__ */ once(createPlainHasher),
  scalar: /* @__PURE__ */ once(() => createWasmHasher('scalar', instantiateChain(SCALAR_WASM))),
  simd: /* @__PURE__ */ once(() => createWasmHasher('simd', instantiateChain(SIMD_WASM))),
  // Not the instance of `simd`: V8 reads `--experimental-wasm-revectorize` when it compiles an instance.
  wide: /* @__PURE__ */ once(() => createWasmHasher('wide', instantiateChain(SIMD_WASM))),
};

const fastest = /* @__PURE__ */ once(() => {
  for (const name of ['simd', 'scalar'] as const) {
    try {
      return HASHERS[name]();
    } catch {
      // Old browsers have no vector instructions. WebAssembly is unavailable if a content security policy lacks
      // 'wasm-unsafe-eval', or if the runtime does not allow programs to compile bytes.
    }
  }
  return HASHERS.plain();
});

/**
 * Returns the named hasher, or by default the fastest that the platform allows. This is the only feature detection.
 * `wide` is never the default.
 *
 * Throws TypeError for an unknown name. If the platform does not allow the named hasher, throws an error that says what
 * to use instead, with the platform's error as `cause`.
 */
export function choose(name?: HasherName): Hasher {
  if (name === undefined) return fastest();
  assertHasherName(name);
  try {
    return HASHERS[name]();
  } catch (cause) {
    throw new Error(
      `"hasher": this platform forbids or lacks the WebAssembly of ${name}: leave the option out, or use plain; in workerd, set the export condition workerd`,
      { cause },
    );
  }
}

/** Returns a function that creates the value at its first call and keeps it. A failed creation is retried. */
function once<T extends object>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}
