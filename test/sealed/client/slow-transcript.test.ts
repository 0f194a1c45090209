import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import type { Identifier } from '../../../src/index.ts';
import { createSealedClient } from '../../../src/sealed/client/sealed-client.ts';
import { toHex, toInput } from '../../../src/sealed/encoding.ts';
import { parseSecrets } from '../../../src/sealed/evaluator/secrets.ts';
import { loadSodium } from '../../../src/sealed/group/sodium.ts';
import { hashToGroup, multiply } from '../../../src/sealed/group/voprf.ts';
import { parseManifest, type Manifest } from '../../../src/sealed/manifest-format.ts';
import { eventually } from '../../eventually.ts';
import { useFolder } from '../../folder.ts';
import { searchFor, type Needle } from '../../cli/leaks.ts';
import { initSealed, startForTest } from '../../cli/service.ts';
import { hashFor } from './operator.ts';

const root = useFolder('transcript');
const data = join(root, 'data');
const emails = (name: string): Identifier[] =>
  [1, 2, 3].map((at) => ({ kind: 'email', hash: hashFor(`${name} ${at}`) }));
const REPORTED = emails('reported');
const CLEAN = emails('clean');

/** One request and its reply, as they are on the wire. */
interface Exchange {
  readonly request: string;
  readonly reply: string;
  readonly body: Buffer;
}

/** Returns what the service and an observer of the line see of one query by a new client. */
async function transcriptOf(origin: string, apiKey: string, operatorKey: string, identifier: Identifier) {
  const exchanges: Exchange[] = [];
  const folder = new ClientFolder();
  const client = createSealedClient({
    baseUrl: origin,
    apiKey,
    operatorKey,
    folder,
    async fetch(input, init) {
      const reply = await fetch(input, init);
      const body = Buffer.from(await reply.clone().arrayBuffer());
      const sent = [init?.method, String(input), JSON.stringify(init?.headers), init?.body ?? ''].join('\n');
      exchanges.push({ request: sent, reply: `${reply.status} ${[...reply.headers.keys()].join(' ')}`, body });
      return reply;
    },
  });
  const answer = await client.query([identifier]);
  const manifest = exchanges[0]!.body;
  const { epoch } = parseManifest(manifest)!;
  const evaluation = (await folder.read(epoch.publicKey, [identifier.hash])).get(identifier.hash);
  await client.close();
  return { answer, exchanges, evaluation: evaluation! };
}

/** All files of the operator and of its evaluator: data, publications and keys. */
function filesOf(): Buffer[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
}

function countOf(bytes: Uint8Array): number {
  let count = 0;
  for (const file of filesOf()) for (let at = file.indexOf(bytes); at !== -1; at = file.indexOf(bytes, at + 1)) count++;
  return count;
}

