import { describe, expect, it } from 'vitest';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { describeHttp } from '../contract/http.ts';
import { createRealService } from './real-service.ts';
import { createServiceDouble } from './service-double.ts';

const BASE = 'https://flags.example/fraud';

describeHttp('the fetch handler', async () => {
  const { engine, keys } = await createRealService(BASE);
  const handler = createFetchHandler(engine, { basePath: '/fraud' });
  return { base: BASE, ...keys, send: (request) => handler(request) };
});

describeHttp(
  'the fetch handler, given parsed FormData',
  async () => {
    const { engine, keys } = await createRealService(BASE);
    const handler = createFetchHandler(engine, { basePath: '/fraud' });
    return {
      base: BASE,
      ...keys,
      send: async (request) => {
        const body = request.method === 'POST' ? await request.formData().catch(() => null) : undefined;
        return await handler(request, { body });
      },
    };
  },
  { parsedFirst: true },
);

describe('a body that something else has read', () => {
  it('is answered 400', async () => {
    const service = createServiceDouble(BASE);
    const request = new Request(`${BASE}/api/`, { method: 'POST', body: new URLSearchParams({ _action: 'query' }) });
    await request.text();
    const response = await createFetchHandler(service, { basePath: '/fraud' })(request);
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('ERROR: The request body cannot be read as a form.');
  });
});

describe('a body that the reply does not need', () => {
  const refuse = async (bytes: number): Promise<Request> => {
    const handler = createFetchHandler(createServiceDouble(BASE), { basePath: '/fraud' });
    const init = { method: 'POST', body: 'x'.repeat(bytes), headers: { 'content-length': String(bytes) } };
    const request = new Request(`${BASE}/api/`, init);
    expect((await handler(request)).status).toBe(415);
    return request;
  };

  it('is read, because workerd would close the connection', async () => {
    expect((await refuse(65_536)).bodyUsed).toBe(true);
  });

  it('is not read if it is long', async () => {
    expect((await refuse(65_537)).bodyUsed).toBe(false);
  });

  it('is left to the caller if nothing is at the path', async () => {
    const request = new Request('https://flags.example/checkout', { method: 'POST', body: 'order=7' });
    const response = await createFetchHandler(createServiceDouble(BASE), { basePath: '/fraud' })(request);
    expect(response.status).toBe(404);
    expect(await request.text()).toBe('order=7');
  });

  it('is left to the caller that passed a parsed body', async () => {
    const request = new Request(`${BASE}/api/`, { method: 'POST', body: new URLSearchParams({ _action: 'query' }) });
    const body = await request.clone().formData();
    await createFetchHandler(createServiceDouble(BASE), { basePath: '/fraud' })(request, { body });
    expect(await request.text()).toBe('_action=query');
  });
});

describe('an endless upload', () => {
  it('is answered 413 and stopped', async () => {
    let pulled = 0;
    let stopped = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(10_000).fill(0x26));
      },
      cancel() {
        stopped = true;
      },
    });
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      duplex: 'half',
    };
    const response = await createFetchHandler(createServiceDouble(BASE), { basePath: '/fraud' })(
      new Request(`${BASE}/api/`, init),
    );
    expect(response.status).toBe(413);
    expect(stopped).toBe(true);
    expect(pulled).toBeLessThan(12);
  });

  it('that fails is answered 400', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      duplex: 'half',
    };
    const response = await createFetchHandler(createServiceDouble(BASE), { basePath: '/fraud' })(
      new Request(`${BASE}/api/`, init),
    );
    expect(response.status).toBe(400);
  });
});

describe('what the handler hands on', () => {
  it.each(['192.0.2.7', '192.0.2.7:4711', '"192.0.2.7:80"', ' 192.0.2.7'])('is the address %s', async (address) => {
    const service = createServiceDouble(BASE);
    const viewed = new Request(`https://flags.example/api/?showreport=${'a'.repeat(40)}`);
    await createFetchHandler(service)(viewed, { address });
    expect(service.calls).toEqual([{ name: 'view', request: { linkHash: 'a'.repeat(40), client: '192.0.2.7' } }]);
  });

  it.each([null, undefined])('has no address if it is %s', async (address) => {
    const service = createServiceDouble(BASE);
    const viewed = new Request(`https://flags.example/api/?showreport=${'a'.repeat(40)}`);
    await createFetchHandler(service)(viewed, { address });
    await createFetchHandler(service)(viewed);
    expect(service.calls[0]).toEqual(service.calls[1]);
    expect(service.calls).toHaveLength(2);
  });
});
