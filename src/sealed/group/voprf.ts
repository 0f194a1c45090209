import { HASHES } from '../byte-hashes.ts';
import { SealedGroupError } from '../errors.ts';
import type { Arithmetic } from './arithmetic.ts';
import { isScalar, requireBatch, requireElement, requireScalar } from './decode.ts';
import { PROOF_BYTES, SCALAR_BYTES, SEED_BYTES, type Random, type SealedGroup } from './group.ts';
import { expandMessage, joinBytes, toAscii, twoBytes, UNIFORM_BYTES, withLengths } from './hash-to-group.ts';

/** Modes of RFC 9497, section 3.1. The sealed look-up uses `VERIFIABLE`; tests also run the vectors of `BASE`. */
export const BASE_MODE = 0;
export const VERIFIABLE_MODE = 1;

/** Maximum bytes of an input and of the text of a key (RFC 9497, section 1.2). */
const MAX_INPUT_BYTES = 65_535;

/**
 * Returns the VOPRF of RFC 9497 for ristretto255-SHA512 over an implementation of the arithmetic. The mode is part of
 * each domain separation tag.
 */
export function createVoprf<E>(
  arithmetic: Arithmetic<E>,
  mode: typeof BASE_MODE | typeof VERIFIABLE_MODE = VERIFIABLE_MODE,
): SealedGroup {
  const context = joinBytes([toAscii('OPRFV1-'), Uint8Array.of(mode), toAscii('-ristretto255-SHA512')]);
  const tagOf = (label: string): Uint8Array => joinBytes([toAscii(label), context]);
  const HASH_TO_GROUP = tagOf('HashToGroup-');
  const HASH_TO_SCALAR = tagOf('HashToScalar-');
  const DERIVE_KEY = tagOf('DeriveKeyPair');
  const SEED = tagOf('Seed-');
  const COMPOSITE = toAscii('Composite');
  const CHALLENGE = toAscii('Challenge');

  const hashToScalar = (message: Uint8Array, tag = HASH_TO_SCALAR): Uint8Array =>
    arithmetic.reduce(expandMessage(message, tag));

  const randomScalar = (random: Random): Uint8Array => {
    for (;;) {
      const scalar = arithmetic.reduce(random(UNIFORM_BYTES));
      if (isScalar(scalar)) return scalar;
    }
  };

  const hashToElement = (input: Uint8Array): E => {
    if (!(input instanceof Uint8Array) || input.length > MAX_INPUT_BYTES)
      throw new SealedGroupError('invalid-input', `an input expected at most ${MAX_INPUT_BYTES} bytes`);
    // The identity has a chance of 2^-252 and no secret reveals it, so no input is known for it.
    return arithmetic.fromUniform(expandMessage(input, HASH_TO_GROUP));
  };

  /** Returns the weights d_i of ComputeComposites (RFC 9497, section 2.2.1). */
  const weightsOf = (publicKey: Uint8Array, blinded: readonly Uint8Array[], evaluated: readonly Uint8Array[]) => {
    const seed = HASHES.sha512(withLengths([publicKey, SEED]));
    return blinded.map((element, at) =>
      hashToScalar(joinBytes([withLengths([seed]), twoBytes(at), withLengths([element, evaluated[at]!]), COMPOSITE])),
    );
  };

  /** Returns the challenge c of a proof. */
  const challengeOf = (publicKey: Uint8Array, elements: readonly E[]): Uint8Array =>
    hashToScalar(
      joinBytes([withLengths([publicKey, ...elements.map((element) => arithmetic.encode(element))]), CHALLENGE]),
    );

  /** GenerateProof with ComputeCompositesFast: Z = k · M. */
  const prove = (
    secretKey: Uint8Array,
    publicKey: Uint8Array,
    blinded: { readonly bytes: readonly Uint8Array[]; readonly elements: readonly E[] },
    evaluated: readonly Uint8Array[],
    random: Random,
  ): Uint8Array => {
    requireElement(arithmetic, publicKey, 'public key');
    const m = arithmetic.sum(weightsOf(publicKey, blinded.bytes, evaluated), blinded.elements);
    const z = arithmetic.multiply(secretKey, m);
    const r = randomScalar(random);
    const c = challengeOf(publicKey, [m, z, arithmetic.multiplyBase(r), arithmetic.multiply(r, m)]);
    return joinBytes([c, arithmetic.subtractScalars(r, arithmetic.multiplyScalars(c, secretKey))]);
  };

  const publicKeyOf = (secretKey: Uint8Array): Uint8Array =>
    arithmetic.encode(arithmetic.multiplyBase(requireScalar(secretKey, 'secret key')));

  return {
    name: arithmetic.name,
    randomScalar,
    multiplyScalars: (a, b) =>
      arithmetic.multiplyScalars(requireScalar(a, 'first scalar'), requireScalar(b, 'second scalar')),
    invertScalar: (scalar) => arithmetic.invertScalar(requireScalar(scalar, 'scalar')),

    deriveKey(seed, info) {
      if (!(seed instanceof Uint8Array) || seed.length !== SEED_BYTES || info.length > MAX_INPUT_BYTES)
        throw new SealedGroupError('invalid-input', `a key expected a seed of ${SEED_BYTES} bytes and a short text`);
      for (let counter = 0; ; counter++) {
        const secretKey = hashToScalar(joinBytes([seed, withLengths([info]), Uint8Array.of(counter)]), DERIVE_KEY);
        if (isScalar(secretKey)) return { secretKey, publicKey: publicKeyOf(secretKey) };
      }
    },
    publicKey: publicKeyOf,

    hashToGroup: (input) => arithmetic.encode(hashToElement(input)),
    multiply: (scalar, element) =>
      arithmetic.encode(
        arithmetic.multiply(requireScalar(scalar, 'scalar'), requireElement(arithmetic, element, 'element')),
      ),

    blind(input, random) {
      const element = hashToElement(input);
      const blind = randomScalar(random);
      return { blind, blinded: arithmetic.encode(arithmetic.multiply(blind, element)) };
    },
    evaluate(secretKey, publicKey, blinded, random) {
      requireScalar(secretKey, 'secret key');
      const elements = requireBatch(arithmetic, blinded, 'blinded element');
      const evaluated = elements.map((element) => arithmetic.encode(arithmetic.multiply(secretKey, element)));
      return { evaluated, proof: prove(secretKey, publicKey, { bytes: blinded, elements }, evaluated, random) };
    },
    verifyProof(publicKey, blinded, evaluated, proof) {
      const key = requireElement(arithmetic, publicKey, 'public key');
      const c = requireBatch(arithmetic, blinded, 'blinded element');
      if (!Array.isArray(evaluated) || blinded.length !== evaluated.length)
        throw new SealedGroupError('invalid-batch', 'a proof expected as many evaluated elements as blinded ones');
      const d = requireBatch(arithmetic, evaluated, 'evaluated element');
      if (!(proof instanceof Uint8Array) || proof.length !== PROOF_BYTES) throw invalidProof();
      const challenge = proof.slice(0, SCALAR_BYTES);
      const response = proof.slice(SCALAR_BYTES);
      if (!isScalar(challenge) || !isScalar(response)) throw invalidProof();
      let expected: Uint8Array;
      try {
        const weights = weightsOf(publicKey, blinded, evaluated);
        const m = arithmetic.sum(weights, c);
        const z = arithmetic.sum(weights, d);
        const scalars = [response, challenge];
        const t2 = arithmetic.sum(scalars, [arithmetic.base, key]);
        expected = challengeOf(publicKey, [m, z, t2, arithmetic.sum(scalars, [m, z])]);
      } catch {
        // A composite or weight is zero. No honest batch has one, up to a chance of 2^-250.
        throw invalidProof();
      }
      if (challenge.some((byte, at) => byte !== expected[at])) throw invalidProof();
    },
    unblind: (blind, evaluated) =>
      arithmetic.encode(
        arithmetic.multiply(
          arithmetic.invertScalar(requireScalar(blind, 'blind')),
          requireElement(arithmetic, evaluated, 'evaluated element'),
        ),
      ),
  };
}

function invalidProof(): SealedGroupError {
  return new SealedGroupError(
    'invalid-proof',
    'the proof does not hold for these elements and this public key; do not use the evaluation',
  );
}
