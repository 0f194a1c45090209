import type { Hasher, HasherName } from './hasher.ts';
import { createPlainHasher } from './plain.ts';
import { createWasmHasher } from './wasm.ts';

/**
 * The hasher to use: the one named, or else the fastest that this platform allows. Each is made once, on first use.
 *
 * This is the only feature detection. Naming `scalar` where WebAssembly is missing or forbidden throws what the platform
 * throws; without a name `plain` takes its place. Any other name throws a TypeError.
 */
export function choose(name?: HasherName): Hasher {
  switch (name) {
    case undefined:
      return fastest();
    case 'plain':
      return plain();
    case 'scalar':
      return scalar();
    default:
      throw new TypeError(`"hasher" expected 'plain' or 'scalar', got ${typeof name === 'string' ? 'another name' : typeof name}`);
  }
}

const plain = once(createPlainHasher);
const scalar = once(() => createWasmHasher());
const fastest = once(() => {
  try {
    return scalar();
  } catch {
    // A content security policy without 'wasm-unsafe-eval', a runtime that compiles no bytes, or no WebAssembly at all.
    return plain();
  }
});

/** Makes the value on the first call and keeps it. A failed attempt is not kept. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
