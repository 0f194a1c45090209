import {
  DLEQProof,
  DLEQVerifier,
  deriveKeyPair,
  EvaluationRequest,
  Oprf,
  VOPRFClient,
  VOPRFServer,
} from '@cloudflare/voprf-ts';
import { CryptoNoble } from '@cloudflare/voprf-ts/crypto-noble';
import { ristretto255_oprf } from '@noble/curves/ed25519.js';
import sodium from 'libsodium-wrappers-sumo';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SealedGroup } from '../../src/sealed/group/group.ts';
import { createNobleGroup } from '../../src/sealed/group/noble.ts';
import { createSodiumGroup } from '../../src/sealed/group/sodium.ts';
import { bytesOf, seededRandom } from './group-samples.ts';

const SUITE = Oprf.Suite.RISTRETTO255_SHA512;
const GROUPS: Record<string, () => SealedGroup> = {
  noble: () => createNobleGroup(),
  libsodium: () => createSodiumGroup(sodium),
};

beforeAll(() => sodium.ready);

/** Keys, inputs and their blinded elements, from one seed. */
function sample(group: SealedGroup, seed: string, size: number) {
  const random = seededRandom(seed);
  const keySeed = random(32);
  const { secretKey, publicKey } = group.deriveKey(keySeed, bytesOf('a key'));
  const inputs = Array.from({ length: size }, () => random(20));
  const blinds = inputs.map((input) => group.blind(input, random));
  return { random, keySeed, secretKey, publicKey, inputs, blinds, blinded: blinds.map((one) => one.blinded) };
}

// Cloudflare's library runs on the older @noble/curves that it brings along.
describe.each(Object.keys(GROUPS))('@cloudflare/voprf-ts and the group over %s', (name) => {
  it.each([1, 2, 5])('agree on keys, evaluations and proofs of %i, both ways', async (size) => {
    const group = GROUPS[name]!();
    const theirs = Oprf.getGroup(SUITE, CryptoNoble);
    const { random, keySeed, secretKey, publicKey, inputs, blinds, blinded } = sample(group, `${name} ${size}`, size);
    expect(await deriveKeyPair(Oprf.Mode.VOPRF, SUITE, keySeed, bytesOf('a key'), CryptoNoble)).toEqual({
      privateKey: secretKey,
      publicKey,
    });

    // Their server, our client.
    const server = new VOPRFServer(SUITE, secretKey, CryptoNoble);
    const request = new EvaluationRequest(blinded.map((bytes) => theirs.desElt(bytes)));
    const answer = await server.blindEvaluate(request);
    const evaluated = answer.evaluated.map((element) => element.serialize(true));
    group.verifyProof(publicKey, blinded, evaluated, answer.proof!.serialize());
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

// The group over noble uses its arithmetic, and not its VOPRF.
describe('the VOPRF of @noble/curves', () => {
  it.each(Object.keys(GROUPS))('agrees with the group over %s, both ways', (name) => {
    const group = GROUPS[name]!();
    const { random, secretKey, publicKey, inputs, blinds, blinded } = sample(group, `own ${name}`, 3);
    const theirs = ristretto255_oprf.voprf.blindEvaluateBatch(secretKey, publicKey, blinded);
    group.verifyProof(publicKey, blinded, theirs.evaluated, theirs.proof);
    const ours = group.evaluate(secretKey, publicKey, blinded, random);
    expect(ours.evaluated).toEqual(theirs.evaluated);
    const items = inputs.map((input, at) => ({
      input,
      blind: blinds[at]!.blind,
      evaluated: ours.evaluated[at]!,
      blinded: blinded[at]!,
    }));
    expect(ristretto255_oprf.voprf.finalizeBatch(items, publicKey, ours.proof)).toHaveLength(3);
  });

  it('libsodium makes what noble verifies, and the other way round; with the same randomness the same bytes', () => {
    const [noble, libsodium] = [GROUPS['noble']!(), GROUPS['libsodium']!()];
    const [one, other] = [sample(noble, 'both', 4), sample(libsodium, 'both', 4)];
    expect(one.blinds).toEqual(other.blinds);
    const made = noble.evaluate(one.secretKey, one.publicKey, one.blinded, one.random);
    expect(libsodium.evaluate(other.secretKey, other.publicKey, other.blinded, other.random)).toEqual(made);
    libsodium.verifyProof(one.publicKey, one.blinded, made.evaluated, made.proof);
    noble.verifyProof(one.publicKey, one.blinded, made.evaluated, made.proof);
  });
});
