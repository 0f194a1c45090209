import { beforeEach, describe, expect, it } from 'vitest';
import { toBase64Url, toInput } from '../../../src/sealed/encoding.ts';
import { createEvaluatorEndpoints } from '../../../src/sealed/evaluator/endpoints.ts';
import {
  accessOf,
  createSecrets,
  parseAccess,
  parseSecrets,
  serialiseAccess,
  serialiseSecrets,
} from '../../../src/sealed/evaluator/secrets.ts';
import { createHistorySigner } from '../../../src/sealed/evaluator/history-signer.ts';
import { loadSodium } from '../../../src/sealed/group/sodium.ts';
import * as native from '../../../src/sealed/group/voprf.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { createEvaluatorRequests } from '../../../src/sealed/service/ask-evaluator.ts';
import { headAfter, markOf, NO_HISTORY, NOTHING_SIGNED, type Mark } from '../../../src/sealed/history.ts';
import { isMarkSignedBy } from '../../../src/sealed/manifest.ts';
import { createEvaluate } from '../../../src/sealed/service/evaluate.ts';
import type { SealedReply, SealedRequest } from '../../../src/sealed/service/replies.ts';
import { refusal, seededRandom } from '../group-samples.ts';

await loadSodium();
const random = seededRandom('evaluator');
const secrets = createSecrets(random);
const hashes = ['aa', 'bb', 'cc'].map((text) => text.repeat(20));
const giveTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let refusedFor: number | undefined;
let taken: number[];
/** What the evaluator has saved as signed, and the sequences that it refused. */
let saved: Mark[];
let refused: number[];
let errors: unknown[];
/** Requests that the evaluator saw, and its replies. */
let transcript: string[];
let tamper: ((reply: SealedReply) => SealedReply) | undefined;
let isAway: boolean;
/** Milliseconds that each request waits for its turn. */
let waitMs: number;
let elapsedMs = 0;
beforeEach(() => {
  refusedFor = undefined;
  [taken, errors, transcript, saved, refused] = [[], [], [], [], []];
  tamper = undefined;
  isAway = false;
  waitMs = 0;
});

const limit = {
  async take(elements: number) {
    taken.push(elements);
    return refusedFor;
  },
};
const signerOf = (save: (mark: Mark) => Promise<void> = async (mark) => void saved.push(mark)) =>
  createHistorySigner({
    signingKey: secrets.signingKey,
    publicKey: accessOf(secrets).publicKey,
    last: saved.at(-1) ?? NOTHING_SIGNED,
    save,
  });
const endpointsOf = (take: typeof limit = limit, signer = signerOf()) =>
  createEvaluatorEndpoints({
    secrets,
    limit: take,
    signer,
    onRefused: (sequence) => void refused.push(sequence),
    random,
    giveTurn: () => giveTurn().then(() => void (elapsedMs += waitMs)),
    monotonic: () => elapsedMs,
    onError: (error) => void errors.push(error),
  });

