import { beforeAll, describe, expect, it } from 'vitest';
import { HASHES } from '../../src/sealed/byte-hashes.ts';
import { joinBytes, toAscii, withLengths } from '../../src/sealed/group/hash-to-group.ts';
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import * as group from '../../src/sealed/group/voprf.ts';
import { voprfVectors } from '../vectors/voprf.ts';
import { drawing, fromHex, toHex } from './group-samples.ts';

beforeAll(loadSodium);

/** Finalize of RFC 9497, section 3.3.1. The sealed look-up does not use it. */
function finalize(input: string, element: Uint8Array): string {
  return toHex(HASHES.sha512(joinBytes([withLengths([fromHex(input), element]), toAscii('Finalize')])));
}

describe('the vectors of RFC 9497', () => {
  it('A.1.2: keys, elements, proofs and outputs, single and batch', () => {
    const { skSm, pkSm, vectors: cases } = voprfVectors.voprf;
    const [secretKey, publicKey] = [fromHex(skSm), fromHex(pkSm)];
    expect(group.publicKeyOf(secretKey)).toEqual(publicKey);
    for (const { input, blind, blindedElement, evaluationElement, proof, proofRandomScalar, output } of cases) {
      const made = input.map((text, at) => group.blind(fromHex(text), drawing(blind[at]!)));
      const blinded = made.map((one) => one.blinded);
      expect(blinded.map(toHex)).toEqual(blindedElement);
      const answer = group.evaluate(secretKey, publicKey, blinded, drawing(proofRandomScalar));
      expect(answer.evaluated.map(toHex)).toEqual(evaluationElement);
      expect(toHex(answer.proof)).toBe(proof);
      group.verifyProof(publicKey, blinded, answer);
      const outputs = made.map((one, at) => finalize(input[at]!, group.unblind(one.blind, answer.evaluated[at]!)));
      expect(outputs).toEqual(output);
    }
    expect(cases.map(({ input }) => input.length)).toEqual([1, 1, 2]);
  });
});
