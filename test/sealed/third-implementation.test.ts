import { DLEQProof, DLEQVerifier, EvaluationRequest, Oprf, VOPRFClient, VOPRFServer } from '@cloudflare/voprf-ts';
import { CryptoNoble } from '@cloudflare/voprf-ts/crypto-noble';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import * as group from '../../src/sealed/group/voprf.ts';
import { bytesOf, seededRandom } from './group-samples.ts';

const SUITE = Oprf.Suite.RISTRETTO255_SHA512;

beforeAll(loadSodium);

/** Keys, inputs and their blinded elements, from one seed. */
function sample(seed: string, size: number) {
  const random = seededRandom(seed);
  const secretKey = group.randomScalar(random);
  const inputs = Array.from({ length: size }, () => random(20));
  const blinds = inputs.map((input) => group.blind(input, random));
  return {
    random,
    secretKey,
    publicKey: group.publicKeyOf(secretKey),
    inputs,
    blinds,
    blinded: blinds.map((one) => one.blinded),
  };
}

// Cloudflare's library runs on the older @noble/curves that it brings along.
describe('@cloudflare/voprf-ts', () => {
  it.each([1, 2, 5])('agrees on evaluations and proofs of %i, both ways', async (size) => {
    const theirs = Oprf.getGroup(SUITE, CryptoNoble);
    const { random, secretKey, publicKey, inputs, blinds, blinded } = sample(`cloudflare ${size}`, size);

    // Their server, our client.
    const server = new VOPRFServer(SUITE, secretKey, CryptoNoble);
    const request = new EvaluationRequest(blinded.map((bytes) => theirs.desElt(bytes)));
    const answer = await server.blindEvaluate(request);
    const evaluated = answer.evaluated.map((element) => element.serialize(true));
    group.verifyProof(publicKey, blinded, { evaluated, proof: answer.proof!.serialize() });
    expect(evaluated).toEqual(blinded.map((one) => group.multiply(secretKey, one)));
    for (const [at, { blind }] of blinds.entries())
      expect(group.unblind(blind, evaluated[at]!)).toEqual(group.multiply(secretKey, group.hashToGroup(inputs[at]!)));

    // Our server, their client.
    const [state, theirRequest] = await new VOPRFClient(SUITE, publicKey, CryptoNoble).blind(inputs);
    const theirBlinded = theirRequest.blinded.map((element) => element.serialize(true));
    const ours = group.evaluate(secretKey, publicKey, theirBlinded, random);
    for (const [at, scalar] of state.blinds.entries())
      expect(group.unblind(scalar.serialize(), ours.evaluated[at]!)).toEqual(
        group.multiply(secretKey, group.hashToGroup(inputs[at]!)),
      );
    const dst = bytesOf('OPRFV1-\u0001-ristretto255-SHA512');
    const verifier = new DLEQVerifier({ group: theirs.id, hash: 'SHA-512', dst }, CryptoNoble);
    const proof = DLEQProof.deserialize(theirs.id, ours.proof, CryptoNoble);
    const pairs = theirRequest.blinded.map(
      (element, at) => [element, theirs.desElt(ours.evaluated[at]!)] satisfies [unknown, unknown],
    );
    const key = theirs.desElt(publicKey);
    expect(await verifier.verify_batch([theirs.generator(), key], pairs, proof)).toBe(true);
    expect(await verifier.verify_batch([theirs.generator(), key.add(key)], pairs, proof)).toBe(false);
  });
});
