import { fromBase64Url, toBase64Url } from './encoding.ts';
import { SealedError } from './errors.ts';
import { PROOF_BYTES, type Evaluation } from './group/group.ts';
import { verifyProof } from './group/voprf.ts';

/** Returns an evaluation as replies state it: bytes in base64url. */
export function toReply({ evaluated, proof }: Evaluation) {
  return { evaluated: evaluated.map((element) => toBase64Url(element)), proof: toBase64Url(proof) };
}

/** Returns the evaluation of `count` elements in a reply, not verified yet; undefined if it is not of that form. */
export function fromReply(value: unknown, count: number): Evaluation | undefined {
  const reply = Object(value) as Readonly<Record<'evaluated' | 'proof', unknown>>;
  const elements = Array.isArray(reply.evaluated) ? reply.evaluated.map(fromBase64Url) : [];
  const proof = fromBase64Url(reply.proof);
  if (elements.length !== count || elements.includes(undefined) || proof?.length !== PROOF_BYTES) return undefined;
  return { evaluated: elements as Uint8Array[], proof };
}

/**
 * Verifies the first step of an evaluation, that of the evaluator. Throws `invalid-evaluator-proof` unless the
 * elements are those of the secret key of `publicKey` (pk0).
 */
export function verifyEvaluator(publicKey: Uint8Array, blinded: readonly Uint8Array[], evaluation: Evaluation): void {
  try {
    verifyProof(publicKey, blinded, evaluation);
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    const message = 'the proof does not hold under the public key of the evaluator; do not use the evaluation';
    throw new SealedError('invalid-evaluator-proof', message, { cause: error });
  }
}
