// An operator of the sealed look-up in a folder: an SQLite file with sealed reports, keys and publications. All times
// are fixed, so each run makes the same rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sodium from 'libsodium-wrappers-sumo';
import { createSeededRandom } from 'redflag';
import { createLinkClaimModel, LINK_CLAIM_CONSTANTS } from 'redflag/scoring';
import { sealIdentifiers } from 'redflag/sealed';
import { openSqliteFile } from 'redflag/sqlite';
import { createSqljsStore } from 'redflag/sqljs';
import { A_DAY } from './sealed-days.mjs';
import { addReporters, NOW, openEngine, putReports, reportOf } from './store-rows.mjs';

export const DAY_MS = 86_400_000;
/** Reports about a prepared customer: each has the three identifiers of the customer. */
export const REPORTED = [0, 1, 3, 10];
/** Customers for each of these numbers. */
export const CUSTOMERS = 50;
const KINDS = ['email', 'ip', 'phone'];

await sodium.ready;

const randomBytes = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));

/**
 * Returns the operator's keys, the options of its engine, and an evaluator in this process, which signs whatever it is
 * asked for. `parts` are those of `sealed-parts.ts`.
 */
export function operatorOf(parts) {
  const { evaluate, hashToGroup, multiply } = parts.voprf;
  const random = createSeededRandom('sealed bench');
  const secrets = parts.createSecrets(random);
  const access = { url: 'https://evaluator.example', ...parts.accessOf(secrets) };
  const keys = parts.createKeys(access, NOW - DAY_MS, random);
  const elementOf = (hash) => parts.toHex(multiply(secrets.sealingKey, hashToGroup(parts.toInput(hash))));
  return {
    keys,
    seal: { fingerprint: parts.sealFingerprint(keys), elementOf },
    operatorKey: parts.operatorPublicKey(keys.operatorKey),
    askEvaluator: async (_, blinded) => evaluate(secrets.sealingKey, access.publicKey, blinded, randomBytes),
    askSignature: async (_, head) => parts.signMark(secrets.signingKey, access.publicKey, parts.markOf(head)),
  };
}

/** Returns the identifiers of a prepared customer, as a client has them. */
export function customerOf(reported, n) {
  const random = createSeededRandom(`customer ${reported} ${n}`);
  return KINDS.map((kind) => ({ kind, hash: Buffer.from(random(20)).toString('hex') }));
}

/** Yields elements without end. An addition costs a fifth of a multiplication, and a publication cannot tell. */
function* otherElements() {
  const one = Uint8Array.of(1, ...new Uint8Array(31));
  const base = sodium.crypto_scalarmult_ristretto255_base(one);
  for (let element = sodium.crypto_core_ristretto255_from_hash(new Uint8Array(64).fill(1)); ;) {
    element = sodium.crypto_core_ristretto255_add(element, base);
    yield Buffer.from(element).toString('hex');
  }
}

/**
 * Writes the operator's store. It has `identifiers` sealed identifiers: three for each report. Resolves with the key of
 * a reporter.
 */
export async function fillOperator(parts, folder, identifiers) {
  const { seal } = operatorOf(parts);
  const store = await createSqljsStore();
  const apiKey = await addReporters(store);
  await store.addElementKey({ fingerprint: seal.fingerprint, addedAt: NOW });
  const sealedAs = (element, kind) => ({ kind, hash: parts.elementName(element), element });
  const reports = function* () {
    let n = 0;
    for (const reported of REPORTED)
      for (let customer = 0; customer < CUSTOMERS; customer++) {
        const known = customerOf(reported, customer).map(({ kind, hash }) => sealedAs(seal.elementOf(hash), kind));
        for (let one = 0; one < reported; one++) yield reportOf(n++, known);
      }
    const elements = otherElements();
    while (3 * n < identifiers) {
      const others = KINDS.map((kind) => sealedAs(elements.next().value, kind));
      yield reportOf(n++, others);
    }
  };
  await putReports(store, reports());
  await openEngine(store, undefined, { conceal: sealIdentifiers(seal) }).recomputeTrust();
  await writeFile(join(folder, 'store.sqlite'), store.export());
  await store.close();
  return apiKey;
}

/** Opens the operator's store and engine, without limits. `now` is the time of all clocks. */
export async function openOperator(parts, folder, now = NOW) {
  const operator = operatorOf(parts);
  const store = await openSqliteFile(join(folder, 'store.sqlite'));
  const clock = () => now;
  const elements = { atOnce: 1e9, verified: 1e9, new: 1e9 };
  // Published precisions have steps, so the service scores with them too.
  const model = parts.inSteps(createLinkClaimModel());
  const engine = openEngine(store, undefined, { conceal: sealIdentifiers(operator.seal), model, clock });
  return { ...operator, store, engine: { ...engine, ...parts.createSealedOperations(engine, elements) }, clock };
}

const giveTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the publisher of an open operator, as `redflag serve` has it. `pace` replaces its turns. */
export async function publisherOf(parts, { keys, engine, clock, askSignature }, folder) {
  return parts.createPublisher({
    keys: () => keys,
    random: randomBytes,
    askSignature,
    source: parts.sourceOf(engine),
    // No other place keeps the head.
    store: await parts.openPublicationFiles(join(folder, 'sealed'), { read: () => undefined, keep: async () => {} }),
    rules: parts.toPublishedRules({ constants: LINK_CLAIM_CONSTANTS, types: ['fraud'], matchKinds: 'any' }),
    clock,
    pace: parts.createPace(giveTurn, () => performance.now()),
  });
}

/** Returns the endpoints of an open operator, as `redflag serve` has them. */
export function endpointsOf(parts, { keys, engine, clock, askEvaluator }, folder) {
  return parts.createSealedEndpoints({
    askEvaluator,
    keys: () => keys,
    files: parts.createPublicationReader(join(folder, 'sealed'), Date.now),
    service: engine,
    formatRefusal: parts.formatRefusal,
    retryHeaders: () => ({}),
    clock,
    random: randomBytes,
    giveTurn,
    onError: (error) => {
      throw error;
    },
  });
}

/** Changes the store as a day does. `identifiers` is the number in the store. */
export async function liveADay(parts, { store, engine }, identifiers) {
  const reports = Math.ceil(identifiers / 3);
  const countOf = (share) => Math.max(1, Math.round(share * reports));
  const elements = otherElements();
  // They are new: the elements of the store came from another number.
  const shift = sodium.crypto_scalarmult_ristretto255_base(Uint8Array.of(3, 1, ...new Uint8Array(30)));
  const nextElement = () =>
    parts.toHex(sodium.crypto_core_ristretto255_add(Buffer.from(elements.next().value, 'hex'), shift));
  const added = function* () {
    for (let n = 0; n < countOf(A_DAY.added); n++) {
      const identified = KINDS.map((kind) => {
        const element = nextElement();
        return { kind, hash: parts.elementName(element), element };
      });
      yield reportOf(reports + 1000 + n, identified);
    }
  };
  await putReports(store, added());
  const last = reports - 1;
  const changed = countOf(A_DAY.changed);
  for (let n = 0; n < changed + countOf(A_DAY.removed); n++) {
    const { reportId } = reportOf(last - n);
    const opened = await engine.openDispute({ reportId, reason: 'Another person', by: 'bench' });
    if (!opened.ok) throw new Error(`a dispute was not opened: ${opened.refusal.reason}`);
    if (n >= changed) await engine.decideDispute({ reportId, upheld: true, by: 'bench' });
  }
}
