// The steps of the VOPRF, ours and those of other libraries. Runs in Node and in browsers.
import { deriveKeyPair, Evaluation, EvaluationRequest, Oprf, VOPRFClient, VOPRFServer } from '@cloudflare/voprf-ts';
import { CryptoNoble } from '@cloudflare/voprf-ts/crypto-noble';
import { ristretto255_oprf } from '@noble/curves/ed25519.js';
import { timeInterleaved } from './interleave.mjs';

const SUITE = Oprf.Suite.RISTRETTO255_SHA512;
const SEED = new Uint8Array(32).fill(7);
const INFO = new TextEncoder().encode('bench');

/** Returns ours. `finish` verifies the proof and unblinds. */
function ours(voprf, random) {
  const { secretKey, publicKey } = ristretto255_oprf.voprf.deriveKeyPair(SEED, INFO);
  return {
    blind: (inputs) => inputs.map((input) => voprf.blind(input, random)),
    sent: (blinds) => blinds.map(({ blinded }) => blinded),
    evaluate: (blinded) => voprf.evaluate(secretKey, publicKey, blinded, random),
    finish(inputs, blinds, evaluation) {
      const blinded = blinds.map((one) => one.blinded);
      voprf.verifyProof(publicKey, blinded, evaluation);
      return blinds.map(({ blind }, at) => voprf.unblind(blind, evaluation.evaluated[at]));
    },
  };
}

/** The VOPRF of @noble/curves itself. Its results are hashes of the elements (Finalize). */
function noblesOwn() {
  const { voprf } = ristretto255_oprf;
  const { secretKey, publicKey } = voprf.deriveKeyPair(SEED, INFO);
  return {
    blind: (inputs) => inputs.map((input) => voprf.blind(input)),
    sent: (blinds) => blinds.map(({ blinded }) => blinded),
    evaluate: (blinded) => voprf.blindEvaluateBatch(secretKey, publicKey, blinded),
    finish(inputs, blinds, { evaluated, proof }) {
      const items = blinds.map((one, at) => ({ ...one, input: inputs[at], evaluated: evaluated[at] }));
      return voprf.finalizeBatch(items, publicKey, proof);
    },
  };
}

/** The VOPRF of Cloudflare's library, over its @noble/curves. Its results are hashes of the elements, too. */
async function cloudflares() {
  const { privateKey, publicKey } = await deriveKeyPair(Oprf.Mode.VOPRF, SUITE, SEED, INFO, CryptoNoble);
  const server = new VOPRFServer(SUITE, privateKey, CryptoNoble);
  const client = new VOPRFClient(SUITE, publicKey, CryptoNoble);
  return {
    async blind(inputs) {
      const [state, request] = await client.blind(inputs);
      return { state, bytes: request.serialize() };
    },
    sent: ({ bytes }) => bytes,
    evaluate: async (bytes) =>
      (await server.blindEvaluate(EvaluationRequest.deserialize(SUITE, bytes, CryptoNoble))).serialize(),
    finish: (inputs, { state }, bytes) => client.finalize(state, Evaluation.deserialize(SUITE, bytes, CryptoNoble)),
  };
}

const same = (left, right) =>
  left.length === right.length && left.every((bytes, at) => bytes.every((byte, n) => byte === right[at][n]));

/** Throws unless the results are right: hashes of the others are equal, and follow from the elements of ours. */
async function assertEqual(libraries, inputs) {
  const results = {};
  for (const [name, library] of Object.entries(libraries)) {
    const blinds = await library.blind(inputs);
    results[name] = await library.finish(inputs, blinds, await library.evaluate(library.sent(blinds)));
  }
  const all = Object.entries(results);
  const [[, elements], first, ...others] = all;
  for (const [name, result] of others)
    if (!same(first[1], result)) throw new Error(`${name} and ${first[0]} return different results`);
  // A hash of the element must be that of Finalize (RFC 9497, section 3.3.2).
  const { sha512 } = await import('@noble/hashes/sha2.js');
  const withLength = (bytes) => [bytes.length >> 8, bytes.length & 0xff, ...bytes];
  const label = new TextEncoder().encode('Finalize');
  const finalized = elements.map((element, at) =>
    sha512(Uint8Array.from([...withLength(inputs[at]), ...withLength(element), ...label])),
  );
  if (!same(finalized, first[1])) throw new Error('the elements do not give the hashes of the other libraries');
}

/**
 * Times each step of each library, in turn. `voprf` is ours. Returns the milliseconds of an element, by
 * library, step and number of elements together.
 */
export async function timeSteps({ voprf, together = [1, 3, 32], slices = 11, callsPerSlice = 2, now }) {
  const random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
  const libraries = {
    'redflag, libsodium': ours(voprf, random),
    '@noble/curves, its VOPRF': noblesOwn(),
    '@cloudflare/voprf-ts, noble': await cloudflares(),
  };
  const inputs = Array.from({ length: Math.max(...together) }, () => random(20));
  await assertEqual(libraries, inputs.slice(0, 3));
  const cases = [];
  for (const [library, { blind, sent, evaluate, finish }] of Object.entries(libraries)) {
    for (const count of together) {
      const some = inputs.slice(0, count);
      const blinds = await blind(some);
      const request = sent(blinds);
      const reply = await evaluate(request);
      const steps = {
        blind: async () => void (await blind(some)),
        evaluate: async () => void (await evaluate(request)),
        finish: async () => void (await finish(some, blinds, reply)),
      };
      for (const [step, run] of Object.entries(steps)) cases.push({ library, step, count, run });
    }
  }
  const figures = await timeInterleaved(Object.fromEntries(cases.map(({ run }, at) => [at, run])), {
    slices,
    callsPerSlice,
    ...(now && { now }),
  });
  return cases.map(({ library, step, count }, at) => {
    const { medianMicroseconds, lowerQuartile, upperQuartile } = figures[at];
    const each = (microseconds) => microseconds / 1000 / count;
    return {
      library,
      step,
      count,
      milliseconds: each(medianMicroseconds),
      lower: each(lowerQuartile),
      upper: each(upperQuartile),
    };
  });
}
