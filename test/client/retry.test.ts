import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createClient,
  ReplyTooLargeError,
  ServiceError,
  UnexpectedResponseError,
  type Client,
  type ClientOptions,
} from '../../src/client.ts';

const HASH = 'a'.repeat(40);
const IDENTIFIERS = [{ kind: 'email', hash: HASH }];
const RESULT = `1-1-1.0-https://flags.example/report/${HASH}`;
const DRAFT = { type: 'fraud', severity: 7, text: 'Paid with a stolen card', identifiers: IDENTIFIERS };

/** How a service answers a request, such as `503`, `cut`, or a status with headers and a body. */
type Answer = 'cut' | readonly [status: number, body: string, headers?: Record<string, string>];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A real service that answers in this order, and its last answer for ever. Its client never sleeps. */
async function facing(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const seen = { requests: 0, waits: [] as number[] };
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers[Math.min(seen.requests++, answers.length - 1)]!;
    if (answer === 'cut') return void request.socket.destroy();
    const [status, body, headers] = answer;
    response.writeHead(status, headers).end(body);
  });
  const client = createClient({
    baseUrl: await listen(server),
    apiKey: '00000000000000a1',
    random: () => 0.5,
    wait: async (milliseconds) => void seen.waits.push(milliseconds),
    ...options,
  });
  return { client, seen };
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const BUSY: Answer = [503, 'ERROR: The service has too much to do.', {}];

describe('a query', () => {
  it.each<[string, Answer, Partial<ClientOptions>?]>([
    ['no connection', 'cut'],
    ['503', BUSY],
    ['502 with the page of a proxy', [502, '<html>Bad gateway</html>']],
    ['500', [500, 'ERROR: The service failed to answer this request.']],
    ['429', [429, 'ERROR: Too many query requests.']],
    ['Retry-After with status 200', [200, 'ERROR: Too many query requests.', { 'Retry-After': '1' }]],
    ['ERR:LIMIT of the classic dialect', [200, 'ERR:LIMIT'], { dialect: 'classic' }],
    ['ERR:UNAVAILABLE of the classic dialect', [200, 'ERR:UNAVAILABLE'], { dialect: 'classic' }],
  ])('is sent again after %s', async (_, answer, options) => {
    const result = options?.dialect === 'classic' ? `<report>1-1-1.0-${HASH.slice(0, 16)}</report>` : RESULT;
    const { client, seen } = await facing([answer, answer, [200, result]], options);
    expect(await client.query(IDENTIFIERS)).toMatchObject({ points: 1, reported: 1, reliability: 1 });
    expect(seen.requests).toBe(3);
  });

  it.each<[string, Answer, Partial<ClientOptions>?]>([
    ['a refusal', [400, 'ERROR: The field email must be a hash of 40 hex characters.']],
    ['a refused key', [401, 'ERROR: The API key is not valid.']],
    ['a refused key with Retry-After', [401, 'ERROR: The API key is not valid.', { 'Retry-After': '1' }]],
    ['another page', [200, '<html>Maintenance</html>']],
    ['a redirect', [301, '', { location: '/elsewhere', 'Retry-After': '1' }]],
    ['a reply that is too large', [503, 'x'.repeat(2000)], { replyBytes: 1024 }],
    ['a refused key in the classic dialect', [200, 'ERR:API'], { dialect: 'classic' }],
  ])('is not sent again after %s', async (_, answer, options) => {
    const { client, seen } = await facing([answer, [200, RESULT]], options);
    await expect(client.query(IDENTIFIERS)).rejects.toThrow();
    expect(seen).toEqual({ requests: 1, waits: [] });
  });

  it('is not sent again after a result with Retry-After', async () => {
    const { client, seen } = await facing([[200, RESULT, { 'Retry-After': '1' }]]);
    expect(await client.query(IDENTIFIERS)).toMatchObject({ points: 1 });
    expect(seen.requests).toBe(1);
  });

  it('ends with the last error when the retries are used up', async () => {
    const { client, seen } = await facing([BUSY]);
    await expect(client.query(IDENTIFIERS)).rejects.toBeInstanceOf(ServiceError);
    expect(seen.requests).toBe(3);
    const without = await facing(['cut'], { retries: 0 });
    await expect(without.client.query(IDENTIFIERS)).rejects.toBeInstanceOf(TypeError);
    expect(without.seen.requests).toBe(1);
  });
});

