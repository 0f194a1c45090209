import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRandom } from '../../src/core/crypto/crypto.ts';
import { toInput } from '../../src/sealed/encoding.ts';
import { createEvaluatorEndpoints } from '../../src/sealed/evaluator/endpoints.ts';
import { accessOf, createSecrets } from '../../src/sealed/evaluator/secrets.ts';
import type { Random } from '../../src/sealed/group/group.ts';
import { evaluate, hashToGroup, multiply } from '../../src/sealed/group/voprf.ts';
import { markOf } from '../../src/sealed/history.ts';
import { epochKeyOf, type SealedKeys } from '../../src/sealed/keys.ts';
import { signMark } from '../../src/sealed/manifest.ts';
import type { EvaluatorRequests } from '../../src/sealed/service/ask-evaluator.ts';
import { seededRandom } from './group-samples.ts';

/** An evaluator in the process of a test, whose keys follow from the seed. */
export function createTestEvaluator(seed = 'evaluator') {
  const random = seededRandom(seed);
  const secrets = createSecrets(random);
  const access = { url: 'https://evaluator.example', ...accessOf(secrets) };
  const requests: EvaluatorRequests = {
    evaluate: async (_, blinded) => evaluate(secrets.sealingKey, access.publicKey, blinded, random),
    sign: async (_, head) => signMark(secrets.signingKey, access.publicKey, markOf(head)),
  };
  return {
    secrets,
    access,
    /** Evaluates, and signs whatever it is asked for. */
    ...requests,
    /** E of a hash. */
    sealHash: (hash: string): Uint8Array => multiply(secrets.sealingKey, hashToGroup(toInput(hash))),
  };
}

/** N of E in an epoch. */
export function toEpoch(keys: SealedKeys, epoch: number, sealed: Uint8Array): Uint8Array {
  return multiply(epochKeyOf(keys, epoch), sealed);
}

/** An evaluator that listens on this machine, without a limit, and signs whatever it is asked for. */
export async function listenTestEvaluator(random: Random = createRandom()) {
  const secrets = createSecrets(random);
  const operator = accessOf(secrets);
  const answer = createEvaluatorEndpoints({
    secrets,
    limit: { take: async () => undefined },
    signer: { sign: async (head) => signMark(secrets.signingKey, operator.publicKey, markOf(head)) },
    random,
    giveTurn: async () => undefined,
    monotonic: () => performance.now(),
    onRefused: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const server = createServer((request, response) => {
    const read = async (): Promise<Uint8Array> => {
      const parts: Uint8Array[] = [];
      for await (const part of request) parts.push(part as Uint8Array);
      return Buffer.concat(parts);
    };
    const header = (name: string): string | undefined => request.headers[name]?.toString();
    void answer({ method: request.method!, header, body: read }, request.url!)?.then(({ status, headers, body }) =>
      response.writeHead(status, headers).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    access: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...operator },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
