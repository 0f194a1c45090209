import { HASHES } from '../byte-hashes.ts';
import { SealedError } from '../errors.ts';
import { isScalar, requireBatch, requireElement, requireScalar } from './decode.ts';
import { PROOF_BYTES, SCALAR_BYTES, type Blinded, type Evaluation, type Random } from './group.ts';
import { expandMessage, joinBytes, toAscii, twoBytes, UNIFORM_BYTES, withLengths } from './hash-to-group.ts';
import { sodium } from './sodium.ts';

// The group ristretto255 with SHA-512 and the VOPRF of RFC 9497, mode 1, over libsodium. Await `loadSodium` first.
//
// Elements and keys are 32 bytes, as are scalars. Decoding is strict: an element must be canonical and not the identity
// (`invalid-element`), a scalar below the order and not zero (`invalid-scalar`). A batch has 1 to 32 elements
// (`invalid-batch`). Refusals are thrown as `SealedError`.

/** Maximum bytes of an input (RFC 9497, section 1.2). */
const MAX_INPUT_BYTES = 65_535;

const CONTEXT = /* @__PURE__ */ joinBytes([toAscii('OPRFV1-'), Uint8Array.of(1), toAscii('-ristretto255-SHA512')]);
const HASH_TO_GROUP = /* @__PURE__ */ joinBytes([toAscii('HashToGroup-'), CONTEXT]);
const HASH_TO_SCALAR = /* @__PURE__ */ joinBytes([toAscii('HashToScalar-'), CONTEXT]);
const SEED = /* @__PURE__ */ joinBytes([toAscii('Seed-'), CONTEXT]);
const COMPOSITE = /* @__PURE__ */ toAscii('Composite');
const CHALLENGE = /* @__PURE__ */ toAscii('Challenge');

/** Returns a uniform scalar, never zero (RFC 9497, section 2.1). Draws 64 bytes, and again if they reduce to zero. */
export function randomScalar(random: Random): Uint8Array {
  for (;;) {
    const scalar = sodium().crypto_core_ristretto255_scalar_reduce(random(UNIFORM_BYTES));
    if (isScalar(scalar)) return scalar;
  }
}

/** Returns a⁻¹ mod the order. */
export function invertScalar(scalar: Uint8Array): Uint8Array {
  return sodium().crypto_core_ristretto255_scalar_invert(requireScalar(scalar, 'scalar'));
}

/** Returns secretKey · G. */
export function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  return sodium().crypto_scalarmult_ristretto255_base(requireScalar(secretKey, 'secret key'));
}

/** Returns H1(input), the HashToGroup of RFC 9497, section 4.1. At most 65,535 bytes, else `invalid-input`. */
export function hashToGroup(input: Uint8Array): Uint8Array {
  if (!(input instanceof Uint8Array) || input.length > MAX_INPUT_BYTES)
    throw new SealedError('invalid-input', `an input expected at most ${MAX_INPUT_BYTES} bytes`);
  // The identity has a chance of 2^-252 and no secret reveals it, so no input is known for it.
  return sodium().crypto_core_ristretto255_from_hash(expandMessage(input, HASH_TO_GROUP));
}

/** Returns scalar · element. */
export function multiply(scalar: Uint8Array, element: Uint8Array): Uint8Array {
  return times(requireScalar(scalar, 'scalar'), requireElement(element, 'element'));
}

/** Client: returns a fresh blind and blind · H1(input) (RFC 9497, section 3.3.2). */
export function blind(input: Uint8Array, random: Random): Blinded {
  const element = hashToGroup(input);
  const scalar = randomScalar(random);
  return { blind: scalar, blinded: times(scalar, element) };
}

/**
 * Server: returns secretKey · element for each element, with the proof that publicKey is secretKey · G (RFC 9497,
 * sections 2.2.1 and 3.3.2). If it is not, the result is no valid proof.
 */