function request(body: string, more: Partial<SealedRequest> & { readonly headers?: Record<string, string> } = {}) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${secrets.token}`,
    'content-type': 'application/json',
    ...more.headers,
  };
  return {
    method: 'POST',
    header: (name: string) => headers[name],
    body: async (most: number) => (body.length > most ? ('too-large' as const) : new TextEncoder().encode(body)),
    ...more,
  };
}

/** The network between operator and evaluator. */
const sendTo = (endpoints: ReturnType<typeof endpointsOf>): typeof fetch =>
  async function send(input, init) {
    if (isAway) throw new TypeError('fetch failed');
    const { pathname } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = String(init?.body);
    const answered = await endpoints(request(body, { headers, method: init?.method ?? 'GET' }), pathname);
    const reply = tamper?.(answered!) ?? answered!;
    transcript.push(JSON.stringify({ headers, body }), String(reply.body));
    return new Response(reply.body as string, { status: reply.status, headers: { ...reply.headers } });
  };

/** An operator with its keys, and no sealing key. */
function operatorOf(endpoints = endpointsOf()) {
  const access = { url: 'https://evaluator.example', ...accessOf(secrets) };
  const keys = createKeys(access, 1_800_000_000_000, seededRandom('operator'));
  const { evaluate: askEvaluator, sign } = createEvaluatorRequests({ send: sendTo(endpoints), random });
  const computations = createEvaluate({ keys: () => keys, random, giveTurn, askEvaluator });
  const evaluate = (epoch: number, blinded: Uint8Array[]) => computations.evaluate('a reporter', epoch, blinded);
  return { keys, access, askEvaluator, sign, evaluate };
}

const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await promise.then(
    () => 'none',
    (reason: unknown) => reason,
  );
  return (error as { code?: unknown }).code ?? error;
};
const answerOf = async (asked: ReturnType<typeof request>, endpoints = endpointsOf()) => {
  const { status, body, headers } = await endpoints(asked, '/evaluate')!;
  return { status, headers, ...(JSON.parse(String(body)) as { error?: string }) };
};
const bodyOf = (blinded: readonly Uint8Array[]): string => JSON.stringify({ blinded: blinded.map(toBase64Url) });
const blindOf = (hash: string) => native.blind(toInput(hash), random);

describe('an evaluation in two steps', () => {
  it('gives each of the two nothing of the other', async () => {
    const { keys, evaluate, access } = operatorOf();
    const blind = blindOf(hashes[0]!);
    const reply = await evaluate(1, [blind.blinded]);
    const point = native.hashToGroup(toInput(hashes[0]!));
    const epochKey = keys.epochs[0]!.key!;
    const stored = native.multiply(secrets.sealingKey, point);
    const formsOf = (bytes: Uint8Array) => [toBase64Url(bytes), Buffer.from(bytes).toString('hex')];
    // The evaluator sees the blinded element and its own reply.
    const seen = transcript.join('\n');
    expect(seen).toContain(toBase64Url(blind.blinded));
    for (const secret of [toInput(hashes[0]!), point, stored, native.multiply(epochKey, stored), epochKey])
      for (const form of formsOf(secret)) expect(seen).not.toContain(form);
    for (const text of [...reply.evaluated, reply.proof]) expect(seen).not.toContain(text);
    // The operator has no secret with which a guess leads to E or N: each product of what it has is another element.
    const held = [epochKey, native.invertScalar(epochKey)];
    const made = [point, ...held.map((key) => native.multiply(key, point))].map(toBase64Url);
    expect(made).not.toContain(toBase64Url(stored));
    expect(made).not.toContain(toBase64Url(native.multiply(epochKey, stored)));
    for (const form of formsOf(secrets.sealingKey))
      expect(JSON.stringify({ keys, access, reply, seen })).not.toContain(form);
  });

  it('shares no bytes between two evaluations of one identifier', async () => {
    const { evaluate } = operatorOf();
    await evaluate(1, [blindOf(hashes[0]!).blinded]);
    const first = transcript.splice(0).join();
    await evaluate(1, [blindOf(hashes[0]!).blinded]);
    const elements = [...transcript.join().matchAll(/[A-Za-z0-9_-]{43,}/g)].map(([text]) => text);
    for (const text of elements) if (text !== secrets.token) expect(first).not.toContain(text);
  });
});

describe('an operator', () => {
  const flipLast = (text: string): string => text.replace(/.("\}?)$/, (_, end: string) => `${'x'}${end}`);

  it.each<[string, (reply: SealedReply) => SealedReply, string]>([
    [
      'a proof that was changed',
      (reply) => ({ ...reply, body: String(reply.body).replace(/"proof":"./, '"proof":"_') }),
      'invalid-evaluator-proof',
    ],
    ['another element', (reply) => ({ ...reply, body: replaceElement(String(reply.body)) }), 'invalid-evaluator-proof'],
    ['fewer elements', (reply) => ({ ...reply, body: '{"evaluated":[],"proof":""}' }), 'unexpected-reply'],
    ['no JSON', (reply) => ({ ...reply, body: flipLast('<html>') }), 'unexpected-reply'],
    ['another address', (reply) => ({ ...reply, status: 404, body: '' }), 'not-found'],
    ['a wrong token', (reply) => ({ ...reply, status: 401, body: '{"error":"unauthorised"}' }), 'unauthorised'],
  ])('refuses the reply of its evaluator with %s', async (_, by, code) => {
    const { evaluate } = operatorOf();
    tamper = by;
    const failed = evaluate(1, [blindOf(hashes[0]!).blinded]);
    expect(await codeOf(failed)).toBe(code);
    await expect(failed).rejects.not.toThrow(secrets.token);
  });

  it('refuses an evaluator with another key', async () => {
    const { access, askEvaluator } = operatorOf();
    const publicKey = native.publicKeyOf(native.randomScalar(random));
    expect(await codeOf(askEvaluator({ ...access, publicKey }, [blindOf(hashes[0]!).blinded]))).toBe(
      'invalid-evaluator-proof',
    );
  });

  it('says when its evaluator is away or has used up its limit', async () => {
    const { evaluate } = operatorOf();
    isAway = true;
    expect(await codeOf(evaluate(1, [blindOf(hashes[0]!).blinded]))).toBe('no-connection');
    isAway = false;
    refusedFor = 5_000;
    const limited = evaluate(1, [blindOf(hashes[0]!).blinded]);
    await expect(limited).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 5_000 });
    refusedFor = 999_999_999;
    const forever = evaluate(1, [blindOf(hashes[0]!).blinded]);
    await expect(forever).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 86_400 });
  });

  it('passes on that an element of its client is invalid', async () => {
    const { evaluate } = operatorOf();
    const failed = evaluate(1, [new Uint8Array(32)]);
    await expect(failed).rejects.toMatchObject({ reply: { status: 400 } });
  });
});

function replaceElement(body: string): string {
  const reply = JSON.parse(body) as { evaluated: string[]; proof: string };
  return JSON.stringify({ ...reply, evaluated: [toBase64Url(native.hashToGroup(toInput(hashes[2]!)))] });
}

describe('an evaluator', () => {
  const one = () => bodyOf([blindOf(hashes[0]!).blinded]);

  it('answers 1 to 32 elements, and nothing but them', async () => {
    for (const count of [1, 32]) {
      const blinded = Array.from({ length: count }, () => blindOf(hashes[0]!).blinded);
      expect(await answerOf(request(bodyOf(blinded)))).toMatchObject({ status: 200 });
    }
    expect(taken).toEqual([1, 32]);
    const many = Array.from({ length: 33 }, () => blindOf(hashes[0]!).blinded);
    expect(await answerOf(request(bodyOf(many)))).toMatchObject({ status: 413, error: 'too-many' });
    for (const body of ['{"blinded":[]}', '{}', '[]', 'x', '', `{"epoch":1,${one().slice(1)}`])
      expect(await answerOf(request(body)), body).toMatchObject({ status: 400, error: 'invalid-request' });
    for (const element of [new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(31)])
      expect(await answerOf(request(bodyOf([element])))).toMatchObject({ status: 400, error: 'invalid-element' });
    expect(await answerOf(request('x'.repeat(5_000)))).toMatchObject({ status: 413, error: 'too-many' });
    expect(errors).toEqual([]);
  });

  it('refuses a wrong token first, and another method', async () => {
    for (const authorization of ['', 'Bearer', `Basic ${secrets.token}`, `Bearer ${secrets.token}x`, 'Bearer x'])
      expect(await answerOf(request('x', { headers: { authorization } }))).toMatchObject({
        status: 401,
        error: 'unauthorised',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    expect(await answerOf(request(one(), { method: 'GET' }))).toMatchObject({ status: 405 });
    expect(taken).toEqual([]);
    expect(endpointsOf()(request(one()), '/sealed/evaluate')).toBeUndefined();
  });

  it('does not count a request that has waited longer than its operator does', async () => {
    waitMs = 1_000;
    const endpoints = endpointsOf();
    const answers = await Promise.all(Array.from({ length: 6 }, () => answerOf(request(one()), endpoints)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503, 503]);
    expect(answers[5]).toMatchObject({ error: 'unavailable', headers: { 'Retry-After': '1' } });
    expect(taken).toEqual([1, 1, 1, 1]);
  });

  it('refuses above its daily limit, and while the counts cannot be saved', async () => {
    refusedFor = 77;
    expect(await answerOf(request(one()))).toMatchObject({
      status: 429,
      error: 'rate-limited',
      headers: { 'Retry-After': '77' },
    });
    const broken = endpointsOf({ take: () => Promise.reject(new Error('the disk is full')) });
    expect(await answerOf(request(one()), broken)).toMatchObject({
      status: 503,
      error: 'unavailable',
      headers: { 'Retry-After': '5' },
    });
    expect(errors).toHaveLength(1);
  });
});

describe('an evaluator that signs', () => {
  const first = headAfter({ sequence: 5, history: NO_HISTORY }, new Uint8Array([1]));
  const second = headAfter({ sequence: 6, history: first.history }, new Uint8Array([2]));

  it('signs each publication, and the same one again with the same bytes', async () => {
    const { sign, access } = operatorOf();
    const signature = await sign(access, first);
    expect(isMarkSignedBy(access.key, access.publicKey, markOf(first), signature)).toBe(true);
    expect(await sign(access, first)).toEqual(signature);
    await sign(access, second);
    expect(saved).toEqual([markOf(first), markOf(second)]);
    expect(taken).toEqual([]);
  });

  it('refuses another history with its own error', async () => {
    const { sign, access } = operatorOf();
    await sign(access, first);
    await sign(access, second);
    const other = headAfter({ sequence: 6, history: first.history }, new Uint8Array([3]));
    for (const head of [first, other]) expect(await codeOf(sign(access, head))).toBe('other-history');
    expect(refused).toEqual([5, 6]);
    expect(saved).toHaveLength(2);
  });

  it('signs nothing that it cannot save, and takes only its operator and a whole history', async () => {
    const full = endpointsOf(
      limit,
      signerOf(() => Promise.reject(new Error('the disk is full'))),
    );
    const broken = operatorOf(full);
    expect(await codeOf(broken.sign(broken.access, first))).toBe('unavailable');
    expect(errors.length).toBeGreaterThan(0);
    const endpoints = endpointsOf();
    const post = async (body: unknown, headers = {}) =>
      (await endpoints(request(JSON.stringify(body), { headers }), '/sign')!).status;
    expect(await post(first, { authorization: 'Bearer x' })).toBe(401);
    const { sequence, history } = first;
    for (const wrong of [
      {},
      { sequence },
      { sequence, history: { ...history, manifests: [] } },
      { sequence, history: { ...history, manifests: Array(129).fill(history.link) } },
      { sequence: 2 ** 32, history },
      { sequence, history: { link: 'x', manifests: history.manifests } },
      { sequence, history, more: 1 },
    ])
      expect(await post(wrong)).toBe(400);
    expect(await post({ sequence, history: { ...history, manifests: Array(128).fill(history.link) } })).toBe(200);
    expect(saved).toHaveLength(1);
  });

  it('with another key is found out by its operator', async () => {
    const { sign, access } = operatorOf();
    for (const other of [{ key: secrets.sealingKey }, { publicKey: native.publicKeyOf(native.randomScalar(random)) }])
      expect(await codeOf(sign({ ...access, ...other }, first))).toBe('bad-evaluator-signature');
  });
});

describe('the files of an evaluator', () => {
  const access = accessOf(secrets);

  it('read back, and that of the operator has no sealing key', () => {
    expect(parseSecrets(serialiseSecrets(secrets))).toEqual(secrets);
    expect(parseAccess(serialiseAccess(access))).toEqual(access);
    for (const secret of [secrets.sealingKey, secrets.signingKey])
      expect(serialiseAccess(access)).not.toContain(toBase64Url(secret));
  });

  it.each<[string, (text: string) => string]>([
    ['spaces', (text) => text.replace(':', ': ')],
    ['a field more', (text) => text.replace('{', '{"a":1,')],
    ['another version', (text) => text.replace('/2"', '/1"')],
    ['a short token', (text) => text.replace(/"token":"../, '"token":"')],
    ['another short key', (text) => text.replace(/"(key|signingKey)":"../, '"$1":"')],
    ['a short key', (text) => text.replace(/(publicKey|sealingKey)":"../, '$1":"')],
    ['no line end', (text) => text.trim()],
    ['nothing', () => ''],
    ['another kind of JSON', () => 'null\n'],
  ])('are refused with %s', (_, change) => {
    for (const [text, parse] of [
      [serialiseSecrets(secrets), parseSecrets],
      [serialiseAccess(access), parseAccess],
    ] as const) {
      expect(change(text)).not.toBe(text);
      expect(refusal(() => parse(change(text)))).toBe('malformed');
    }
    expect(refusal(() => parseAccess(serialiseSecrets(secrets)))).toBe('malformed');
  });
});
