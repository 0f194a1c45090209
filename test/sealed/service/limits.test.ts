import { createSealedOperations } from '../../../src/sealed/engine/operations.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryHeaders } from '../../../src/core/http/status.ts';
import { createFetchHandler } from '../../../src/core/http/fetch.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../../src/index.ts';
import { formatRefusal } from '../../../src/core/protocol/wording.ts';
import { toBase64Url, toHex, toInput } from '../../../src/sealed/encoding.ts';
import { SealedError } from '../../../src/sealed/errors.ts';
import { hashToGroup } from '../../../src/sealed/group/voprf.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { SealedEvaluatorError, type AskEvaluator } from '../../../src/sealed/service/ask-evaluator.ts';
import { createSealedEndpoints } from '../../../src/sealed/service/endpoints.ts';
import { memoryPublications } from './memory-publications.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator, toEpoch } from '../test-evaluator.ts';
import { hashOf, START } from './publishing.ts';
import { createMemoryStore } from '../../memory-store.ts';

const random = seededRandom('limits');
const { access, evaluate: working, sealHash } = createTestEvaluator();
const keys = createKeys(access, START, random);

let engine: Engine;
let reporterId: string;
let apiKey: string;
let handle: ReturnType<typeof createFetchHandler>;
/** How the evaluator answers. */
let evaluator: AskEvaluator;
let publications: ReturnType<typeof memoryPublications>;

beforeEach(async () => {
  evaluator = working;
  publications = memoryPublications();
  engine = createEngine({
    store: await createMemoryStore(),
    secret: 'the secret of these tests',
    publicUrl: 'https://reports.example',
    clock: () => START,
    monotonic: () => START,
    limits: { query: { requests: 40, windowSeconds: 60 }, report: { requests: 3, windowSeconds: 60 } },
    seal: { fingerprint: '0123456789abcdef', elementOf: (hash) => toHex(sealHash(hash)) },
  });
  ({ reporterId } = unwrap(await engine.createReporter({ name: 'Shop' })));
  ({ apiKey } = unwrap(await engine.issueKey({ reporterId })));
  const beside = createSealedEndpoints({
    keys: () => keys,
    files: publications.reader,
    service: createSealedOperations(engine, { atOnce: 40, verified: 40, new: 40 }),
    formatRefusal,
    retryHeaders,
    clock: () => START,
    random,
    giveTurn: () => new Promise((resolve) => setImmediate(resolve)),
    askEvaluator: (access, blinded) => evaluator(access, blinded),
    onError: () => undefined,
  });
  handle = createFetchHandler(engine, { beside });
});
afterEach(() => engine.close());