export function evaluate(
  secretKey: Uint8Array,
  publicKey: Uint8Array,
  blinded: readonly Uint8Array[],
  random: Random,
): Evaluation {
  requireScalar(secretKey, 'secret key');
  requireElement(publicKey, 'public key');
  requireBatch(blinded, 'blinded element');
  const evaluated = blinded.map((element) => times(secretKey, element));
  // GenerateProof with ComputeCompositesFast: Z = k · M.
  const m = sum(weightsOf(publicKey, blinded, evaluated), blinded);
  const z = times(secretKey, m);
  const r = randomScalar(random);
  const c = challengeOf([publicKey, m, z, publicKeyOf(r), times(r, m)]);
  const { crypto_core_ristretto255_scalar_mul: product, crypto_core_ristretto255_scalar_sub: difference } = sodium();
  return { evaluated, proof: joinBytes([c, difference(r, product(c, secretKey))]) };
}

/** Client: throws `invalid-proof` unless the proof holds (RFC 9497, section 2.2.2). All elements may be untrusted. */
export function verifyProof(
  publicKey: Uint8Array,
  blinded: readonly Uint8Array[],
  { evaluated, proof }: Evaluation,
): void {
  requireElement(publicKey, 'public key');
  requireBatch(blinded, 'blinded element');
  if (!Array.isArray(evaluated) || blinded.length !== evaluated.length)
    throw new SealedError('invalid-batch', 'a proof expected as many evaluated elements as blinded ones');
  requireBatch(evaluated, 'evaluated element');
  if (!(proof instanceof Uint8Array) || proof.length !== PROOF_BYTES) throw invalidProof();
  const c = proof.slice(0, SCALAR_BYTES);
  const s = proof.slice(SCALAR_BYTES);
  if (!isScalar(c) || !isScalar(s)) throw invalidProof();
  let expected: Uint8Array;
  try {
    const weights = weightsOf(publicKey, blinded, evaluated);
    const m = sum(weights, blinded);
    const z = sum(weights, evaluated);
    const t2 = sodium().crypto_core_ristretto255_add(publicKeyOf(s), times(c, publicKey));
    expected = challengeOf([publicKey, m, z, t2, sum([s, c], [m, z])]);
  } catch {
    // A composite or weight is zero. No honest batch has one, up to a chance of 2^-250.
    throw invalidProof();
  }
  if (c.some((byte, at) => byte !== expected[at])) throw invalidProof();
}

/** Client: returns blind⁻¹ · evaluated = secretKey · H1(input). Verify the proof first. */
export function unblind(scalar: Uint8Array, evaluated: Uint8Array): Uint8Array {
  return times(invertScalar(scalar), requireElement(evaluated, 'evaluated element'));
}

function times(scalar: Uint8Array, element: Uint8Array): Uint8Array {
  return sodium().crypto_scalarmult_ristretto255(scalar, element);
}

/** Returns the sum of scalars[i] · elements[i]. Throws if a scalar is zero or an element the identity. */
function sum(scalars: readonly Uint8Array[], elements: readonly Uint8Array[]): Uint8Array {
  return elements
    .map((element, at) => times(scalars[at]!, element))
    .reduce((left, right) => sodium().crypto_core_ristretto255_add(left, right));
}

function hashToScalar(message: Uint8Array): Uint8Array {
  return sodium().crypto_core_ristretto255_scalar_reduce(expandMessage(message, HASH_TO_SCALAR));
}

/** Returns the weights d_i of ComputeComposites (RFC 9497, section 2.2.1). */
function weightsOf(publicKey: Uint8Array, blinded: readonly Uint8Array[], evaluated: readonly Uint8Array[]) {
  const seed = HASHES.sha512(withLengths([publicKey, SEED]));
  return blinded.map((element, at) =>
    hashToScalar(joinBytes([withLengths([seed]), twoBytes(at), withLengths([element, evaluated[at]!]), COMPOSITE])),
  );
}

/** Returns the challenge c of a proof. */
function challengeOf(elements: readonly Uint8Array[]): Uint8Array {
  return hashToScalar(joinBytes([withLengths(elements), CHALLENGE]));
}

function invalidProof(): SealedError {
  return new SealedError(
    'invalid-proof',
    'the proof does not hold for these elements and this public key; do not use the evaluation',
  );
}
