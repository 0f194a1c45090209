import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, type Client, type ClientOptions } from '../../src/core/client/client.ts';
import { ServiceError, UnexpectedResponseError } from '../../src/core/client/errors.ts';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { KEYS, createServiceDouble, type ServiceDouble } from '../http/service-double.ts';
import { listenOn, type Listening } from '../http/listening.ts';

const BASE = 'https://flags.example/fraud';
const HASH = 'a'.repeat(40);
const DRAFT = {
  type: 'fraud',
  severity: 7,
  text: 'Ünïcode & signs',
  identifiers: [
    { kind: 'email', hash: HASH },
    { kind: 'email', hash: 'b'.repeat(40) },
  ],
};

/** A client of a service in the same process, without a network. */
function joined(apiKey: string = KEYS.shop): { client: Client; service: ServiceDouble } {
  const service = createServiceDouble(BASE);
  const handler = createFetchHandler(service, { basePath: '/fraud' });
  return {
    service,
    client: createClient({ baseUrl: `${BASE}/`, apiKey, fetch: (input, init) => handler(new Request(input, init)) }),
  };
}

/** A client of something that always answers the same. */
function facing(body: string | null, init: ResponseInit = {}): Client {
  const answer = async (): Promise<Response> => new Response(body, init);
  return createClient({ baseUrl: BASE, apiKey: KEYS.shop, retries: 0, fetch: answer });
}