it('a service that runs sees, logs, counts and stores nothing of whom a local query is about', async () => {
  await loadSodium();
  const { evaluator, folder } = await initSealed(data);
  const args = ['--data', data, '--log-level', 'debug', '--ops-port', '0'];
  const first = await startForTest(args);
  const apiKey = first.apiKey!;
  const published = async (service: typeof first, since: number): Promise<Manifest> => {
    let manifest: Manifest | undefined;
    await eventually(async () => {
      const reply = await fetch(new URL('/sealed/manifest', service.apiUrl));
      manifest = parseManifest(new Uint8Array(await reply.arrayBuffer()));
      expect(manifest?.issuedAt).toBeGreaterThanOrEqual(since);
    });
    return manifest!;
  };
  const { operatorKey } = await published(first, 0);
  const baseUrl = new URL('/', first.apiUrl).href;
  const reporter = createSealedClient({ baseUrl, apiKey, operatorKey });
  for (const identifier of REPORTED)
    await reporter.report({ type: 'fraud', severity: 8, text: 'Not paid.', identifiers: [identifier] });
  await first.stop('SIGTERM');

  const startedAt = Date.now();
  const service = await startForTest(args);
  const { origin } = new URL(service.apiUrl);
  await published(service, startedAt);
  const { sealingKey } = parseSecrets(readFileSync(join(folder, 'evaluator-keys'), 'utf8'));
  const elementOf = ({ hash }: Identifier): Uint8Array => multiply(sealingKey, hashToGroup(toInput(hash)));
  const stored = REPORTED.map((identifier) => countOf(elementOf(identifier)));
  for (const count of stored) expect(count).toBeGreaterThan(0);

  const asked = [...CLEAN, ...REPORTED, CLEAN[0]!, REPORTED[0]!];
  const runs: Awaited<ReturnType<typeof transcriptOf>>[] = [];
  for (const identifier of asked) runs.push(await transcriptOf(origin, apiKey, operatorKey, identifier));
  for (const [at, { answer }] of runs.entries())
    expect(answer).toMatchObject({ answer: 'score', reported: REPORTED.includes(asked[at]!) ? 1 : 0 });

  // Sizes, order and form are the same, whoever is asked about.
  const shapes = runs.map(({ exchanges }) =>
    exchanges.map(({ request, reply, body }) => [
      request.replace(/"blinded.*/, ''),
      request.length,
      reply,
      body.length,
    ]),
  );
  expect(shapes[0]).toHaveLength(3);
  for (const shape of shapes) expect(shape).toEqual(shapes[0]);

  // No two runs share bytes but fixed text, also about one identifier.
  const drawn = runs.flatMap(({ exchanges }) => {
    const { blinded } = JSON.parse(exchanges[2]!.request.split('\n')[3]!) as { blinded: string[] };
    type Step = { readonly evaluated: string[]; readonly proof: string };
    const reply = JSON.parse(exchanges[2]!.body.toString()) as Step & { readonly evaluator: Step };
    return [...blinded, ...[reply, reply.evaluator].flatMap(({ evaluated, proof }) => [...evaluated, proof])];
  });
  const parts = drawn.flatMap((text) =>
    Array.from({ length: text.length - 7 }, (_, from) => text.slice(from, from + 8)),
  );
  expect(drawn).toHaveLength(5 * runs.length);
  // Chance of an equal pair of 8 characters: 1 in 500 million.
  expect(new Set(parts).size).toBe(parts.length);

  // Everything on the operator's side, in each form in which a value could be there.
  const metricsUrl = /^Metrics on (\S+)$/m.exec(service.output.out)![1]!;
  const metrics = await (await fetch(metricsUrl)).text();
  expect(metrics).toMatch(/redflag_/);
  await service.stop('SIGTERM');
  await evaluator.stop('SIGTERM');
  const needles = asked.flatMap((identifier, at): Needle[] => [
    { what: `hash ${at}`, value: identifier.hash },
    { what: `evaluation ${at}`, value: toHex(runs[at]!.evaluation) },
  ]);
  const elements = asked.map((identifier, at) => ({ what: `element ${at}`, value: toHex(elementOf(identifier)) }));
  const find = searchFor([...needles, ...elements]);
  const wire = runs.flatMap(({ exchanges }) =>
    exchanges.map(({ request, body }) => `${request}\n${body.toString('latin1')}`),
  );
  for (const seen of [...wire, service.output.out, service.output.err, metrics]) expect(find(seen)).toEqual([]);
  const inFiles = searchFor([...needles, ...elements.filter((_, at) => CLEAN.includes(asked[at]!))]);
  for (const file of filesOf()) expect(inFiles(file)).toEqual([]);
  // The elements of reports are stored, and no query stores more of them.
  expect(REPORTED.map((identifier) => countOf(elementOf(identifier)))).toEqual(stored);

  // The search works: it finds what is there.
  for (const { value } of needles) expect(find(Buffer.from(value, 'hex').toString('base64url'))).not.toEqual([]);
});