async function post(path: string, body: object, key = apiKey): Promise<Response> {
  return handle(
    new Request(`https://reports.example/sealed/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}
/** Identifiers as a client sends them, of hashes from a number on. */
const identifiers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => {
    const point = toBase64Url(toEpoch(keys, 1, sealHash(hashOf(from + n))));
    return { kind: 'email', point };
  });
const report = (from: number, epoch = 1) => {
  const draft = { type: 'fraud', severity: 7, text: `Not paid ${from}.`, identifiers: identifiers(1, from) };
  return post('report', { epoch, ...draft });
};
const blinded = Array.from({ length: 40 }, (_, n) => toBase64Url(hashToGroup(toInput(hashOf(n)))));
const evaluate = async (count: number, epoch = 1): Promise<number> =>
  (await post('evaluate', { epoch, blinded: blinded.slice(0, count) })).status;

describe('elements', () => {
  it('are not used up while the evaluator is away, refuses or answers wrongly', async () => {
    for (const code of ['no-connection', 'rate-limited', 'invalid-evaluator-proof'] as const) {
      evaluator = async () => {
        throw new SealedEvaluatorError(code, 7, {});
      };
      for (let n = 0; n < 4; n++) expect(await evaluate(32)).toBe(503);
    }
    evaluator = working;
    expect([await evaluate(32), await evaluate(8), await evaluate(1)]).toEqual([200, 200, 429]);
    // Without elements left, a reporter does not use up the limit of the evaluator.
    evaluator = async () => {
      throw new Error('asked');
    };
    expect(await evaluate(32)).toBe(429);
  });

  it('that are invalid count, also if the evaluator finds them so', async () => {
    evaluator = async () => {
      throw new SealedError('invalid-element', 'refused');
    };
    expect(await evaluate(32)).toBe(400);
    evaluator = working;
    expect([await evaluate(9), await evaluate(8)]).toEqual([429, 200]);
  });

  it('of an epoch that is not open cost one together, and a wrong key is refused first', async () => {
    for (let n = 0; n < 8; n++) expect(await evaluate(32, 9)).toBe(409);
    expect([await evaluate(32), await evaluate(1)]).toEqual([200, 429]);
    const unknown = await post('evaluate', { epoch: 9, blinded: blinded.slice(0, 1) }, 'f'.repeat(16));
    expect(unknown.status).toBe(401);
  });
});

describe('a budget', () => {
  it('is one for the plain and the sealed protocol', async () => {
    const ask = async (count: number) => {
      const asked = Array.from({ length: count }, (_, n) => ({ kind: 'email', hash: hashOf(n) }));
      return (await engine.query({ apiKey, identifiers: asked })).ok;
    };
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 30 }));
    expect([await ask(10), await evaluate(10)]).toEqual([true, 200]);
    expect(await ask(8)).toBe(true);
    expect([await evaluate(3), await ask(3)]).toEqual([429, false]);
    expect([await evaluate(1), await ask(1)]).toEqual([200, true]);
    expect([await evaluate(1), await ask(1)]).toEqual([429, false]);
    // Elements have a smaller one here.
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: null }));
    expect([await evaluate(10), await evaluate(1)]).toEqual([200, 429]);
    expect(await ask(11)).toBe(true);
    // A report that is stored costs its identifiers, an equal or an invalid one nothing.
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 53 }));
    const tell = async (draft: object) => {
      const common = { epoch: 1, type: 'fraud', severity: 7, text: 'Not paid.', identifiers: identifiers(2) };
      return (await post('report', { ...common, ...draft })).status;
    };
    const bad = [{ kind: 'email', point: toBase64Url(new Uint8Array(32)) }];
    expect([await tell({ severity: 70 }), await tell({ identifiers: bad })]).toEqual([400, 400]);
    expect([await tell({}), await ask(1)]).toEqual([200, false]);
  });

  it('counts each kind of an identifier in a report, because each is stored', async () => {
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 4 }));
    const kinds = ['email', 'phone', 'device'].flatMap((kind) => identifiers(1).map((one) => ({ ...one, kind })));
    const draft = { epoch: 1, type: 'fraud', severity: 7, identifiers: kinds };
    expect((await post('report', { ...draft, text: 'Not paid.' })).status).toBe(200);
    expect((await post('report', { ...draft, text: 'Again.' })).status).toBe(429);
  });
});

describe('a download', () => {
  const MIB = 1_048_576;
  const get = (part: string, more: RequestInit = {}) =>
    handle(
      new Request(`https://reports.example/sealed/1/7/${part}`, {
        ...more,
        headers: { Authorization: `Bearer ${apiKey}`, ...(more.headers as Record<string, string>) },
      }),
    );
  const statusOf = async (part: string, more: RequestInit = {}): Promise<number> => (await get(part, more)).status;

  const publish = (snapshot: Uint8Array): Promise<void> => {
    const empty = new Uint8Array();
    const signed = { bytes: empty, signature: empty };
    return publications.store.add({ epoch: 1, sequence: 7, issuedAt: START, signed, snapshot }, async () => empty);
  };

  it('costs an element for each MiB that is sent, and HEAD one', async () => {
    await publish(new Uint8Array(15 * MIB + 1));
    expect(await statusOf('snapshot')).toBe(200);
    const head = await get('snapshot', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${15 * MIB + 1}`]);
    expect(await statusOf('other')).toBe(404);
    expect(await statusOf('snapshot')).toBe(200);
    expect(await statusOf('snapshot')).toBe(429);
    // 40 = 16 + 1 + 16 + 7.
    expect([await evaluate(8), await evaluate(7), await evaluate(1)]).toEqual([429, 200, 429]);
    expect(unwrap(await engine.usageOf({ reporterId })).identifiersToday).toBe(7);
  });

  it('that costs more than the limit needs all of it', async () => {
    await publish(new Uint8Array(50 * MIB));
    expect([await statusOf('snapshot'), await evaluate(1)]).toEqual([200, 429]);
  });
});

describe('a sealed report', () => {
  it('counts once in the limit of a minute', async () => {
    const reported = [];
    for (let n = 0; n < 4; n++) reported.push((await report(n)).status);
    expect(reported).toEqual([200, 200, 200, 429]);
  });

  it('computes nothing for a key that does not work, or may not', async () => {
    const only = unwrap(await engine.issueKey({ reporterId, scope: 'query' })).apiKey;
    const bad = [{ kind: 'email', point: toBase64Url(new Uint8Array(32)) }];
    const draft = { epoch: 1, type: 'fraud', severity: 7, text: 'Not paid.', identifiers: bad };
    for (const key of [only, 'f'.repeat(16)]) expect((await post('report', draft, key)).status).toBe(401);
    expect((await post('report', draft)).status).toBe(400);
  });
});