describe('a client and a service', () => {
  it('report, query, view and delete', async () => {
    const { client } = joined();
    const sent = await client.report(DRAFT);
    expect(sent).toEqual({
      reportId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      deletionCode: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    const result = await client.query(DRAFT.identifiers);
    expect(result).toEqual({
      points: 30,
      reported: 1,
      reliability: 4.5,
      link: `${BASE}/report/${result.linkHash}`,
      linkHash: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
    for (const where of [result.link, result.linkHash, result.linkHash.toUpperCase()]) {
      expect(await client.view(where)).toMatchObject([{ reportId: sent.reportId, severity: 7, text: DRAFT.text }]);
    }
    await client.remove(sent.deletionCode ?? '');
    await expect(client.remove(sent.deletionCode ?? '')).rejects.toMatchObject({
      name: 'ServiceError',
      status: 409,
      details: 'This report was already deleted.',
    });
    expect(await client.view(result.link)).toBeUndefined();
  });

  it('hand the identifiers over in their order', async () => {
    const { client, service } = joined();
    await client.query([{ kind: 'ip', hash: HASH }, ...DRAFT.identifiers]);
    expect(service.calls.at(-1)?.request).toEqual({
      apiKey: KEYS.shop,
      client: 'unknown',
      identifiers: [{ kind: 'ip', hash: HASH }, ...DRAFT.identifiers],
    });
  });

  it('tell a refused key and a limit', async () => {
    await expect(joined('ffffffffffffffff').client.query(DRAFT.identifiers)).rejects.toMatchObject({
      status: 401,
      details: expect.stringMatching(/^The API key is not valid\. /) as string,
      retryAfterSeconds: undefined,
    });
    const { client, service } = joined();
    const refusal = {
      reason: 'limited',
      limit: { name: 'viewer', requests: 60, windowSeconds: 60 },
      retryAfterSeconds: 12,
    } as const;
    service.next = { refusal };
    await expect(client.query(DRAFT.identifiers)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 12 });
    service.next = { refusal };
    await expect(client.view(HASH)).rejects.toMatchObject({ name: 'ServiceError', status: 429, retryAfterSeconds: 12 });
  });

  it('never send an identifier in clear text', async () => {
    const { client, service } = joined();
    await expect(client.query([{ kind: 'email', hash: 'jane@example.org' }])).rejects.toThrow(TypeError);
    await expect(
      client.report({ ...DRAFT, identifiers: [{ kind: 'email', hash: 'jane@example.org' }] }),
    ).rejects.toThrow(TypeError);
    await expect(client.remove('jane@example.org')).rejects.toThrow(TypeError);
    expect(service.calls).toEqual([]);
  });
});

describe('unexpected responses (protocol 4.4, 7)', () => {
  const HTML = '<!doctype html>\n<p>We are down for a moment - please come back.</p>';

  it.each<[string, string | null, ResponseInit]>([
    ['HTML', HTML, { status: 200 }],
    ['HTML with another status', HTML, { status: 503 }],
    ['nothing', '', {}],
    ['a redirect', null, { status: 302, headers: { location: '/elsewhere' } }],
    ['OK with another status', 'OK', { status: 500 }],
    ['almost OK', 'OK!', {}],
  ])('%s', async (_, body, init) => {
    for (const call of [
      (client: Client) => client.report(DRAFT),
      (client: Client) => client.remove('c'.repeat(16)),
      (client: Client) => client.query(DRAFT.identifiers),
    ]) {
      const error: unknown = await call(facing(body, init)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ status: init.status ?? 200, firstLineLength: body?.split('\n')[0]?.length ?? 0 });
      expect((error as Error).message).not.toContain('doctype');
    }
  });

  it('of a query: fewer segments, more segments', async () => {
    for (const body of ['1-1-1.0', `1-1-1.0-https://my-flags.example/report/${HASH}`]) {
      await expect(facing(body).query(DRAFT.identifiers)).rejects.toBeInstanceOf(UnexpectedResponseError);
    }
  });

  it('of the viewer: no JSON, another shape; 404 and 5xx are no reports', async () => {
    await expect(facing(HTML).view(HASH)).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(facing('{}').view(HASH)).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(facing('{"ReportAdvanceds":[],"count":0}', { status: 403 }).view(HASH)).rejects.toBeInstanceOf(
      UnexpectedResponseError,
    );
    for (const status of [404, 500, 502]) expect(await facing(HTML, { status }).view(HASH)).toBeUndefined();
  });

  it('do not include a line end or errors sent with 200', async () => {
    expect(await facing('OK\n').report(DRAFT)).toEqual({ reportId: undefined, deletionCode: undefined });
    await expect(facing('ERROR: Missing data\r\n').report(DRAFT)).rejects.toEqual(
      new ServiceError(200, 'Missing data', undefined),
    );
  });
});

describe('an unexpected response', () => {
  it('is recognised with instanceof, also one of another copy of the package', async () => {
    const copy = '../../src/core/client/errors.ts?copy';
    const other = (await import(copy)) as typeof import('../../src/core/client/errors.ts');
    const unexpected = new other.UnexpectedResponseError(200, '<!doctype html>');
    expect(other.UnexpectedResponseError).not.toBe(UnexpectedResponseError);
    expect(unexpected).toBeInstanceOf(UnexpectedResponseError);
    expect(unexpected).not.toBeInstanceOf(ServiceError);
    expect(unexpected.name).toBe('UnexpectedResponseError');
  });
});

describe('one request', () => {
  const open: Listening[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });

  it('is sent once, with redirects not followed', async () => {
    const seen: (RequestInit | undefined)[] = [];
    const client = createClient({
      baseUrl: BASE,
      apiKey: KEYS.shop,
      fetch: async (_, init) => {
        seen.push(init);
        throw new TypeError('fetch failed');
      },
    });
    await expect(client.report(DRAFT)).rejects.toThrow('fetch failed');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', redirect: 'manual' });
  });

  it('ends when its time is over, also in the middle of a body, and when the caller says so', async () => {
    const server = await listenOn((request, response) => {
      request.resume();
      if (request.url?.includes('showreport') === true) response.writeHead(200).write('{');
    });
    open.push(server);
    const client = createClient({ baseUrl: server.origin, apiKey: KEYS.shop, timeoutMs: 60 });
    await expect(client.query(DRAFT.identifiers)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(client.view(HASH)).rejects.toMatchObject({ name: 'TimeoutError' });
    const controller = new AbortController();
    const asked = client.query(DRAFT.identifiers, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await expect(client.view(HASH, { signal: AbortSignal.abort('changed my mind') })).rejects.toBe('changed my mind');
  });

  it.each([
    ['succeeded', 'OK', async (asked: Promise<unknown>) => void (await asked)],
    ['failed', 'nothing of the protocol', async (asked: Promise<unknown>) => void (await asked.catch(() => undefined))],
  ])('leaves no listener on the caller’s signal when it has %s', async (_, body, settled) => {
    const { signal } = new AbortController();
    const listeners: unknown[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...[type, listener, options]: Parameters<typeof add>) => {
      listeners.push(listener);
      add(type, listener, options);
    };
    signal.removeEventListener = (...[type, listener, options]: Parameters<typeof remove>) => {
      listeners.splice(listeners.indexOf(listener), 1);
      remove(type, listener, options);
    };
    let during = 0;
    const client = createClient({
      baseUrl: BASE,
      apiKey: KEYS.shop,
      fetch: async () => {
        during = listeners.length;
        return new Response(body);
      },
    });
    await settled(client.remove('c'.repeat(16), { signal }));
    expect(during).toBe(1);
    expect(listeners).toEqual([]);
  });

  it('leaves no timer when it is done', async () => {
    vi.useFakeTimers();
    try {
      await facing('OK').remove('c'.repeat(16));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('over a real connection does not follow a redirect', async () => {
    const server = await listenOn((request, response) => {
      request.resume();
      response.writeHead(301, { location: '/other/' }).end('moved');
    });
    open.push(server);
    await expect(
      createClient({ baseUrl: server.origin, apiKey: KEYS.shop }).query(DRAFT.identifiers),
    ).rejects.toMatchObject({ name: 'UnexpectedResponseError', status: 301 });
  });
});

describe('the base address', () => {
  it.each([
    ['https://flags.example', 'https://flags.example/api/'],
    ['https://flags.example/', 'https://flags.example/api/'],
    ['https://flags.example/api', 'https://flags.example/api/'],
    ['https://flags.example/fraud/api/', 'https://flags.example/fraud/api/'],
    ['https://flags.example/my-api', 'https://flags.example/my-api/api/'],
    ['https://flags.example/api/api/', 'https://flags.example/api/api/'],
  ])('%s leads to %s', async (baseUrl, endpoint) => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl,
      apiKey: KEYS.shop,
      fetch: async (input) => {
        asked.push(String(input));
        return new Response('OK');
      },
    });
    await client.remove('c'.repeat(16));
    await client.view(HASH).catch(() => undefined);
    expect(asked).toEqual([endpoint, `${endpoint}?showreport=${HASH}`]);
  });
});

describe('the options', () => {
  it.each<[string, typeof TypeError | typeof RangeError, object]>([
    ['baseUrl', TypeError, { baseUrl: 'flags.example' }],
    ['baseUrl', TypeError, { baseUrl: 'https://a:b@flags.example' }],
    ['baseUrl', TypeError, { baseUrl: `${BASE}/?x` }],
    ['baseUrl', TypeError, {}],
    ['timeoutMs', RangeError, { baseUrl: BASE, timeoutMs: 0 }],
    ['timeoutMs', RangeError, { baseUrl: BASE, timeoutMs: 2 ** 31 }],
    ['timeoutMs', RangeError, { baseUrl: BASE, timeoutMs: Number.NaN }],
    ['timeoutMs', TypeError, { baseUrl: BASE, timeoutMs: '1000' }],
    ['apiKey', TypeError, { baseUrl: BASE, apiKey: 7 }],
    ['fetch', TypeError, { baseUrl: BASE, fetch: 'fetch' }],
    ['dialect', TypeError, { baseUrl: BASE, dialect: 'modern' }],
    ['retries', RangeError, { baseUrl: BASE, retries: -1 }],
    ['retries', RangeError, { baseUrl: BASE, retries: 11 }],
    ['retries', TypeError, { baseUrl: BASE, retries: true }],
    ['replyBytes', RangeError, { baseUrl: BASE, replyBytes: 1023 }],
    ['random', TypeError, { baseUrl: BASE, random: 0.5 }],
    ['wait', TypeError, { baseUrl: BASE, wait: 100 }],
    ['timeout', TypeError, { baseUrl: BASE, timeout: 1000 }],
  ])('refuse a wrong "%s" with a %o: %j', (label, error, options) => {
    const create = (): unknown => createClient(options as ClientOptions);
    expect(create).toThrow(error);
    expect(create).toThrow(`"${label}"`);
  });

  it('of a call refuse an unknown name before anything is sent', async () => {
    const { client, service } = joined();
    await expect(client.query(DRAFT.identifiers, { timeoutMs: 5 } as object)).rejects.toThrow('"timeoutMs"');
    expect(service.calls).toEqual([]);
  });

  it('may leave the key out for the viewer alone', async () => {
    const client = createClient({ baseUrl: BASE, fetch: async () => new Response('', { status: 404 }) });
    expect(await client.view(HASH)).toBeUndefined();
    await expect(client.query(DRAFT.identifiers)).rejects.toThrow('"apiKey"');
    await expect(client.view('x')).rejects.toThrow(TypeError);
  });
});

describe('a hostile service', () => {
  it('that repeats what it got puts no key, hash or text into an error', async () => {
    const echo: typeof fetch = async (_, init) =>
      new Response(`ERROR: ${String(init?.body)} ${KEYS.shop}`, { status: 400 });
    const client = createClient({ baseUrl: BASE, apiKey: KEYS.shop, fetch: echo });
    for (const call of [client.query(DRAFT.identifiers), client.report(DRAFT)]) {
      const error = (await call.catch((thrown: unknown) => thrown)) as ServiceError;
      expect(error).toBeInstanceOf(ServiceError);
      for (const sent of [KEYS.shop, HASH, 'b'.repeat(40), DRAFT.text, 'signs'])
        expect(error.message + error.details).not.toContain(sent);
    }
  });

  it('cannot outlast the time limit, even if fetch ignores its signal', async () => {
    const never: typeof fetch = () => new Promise(() => undefined);
    const endless: typeof fetch = async () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    for (const given of [never, endless]) {
      const client = createClient({ baseUrl: BASE, apiKey: KEYS.shop, timeoutMs: 50, fetch: given });
      await expect(client.query(DRAFT.identifiers)).rejects.toMatchObject({ name: 'TimeoutError' });
    }
  });

  it('gets nothing from a call that was aborted before it began', async () => {
    let calls = 0;
    const counting: typeof fetch = async () => (calls++, new Response('OK'));
    const client = createClient({ baseUrl: BASE, apiKey: KEYS.shop, fetch: counting });
    const reason = new Error('the customer left');
    await expect(client.query(DRAFT.identifiers, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(calls).toBe(0);
  });
});
