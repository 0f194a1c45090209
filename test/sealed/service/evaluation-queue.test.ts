import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accept } from '../../../src/core/domain/refusal.ts';
import { blind, hashToGroup } from '../../../src/sealed/group/voprf.ts';
import { createKeys, destroyEpoch } from '../../../src/sealed/keys.ts';
import { toBase64Url } from '../../../src/sealed/encoding.ts';
import { createSealedEndpoints } from '../../../src/sealed/service/endpoints.ts';
import { createPublicationReader } from '../../../src/sealed/service/publications.ts';
import type { SealedReply } from '../../../src/sealed/service/replies.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator } from '../test-evaluator.ts';
import { START } from './publishing.ts';

const MAX_EVALUATIONS = 256;
const MAX_EVALUATIONS_PER_REPORTER = 32;

/** Endpoints whose computations wait until the gate opens. A key is that of the reporter with this id. */
function openGate() {
  const random = seededRandom('queue');
  const body = JSON.stringify({ epoch: 1, blinded: [toBase64Url(blind(random(20), random).blinded)] });
  const identifiers = [{ kind: 'email', point: toBase64Url(hashToGroup(random(20))) }];
  const draft = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers };
  const reportBody = JSON.stringify({ epoch: 1, ...draft });
  const gate: { open?: () => void; taken: number } = { taken: 0 };
  const closed = new Promise<void>((resolve) => (gate.open = resolve));
  const evaluator = createTestEvaluator();
  let keys = createKeys(evaluator.access, START, random);
  const unused = (): never => {
    throw new Error('not asked');
  };
  const counted = (reporterId: string) => ({ reporterId, giveBack: () => void gate.taken-- });
  const endpoints = createSealedEndpoints({
    askEvaluator: evaluator.evaluate,
    keys: () => keys,
    files: createPublicationReader(join(import.meta.dirname, 'none'), () => START),
    service: {
      takeElements: async ({ apiKey, elements }) => {
        gate.taken += elements;
        return accept(counted(apiKey));
      },
      checkKey: unused,
      reportComputed: async ({ apiKey, count, compute }) => {
        gate.taken += count;
        await compute(counted(apiKey));
        return accept({ deletionCode: '0'.repeat(16) });
      },
    },
    formatRefusal: unused,
    retryHeaders: unused,
    clock: () => START,
    random,
    giveTurn: () => closed,
    onError: unused,
  });
  const post = (path: string, text: string, reporter: number): Promise<SealedReply> => {
    const headers: Readonly<Record<string, string>> = {
      authorization: `Bearer ${`${reporter}`.padStart(16, '0')}`,
      'content-type': 'application/json',
    };
    const read = async (): Promise<Uint8Array> => new TextEncoder().encode(text);
    return endpoints({ method: 'POST', header: (name) => headers[name.toLowerCase()], body: read }, path)!;
  };
  return {
    gate,
    destroyEpoch: () => void (keys = destroyEpoch(keys, 1)),
    evaluate: (reporter: number) => post('/sealed/evaluate', body, reporter),
    report: (reporter: number) => post('/sealed/report', reportBody, reporter),
  };
}

it('refuses an evaluation if 256 wait, answers those, and then takes further ones', async () => {
  const { gate, evaluate } = openGate();
  const waiting = Array.from({ length: MAX_EVALUATIONS }, (_, n) => evaluate(n % 8));
  await untilTaken(gate, MAX_EVALUATIONS);
  await expectRefused(evaluate(9));
  // Nothing was counted for it.
  expect(gate.taken).toBe(MAX_EVALUATIONS);
  gate.open!();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await evaluate(9)).status).toBe(200);
});

it('takes 32 evaluations and reports of one reporter, and those of others', async () => {
  const { gate, evaluate, report } = openGate();
  const waiting = Array.from({ length: MAX_EVALUATIONS_PER_REPORTER }, (_, n) =>
    n % 2 === 0 ? evaluate(1) : report(1),
  );
  await untilTaken(gate, MAX_EVALUATIONS_PER_REPORTER);
  await expectRefused(evaluate(1));
  await expectRefused(report(1));
  const other = [evaluate(2), report(2)];
  await untilTaken(gate, MAX_EVALUATIONS_PER_REPORTER + other.length);
  gate.open!();
  for (const reply of await Promise.all([...waiting, ...other])) expect(reply.status).toBe(200);
  expect([(await evaluate(1)).status, (await report(1)).status]).toEqual([200, 200]);
});

it('says that the epoch has ended if its key is destroyed while a request waits', async () => {
  const { gate, evaluate, report, destroyEpoch } = openGate();
  const waiting = [evaluate(1), report(1)];
  await untilTaken(gate, waiting.length);
  destroyEpoch();
  gate.open!();
  for (const reply of await Promise.all(waiting)) {
    expect(reply.status).toBe(410);
    expect(textOf(reply)).toMatchObject({ error: 'epoch-ended' });
  }
  // Nothing was counted for them.
  expect(gate.taken).toBe(0);
});

/** Waits until this many elements were counted; a test that never gets there ends by its time limit. */
async function untilTaken(gate: { readonly taken: number }, count: number): Promise<void> {
  while (gate.taken < count) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(gate.taken).toBe(count);
}

async function expectRefused(reply: Promise<SealedReply>): Promise<void> {
  const refused = await reply;
  expect(refused.status).toBe(503);
  expect(refused.headers).toMatchObject({ 'Retry-After': '1' });
  expect(textOf(refused)).toMatchObject({ error: 'unavailable', message: 'too many evaluations wait' });
}

function textOf({ body }: SealedReply): unknown {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}