describe('the time before a retry', () => {
  it('is drawn from 0 to a bound that doubles up to 5 seconds', async () => {
    for (const random of [0, 0.5, 0.999]) {
      const { client, seen } = await facing([BUSY], { retries: 7, random: () => random, timeoutMs: 60_000 });
      await client.query(IDENTIFIERS).catch(() => undefined);
      expect(seen.waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000].map((most) => random * most));
    }
  });

  it('is added to Retry-After in seconds; a date counts as none', async () => {
    const { client, seen } = await facing([
      [503, 'ERROR: x', { 'Retry-After': '3' }],
      [503, 'ERROR: x', { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
      [200, RESULT],
    ]);
    await client.query(IDENTIFIERS);
    expect(seen.waits).toEqual([3100, 200]);
  });

  it('that exceeds the time limit of the call is not begun: the reply so far is the answer', async () => {
    const { client, seen } = await facing([[429, 'ERROR: Too many query requests.', { 'Retry-After': '10' }]]);
    await expect(client.query(IDENTIFIERS)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 10 });
    expect(seen).toEqual({ requests: 1, waits: [] });
  });

  it('ends with the call: by the signal of the caller, and by the time limit', async () => {
    const controller = new AbortController();
    const { client } = await facing([BUSY], { wait: undefined, random: () => 0.9 });
    const asked = client.query(IDENTIFIERS, { signal: controller.signal });
    setTimeout(() => controller.abort('changed my mind'), 20);
    await expect(asked).rejects.toBe('changed my mind');
    const never = await facing([BUSY], {
      timeoutMs: 100,
      random: () => 0,
      wait: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    await expect(never.client.query(IDENTIFIERS)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('is not begun when the call has been aborted', async () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const client = createClient({
        baseUrl: 'https://flags.example',
        apiKey: '00000000000000a1',
        fetch: async () => {
          controller.abort('changed my mind');
          return new Response('', { status: 503 });
        },
      });
      await expect(client.query(IDENTIFIERS, { signal: controller.signal })).rejects.toBe('changed my mind');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers();
    try {
      const answers = [new Response('', { status: 503 }), new Response(RESULT)];
      const client = createClient({
        baseUrl: 'https://flags.example',
        apiKey: '00000000000000a1',
        fetch: async () => answers.shift()!,
      });
      const asked = client.query(IDENTIFIERS);
      await vi.advanceTimersByTimeAsync(200);
      await asked;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the other calls', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['report', (client) => client.report(DRAFT)],
    ['remove', (client) => client.remove('c'.repeat(16))],
  ])('%s is sent once, whatever happens', async (_, call) => {
    for (const answer of ['cut', BUSY, [200, 'ERROR: x', { 'Retry-After': '0' }]] satisfies Answer[]) {
      const { client, seen } = await facing([answer, [200, 'OK']]);
      await expect(call(client)).rejects.toThrow();
      expect(seen).toEqual({ requests: 1, waits: [] });
    }
  });

  it('view and ping are sent again', async () => {
    const viewed = await facing([BUSY, 'cut', [200, '{"ReportAdvanceds":[],"count":0}']]);
    expect(await viewed.client.view(HASH)).toEqual([]);
    expect(viewed.seen.requests).toBe(3);
    const failing = await facing([[500, '']]);
    expect(await failing.client.view(HASH)).toBeUndefined();
    expect(failing.seen.requests).toBe(3);
    const pinged = await facing(['cut', [200, RESULT]]);
    expect(await pinged.client.ping()).toEqual({ accepted: true, details: undefined });
  });
});

describe('the size of a reply', () => {
  const page = (bytes: number): string => `{"ReportAdvanceds":[],"count":0}${' '.repeat(bytes - 32)}`;

  it('may be up to the bound, and no byte more', async () => {
    const { client } = await facing([[200, page(2048)]], { replyBytes: 2048 });
    expect(await client.view(HASH)).toEqual([]);
    const larger = await facing([[200, page(2049)]], { replyBytes: 2048 });
    const error: unknown = await larger.client.view(HASH).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ReplyTooLargeError);
    expect(error).toMatchObject({ limitBytes: 2048, message: 'The service sent a reply of more than 2048 bytes' });
    expect(error).not.toBeInstanceOf(UnexpectedResponseError);
  });

  it('counts what a compressed reply becomes', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(page(8 * 1024 * 1024)));
    });
    const client = createClient({ baseUrl: await listen(server) });
    await expect(client.view(HASH)).rejects.toBeInstanceOf(ReplyTooLargeError);
  });

  it('ends a reply without end, and its connection', async () => {
    let response: ServerResponse | undefined;
    const server = createServer((_, given) => {
      response = given;
      given.writeHead(200);
      const write = (): void => void (given.destroyed || (given.write('x'.repeat(65_536)) ? setImmediate(write) : 0));
      given.on('drain', write);
      write();
    });
    const client = createClient({ baseUrl: await listen(server), replyBytes: 100_000 });
    await expect(client.view(HASH)).rejects.toBeInstanceOf(ReplyTooLargeError);
    if (!response!.destroyed) await once(response!, 'close');
  });

  it('may split a character between two pieces', async () => {
    const text = new TextEncoder().encode(
      JSON.stringify({
        ReportAdvanceds: [
          {
            reportId: 'b'.repeat(16),
            type: 'fraud',
            value: 5,
            description: 'Ünïcode 🚩',
            createdAt: '2026-01-01T00:00:00Z',
            reporter: 'Café',
          },
        ],
        count: 1,
      }),
    );
    const client = createClient({
      baseUrl: 'https://flags.example',
      fetch: async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const byte of text) controller.enqueue(Uint8Array.of(byte));
              controller.close();
            },
          }),
        ),
    });
    expect(await client.view(HASH)).toMatchObject([{ text: 'Ünïcode 🚩', reporter: 'Café' }]);
  });
});
