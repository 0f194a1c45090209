import sodium from 'libsodium-wrappers-sumo';
import { beforeAll, describe, expect, it } from 'vitest';
import { HASHES } from '../../src/sealed/byte-hashes.ts';
import type { SealedGroup } from '../../src/sealed/group/group.ts';
import { joinBytes, toAscii, withLengths } from '../../src/sealed/group/hash-to-group.ts';
import { createNobleArithmetic } from '../../src/sealed/group/noble.ts';
import { createSodiumArithmetic } from '../../src/sealed/group/sodium.ts';
import { BASE_MODE, createVoprf, VERIFIABLE_MODE } from '../../src/sealed/group/voprf.ts';
import { voprfVectors } from '../vectors/voprf.ts';
import { drawing, fromHex, toHex } from './group-samples.ts';

type Mode = typeof BASE_MODE | typeof VERIFIABLE_MODE;
const GROUPS: Record<string, (mode: Mode) => SealedGroup> = {
  noble: (mode) => createVoprf(createNobleArithmetic(), mode),
  libsodium: (mode) => createVoprf(createSodiumArithmetic(sodium), mode),
};

beforeAll(() => sodium.ready);

/** Finalize of RFC 9497, section 3.3.1. The sealed look-up does not use it. */
function finalize(input: string, element: Uint8Array): string {
  return toHex(HASHES.sha512(joinBytes([withLengths([fromHex(input), element]), toAscii('Finalize')])));
}

describe.each(Object.keys(GROUPS))('the vectors of RFC 9497 on %s', (name) => {
  it('A.1.1: key, blinded and evaluated elements and outputs', () => {
    const { seed, keyInfo, skSm, vectors: cases } = voprfVectors.oprf;
    const group = GROUPS[name]!(BASE_MODE);
    const { secretKey } = group.deriveKey(fromHex(seed), fromHex(keyInfo));
    expect(toHex(secretKey)).toBe(skSm);
    for (const { input, blind, blindedElement, evaluationElement, output } of cases) {
      const made = group.blind(fromHex(input[0]!), drawing(blind[0]!));
      expect([toHex(made.blind), toHex(made.blinded)]).toEqual([blind[0], blindedElement[0]]);
      const evaluated = group.multiply(secretKey, made.blinded);
      expect(toHex(evaluated)).toBe(evaluationElement[0]);
      expect(finalize(input[0]!, group.unblind(made.blind, evaluated))).toBe(output[0]);
    }
    expect(cases).toHaveLength(2);
  });

  it('A.1.2: keys, elements, proofs and outputs, single and batch', () => {
    const { seed, keyInfo, skSm, pkSm, vectors: cases } = voprfVectors.voprf;
    const group = GROUPS[name]!(VERIFIABLE_MODE);
    const { secretKey, publicKey } = group.deriveKey(fromHex(seed), fromHex(keyInfo));
    expect([toHex(secretKey), toHex(publicKey)]).toEqual([skSm, pkSm]);
    for (const { input, blind, blindedElement, evaluationElement, proof, proofRandomScalar, output } of cases) {
      const made = input.map((text, at) => group.blind(fromHex(text), drawing(blind[at]!)));
      const blinded = made.map((one) => one.blinded);
      expect(blinded.map(toHex)).toEqual(blindedElement);
      const answer = group.evaluate(secretKey, publicKey, blinded, drawing(proofRandomScalar));
      expect(answer.evaluated.map(toHex)).toEqual(evaluationElement);
      expect(toHex(answer.proof)).toBe(proof);
      group.verifyProof(publicKey, blinded, answer.evaluated, answer.proof);
      const outputs = made.map((one, at) => finalize(input[at]!, group.unblind(one.blind, answer.evaluated[at]!)));
      expect(outputs).toEqual(output);
    }
    expect(cases.map(({ input }) => input.length)).toEqual([1, 1, 2]);
  });
});
