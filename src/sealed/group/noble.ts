import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { invertCt } from '@noble/curves/abstract/modular.js';
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import type { Arithmetic } from './arithmetic.ts';
import type { SealedGroup } from './group.ts';
import { createVoprf } from './voprf.ts';

type Element = typeof ristretto255.Point.BASE;

/** Returns the arithmetic of @noble/curves. Runs everywhere. BigInt takes a time that depends on the values. */
export function createNobleArithmetic(): Arithmetic<Element> {
  const { Point } = ristretto255;
  const { Fn } = Point;
  return {
    name: 'noble',
    base: Point.BASE,
    decode(bytes) {
      try {
        return Point.fromBytes(bytes);
      } catch {
        return undefined;
      }
    },
    encode: (element) => element.toBytes(),
    // Optional in the type only: other groups have no such map.
    fromUniform: (bytes) => ristretto255_hasher.deriveToCurve!(bytes),
    multiply: (scalar, element) => element.multiply(bytesToNumberLE(scalar)),
    multiplyBase: (scalar) => Point.BASE.multiply(bytesToNumberLE(scalar)),
    sum: (scalars, elements) => mulAddUnsafe(Point, [...elements], scalars.map(bytesToNumberLE)),
    reduce: (bytes) => Fn.toBytes(Fn.create(bytesToNumberLE(bytes))),
    multiplyScalars: (a, b) => Fn.toBytes(Fn.mul(bytesToNumberLE(a), bytesToNumberLE(b))),
    subtractScalars: (a, b) => Fn.toBytes(Fn.sub(bytesToNumberLE(a), bytesToNumberLE(b))),
    // Not `Fn.inv`: the steps of Euclid's algorithm depend on the secret.
    invertScalar: (scalar) => Fn.toBytes(invertCt(bytesToNumberLE(scalar), Fn.ORDER)),
  };
}

/** Returns the group over @noble/curves: for clients, and for servers without libsodium. */
export function createNobleGroup(): SealedGroup {
  return createVoprf(createNobleArithmetic());
}
