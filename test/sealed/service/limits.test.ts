import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../../src/index.ts';
import { toBase64Url, toInput } from '../../../src/sealed/encoding.ts';
import { SealedError } from '../../../src/sealed/errors.ts';
import { hashToGroup } from '../../../src/sealed/group/voprf.ts';
import { SealedEvaluatorError } from '../../../src/sealed/service/ask-evaluator.ts';
import { openRealService, type RealService } from '../client/real-service.ts';
import { toEpoch } from '../test-evaluator.ts';
import { hashOf } from './publishing.ts';

let service: RealService;
let engine: RealService['engine'];
let reporterId: string;
let apiKey: string;

beforeEach(async () => {
  const limits = { query: { requests: 40, windowSeconds: 60 }, report: { requests: 3, windowSeconds: 60 } };
  service = await openRealService({ elements: { atOnce: 40, verified: 40, new: 40 }, engine: { limits, budgets: {} } });
  ({ engine } = service);
  ({ reporterId, apiKey } = await service.addShop('Shop', false));
});
afterEach(() => service.close());

const post = (path: string, body: object, key = apiKey) => service.call(path, key, {}, body);
/** Identifiers as a client sends them, of hashes from a number on. */
const identifiers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => {
    const point = toBase64Url(toEpoch(service.keys, 1, service.evaluator.sealHash(hashOf(from + n))));
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
      service.ask(async () => {
        throw new SealedEvaluatorError(code, 7, {});
      });
      for (let n = 0; n < 4; n++) expect(await evaluate(32)).toBe(503);
    }
    service.ask(service.evaluator.evaluate);
    expect([await evaluate(32), await evaluate(8), await evaluate(1)]).toEqual([200, 200, 429]);
    // Without elements left, a reporter does not use up the limit of the evaluator.
    service.ask(async () => {
      throw new Error('asked');
    });
    expect(await evaluate(32)).toBe(429);
  });

  it('that are invalid count, also if the evaluator finds them so', async () => {
    service.ask(async () => {
      throw new SealedError('invalid-element', 'refused');
    });
    expect(await evaluate(32)).toBe(400);
    service.ask(service.evaluator.evaluate);
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
  const get = (part: string, more: RequestInit = {}) => service.call(`1/7/${part}`, apiKey, more);
  const statusOf = async (part: string, more: RequestInit = {}): Promise<number> => (await get(part, more)).status;

  const publish = (snapshot: Uint8Array): Promise<void> => {
    const empty = new Uint8Array();
    const signed = { bytes: empty, signature: empty };
    return service.publicationStore.add({ epoch: 1, sequence: 7, signed, snapshot }, async () => empty);
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
