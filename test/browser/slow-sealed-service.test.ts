import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as send, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client.ts';
import { createMemoryReplica, createSealedClient, type SealedClient } from '../../src/sealed.ts';
import { toInput } from '../../src/sealed/encoding.ts';
import { createNobleGroup } from '../../src/sealed/group/noble.ts';
import { parseKeys } from '../../src/sealed/key-file.ts';
import { secretKeyOf } from '../../src/sealed/keys.ts';
import { post, runCli, startService, type RunningService } from '../cli/service.ts';
import { eventually } from '../eventually.ts';
import { hashFor } from '../sealed/client/operator.ts';
import { openServer, reasonToSkip, startChromium, type KeptBrowser, type OpenServer } from './chromium.ts';
import type { SealedClientPlace } from './pages/storage.ts';
import { callIn, createStoragePage, type Place } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-sealed-service.test.ts skipped: ${skipped}`);

const EMAIL = { kind: 'email', hash: hashFor('email') };
const PHONE = { kind: 'phone', hash: hashFor('phone') };
const UNKNOWN = { kind: 'email', hash: hashFor('unknown') };

describe.skipIf(skipped !== undefined)('the sealed client in a page, with redflag serve at another origin', () => {
  let folder: string;
  let service: RunningService;
  let relay: OpenServer;
  let pages: OpenServer;
  let browser: KeptBrowser;
  let page: Page;
  let apiKey: string;
  let operatorKey: string;
  let names = 0;
  /** What the service was asked. */
  const seen: string[] = [];
  /** Changes a reply of the service. Undefined leaves it as it is. */
  let tamper: ((path: string, bytes: Buffer) => Buffer | undefined) | undefined;

  /** Leads to the service, as a proxy that may change replies. */
  const forward: RequestListener = (request, response) => {
    const { method, url = '', headers } = request;
    seen.push(`${method} ${url.replace(/\d{6,}/, 'N')}`);
    const upstream = send(new URL(url, service.apiUrl), { method, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('end', () => {
        const bytes = Buffer.concat(parts);
        response.writeHead(reply.statusCode!, reply.headers);
        response.end((method !== 'OPTIONS' && tamper?.(url, bytes)) || bytes);
      });
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  };

  const open = (place: Place, names: readonly [string, string]) =>
    callIn<SealedClient>(page, place, 'openSealedClient', {
      baseUrl: relay.origin,
      apiKey,
      operatorKey,
      names,
    } satisfies SealedClientPlace);
  const freshNames = () => [`evaluations-${names++}`, `replica-${names++}`] as const;
  const posts = () => seen.filter((one) => one.startsWith('POST'));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-browser-'));
    const data = join(folder, 'data');
    expect(await runCli(['sealed', 'init', '--data', data])).toMatchObject({ code: 0 });
    // The first publication has the reports, and needs no wait for the next minute.
    service = await startService(['--data', data, '--sealed-off']);
    apiKey = service.apiKey!;
    for (const [value, more] of [
      ['8', { email: EMAIL.hash, phone: PHONE.hash }],
      ['3', { email: EMAIL.hash }],
    ] as const) {
      const fields = { _api: apiKey, _action: 'report', _type: 'fraud', _value: value, _text: `Text ${value}.` };
      expect((await post(service, { ...fields, ...more })).status).toBe(200);
    }
    await service.stop('SIGTERM');
    service = await startService(['--data', data]);
    const manifest = () => fetch(new URL('/sealed/manifest', service.apiUrl));
    await eventually(async () => expect((await manifest()).status).toBe(200));
    const { out } = await runCli(['sealed', 'status', '--json', '--data', data]);
    ({ operatorKey } = JSON.parse(out) as { operatorKey: string });
    relay = await openServer(forward);
    pages = await openServer(await createStoragePage(relay.origin));
    browser = await startChromium(join(folder, 'browser'));
    page = await browser.context.newPage();
    await page.goto(pages.origin);
  });
  beforeEach(() => {
    tamper = undefined;
    seen.length = 0;
  });
  afterAll(async () => {
    await browser?.kill();
    await pages?.close();
    await relay?.close();
    await service?.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const inNode = (): SealedClient =>
    createSealedClient({
      baseUrl: new URL(service.apiUrl).origin,
      apiKey,
      operatorKey,
      replica: createMemoryReplica(),
    });
  const asked = [[EMAIL], [PHONE], [EMAIL, PHONE], [UNKNOWN], [UNKNOWN, PHONE]];

  it.each(['page', 'worker'] as const)('answers in a %s as in Node, and with the plain scores', async (place) => {
    const client = await open(place, freshNames());
    const other = inNode();
    const plain = createClient({ baseUrl: new URL(service.apiUrl).origin, apiKey });
    expect(await client.prepare([EMAIL, PHONE.hash])).toMatchObject({ prepared: 2, evaluated: 2 });
    expect(await client.prepare([EMAIL, PHONE, UNKNOWN])).toMatchObject({ prepared: 3, evaluated: 1 });
    for (const identifiers of asked) {
      const answer = await client.query(identifiers, { explain: true });
      const { points, reported, reliability } = await plain.query(identifiers);
      expect(answer).toMatchObject({ answer: 'score', points, reported, reliability });
      const expected = await other.query(identifiers, { explain: true });
      expect(answer).toEqual(expected);
      expect(answer).toHaveProperty('explanation');
    }
    expect(posts().filter((one) => one.endsWith('/evaluate'))).toHaveLength(2);
    expect(posts()).toHaveLength(2);
    // Another origin: the browser asks whether it may send the key.
    expect(seen).toContain('OPTIONS /sealed/evaluate');
    await client.close();
  });

  it('answers after a reload without a request, and IndexedDB shows neither hash nor element', async () => {
    const databases = freshNames();
    const first = await open('page', databases);
    const answers = [];
    for (const identifiers of asked) answers.push(await first.query(identifiers));
    const requests = seen.filter((one) => !one.startsWith('OPTIONS')).map((one) => one.split('/').at(-1));
    expect(requests.sort()).toEqual(['evaluate', 'evaluate', 'evaluate', 'manifest', 'reporters', 'snapshot']);
    await page.reload();
    seen.length = 0;
    const second = await open('page', databases);
    for (const [at, identifiers] of asked.entries()) expect(await second.query(identifiers)).toEqual(answers[at]);
    expect(seen).toEqual([]);
    const group = createNobleGroup();
    const keys = parseKeys(await readFile(join(folder, 'data-keys', 'sealed-keys'), 'utf8'));
    const kept = await callIn<string>(page, 'page', 'readSealed', databases[0]);
    expect(kept).toContain('AES-GCM not extractable encrypt decrypt');
    for (const { hash } of [EMAIL, PHONE]) {
      const element = group.multiply(secretKeyOf(group, keys, 1), group.hashToGroup(toInput(hash)));
      expect(kept).not.toContain(hash);
      for (const secret of [element, toInput(hash)]) expect(kept).not.toContain(secret.slice(0, 6).join(' '));
    }
    await second.close();
    // Damage: the evaluation is made again.
    const damaged = { bytes: new Uint8Array(60), version: 1 };
    await callIn(page, 'page', 'writeSealed', databases[0], 'evaluations', damaged);
    const third = await open('page', databases);
    expect(await third.query([EMAIL])).toEqual(answers[0]);
    expect(posts()).toEqual(['POST /sealed/evaluate']);
    await third.close();
  });

  it.each([
    ['the manifest', /manifest$/, 'the signature is not of these bytes'],
    ['the rows', /snapshot$/, 'the snapshot has another SHA-256'],
    ["the reporters' table", /reporters$/, "the reporters' table has another SHA-256"],
  ] as const)('refuses %s with one bit changed, and keeps nothing of it', async (_, path, message) => {
    const databases = freshNames();
    const client = await open('page', databases);
    tamper = (asked, bytes) => {
      if (!path.test(asked)) return undefined;
      const at = bytes.length >> 1;
      return Buffer.concat([bytes.subarray(0, at), Buffer.of(bytes[at]! ^ 1), bytes.subarray(at + 1)]);
    };
    await expect(client.query([EMAIL])).rejects.toThrow(message);
    await client.close();
    tamper = undefined;
    const again = await open('page', databases);
    expect(await again.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
    await again.close();
  });

  it('refuses an evaluation with the proof of another one', async () => {
    const databases = freshNames();
    const client = await open('page', databases);
    let other: { readonly proof: string } | undefined;
    tamper = (asked, bytes) => {
      if (!asked.endsWith('/evaluate')) return undefined;
      const reply = JSON.parse(bytes.toString()) as { readonly proof: string };
      const { proof } = other ?? reply;
      other ??= reply;
      return Buffer.from(bytes.toString().replace(reply.proof, proof));
    };
    await client.prepare([PHONE]);
    await expect(client.query([EMAIL])).rejects.toMatchObject({ name: 'SealedGroupError' });
    tamper = undefined;
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 2 });
    await client.close();
  });

  it('reports with pseudonyms', async () => {
    const client = await open('page', freshNames());
    const person = { kind: 'email', hash: hashFor('reported from a page') };
    expect(await client.query([person])).toMatchObject({ reported: 0 });
    const draft = { type: 'fraud', severity: 7, text: 'Not paid.', identifiers: [person] };
    const { deletionCode } = await client.report(draft);
    expect(deletionCode).toMatch(/^[0-9a-f]{16}$/);
    const plain = createClient({ baseUrl: new URL(service.apiUrl).origin, apiKey });
    expect(await plain.query([person])).toMatchObject({ reported: 1 });
    await client.close();
  });
});
