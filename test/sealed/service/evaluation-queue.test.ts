import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accept } from '../../../src/domain/refusal.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { toBase64Url } from '../../../src/sealed/encoding.ts';
import { createSealedEndpoints } from '../../../src/sealed/service/endpoints.ts';
import { createPublicationReader } from '../../../src/sealed/service/publication-files.ts';
import type { SealedReply } from '../../../src/sealed/service/replies.ts';
import { seededRandom } from '../group-samples.ts';
import { group, START } from './publishing.ts';

const MOST_WAITING = 256;

it('refuses an evaluation if 256 wait, answers those, and then takes further ones', async () => {
  const random = seededRandom('queue');
  const body = JSON.stringify({ epoch: 1, blinded: [toBase64Url(group.blind(random(20), random).blinded)] });
  const gate: { open?: () => void; taken: number } = { taken: 0 };
  const closed = new Promise<void>((resolve) => (gate.open = resolve));
  const keys = createKeys(group, START, random);
  const unused = (): never => {
    throw new Error('not asked');
  };
  const endpoints = createSealedEndpoints({
    group,
    keys: () => keys,
    files: createPublicationReader(join(import.meta.dirname, 'none'), () => START),
    service: {
      takeElements: async ({ elements }) => {
        gate.taken += elements;
        return accept({ reporterId: '0123456789abcdef', giveBack: () => void (gate.taken -= 1) });
      },
      checkKey: unused,
      queryComputed: unused,
      reportComputed: unused,
    },
    wordRefusal: unused,
    retryHeaders: unused,
    clock: () => START,
    random,
    giveTurn: () => closed,
    onError: unused,
  });
  const headers: Readonly<Record<string, string>> = {
    authorization: 'Bearer 0123456789abcdef',
    'content-type': 'application/json',
  };
  const evaluate = (): Promise<SealedReply> =>
    endpoints(
      {
        method: 'POST',
        header: (name) => headers[name.toLowerCase()],
        body: async () => new TextEncoder().encode(body),
      },
      '/sealed/evaluate',
    )!;
  const waiting = Array.from({ length: MOST_WAITING }, evaluate);
  await expect.poll(() => gate.taken).toBe(MOST_WAITING);
  const refused = await evaluate();
  expect(refused.status).toBe(503);
  expect(refused.headers).toMatchObject({ 'Retry-After': '1' });
  expect(textOf(refused)).toMatchObject({ error: 'unavailable', message: 'too many evaluations wait' });
  gate.open!();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await evaluate()).status).toBe(200);
});

function textOf({ body }: SealedReply): unknown {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}
