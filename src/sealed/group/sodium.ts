import { requireFunction } from '../../core/domain/options.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { SealedGroup } from './group.ts';
import { createVoprf } from './voprf.ts';

/** The functions of `libsodium-wrappers-sumo` that are used. The types are own: the package is an optional peer. */
export interface Sodium {
  /** Adds two elements. */
  readonly crypto_core_ristretto255_add: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** Maps 64 bytes to an element. */
  readonly crypto_core_ristretto255_from_hash: (bytes: Uint8Array) => Uint8Array;
  /** Returns true for a canonical encoding. */
  readonly crypto_core_ristretto255_is_valid_point: (bytes: Uint8Array) => boolean;
  /** Inverts a scalar. */
  readonly crypto_core_ristretto255_scalar_invert: (bytes: Uint8Array) => Uint8Array;
  /** Multiplies two scalars. */
  readonly crypto_core_ristretto255_scalar_mul: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** Reduces 64 bytes to a scalar. */
  readonly crypto_core_ristretto255_scalar_reduce: (bytes: Uint8Array) => Uint8Array;
  /** Subtracts two scalars. */
  readonly crypto_core_ristretto255_scalar_sub: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** Multiplies an element by a scalar. */
  readonly crypto_scalarmult_ristretto255: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** Multiplies the generator by a scalar. */
  readonly crypto_scalarmult_ristretto255_base: (bytes: Uint8Array) => Uint8Array;
}

const NAMES = [
  'crypto_core_ristretto255_add',
  'crypto_core_ristretto255_from_hash',
  'crypto_core_ristretto255_is_valid_point',
  'crypto_core_ristretto255_scalar_invert',
  'crypto_core_ristretto255_scalar_mul',
  'crypto_core_ristretto255_scalar_reduce',
  'crypto_core_ristretto255_scalar_sub',
  'crypto_scalarmult_ristretto255',
  'crypto_scalarmult_ristretto255_base',
] as const satisfies readonly (keyof Sodium)[];

/**
 * Returns the arithmetic of libsodium: C in WebAssembly, constant-time as far as the engine keeps it. An element stays
 * in its encoded form, which each function decodes again.
 */
export function createSodiumArithmetic(sodium: Sodium): Arithmetic<Uint8Array> {
  const base = sodium.crypto_scalarmult_ristretto255_base(Uint8Array.of(1, ...new Uint8Array(31)));
  const multiplyBase = (scalar: Uint8Array): Uint8Array => sodium.crypto_scalarmult_ristretto255_base(scalar);
  const multiply = (scalar: Uint8Array, element: Uint8Array): Uint8Array =>
    sodium.crypto_scalarmult_ristretto255(scalar, element);
  return {
    name: 'libsodium',
    base,
    decode: (bytes) => (sodium.crypto_core_ristretto255_is_valid_point(bytes) ? bytes : undefined),
    encode: (element) => element,
    fromUniform: (bytes) => sodium.crypto_core_ristretto255_from_hash(bytes),
    multiply,
    multiplyBase,
    sum: (scalars, elements) =>
      elements
        .map((element, at) => (element === base ? multiplyBase(scalars[at]!) : multiply(scalars[at]!, element)))
        .reduce((left, right) => sodium.crypto_core_ristretto255_add(left, right)),
    reduce: (bytes) => sodium.crypto_core_ristretto255_scalar_reduce(bytes),
    multiplyScalars: (a, b) => sodium.crypto_core_ristretto255_scalar_mul(a, b),
    subtractScalars: (a, b) => sodium.crypto_core_ristretto255_scalar_sub(a, b),
    invertScalar: (scalar) => sodium.crypto_core_ristretto255_scalar_invert(scalar),
  };
}

/**
 * Returns the group over libsodium: for servers. Pass the module `libsodium-wrappers-sumo` (0.8.4 or newer) after its
 * promise `ready` has resolved. Throws TypeError if a function is missing: the module is not ready, or not the *sumo*
 * build.
 */
export function createSodiumGroup(sodium: Sodium): SealedGroup {
  for (const name of NAMES) requireFunction(`sodium.${name}`, sodium[name]);
  return createVoprf(createSodiumArithmetic(sodium));
}
