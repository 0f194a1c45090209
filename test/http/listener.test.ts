import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createListener, type ListenerOptions } from '../../src/core/http/listener.ts';
import { describeHttp } from '../contract/http.ts';
import { listenOn, type Listening } from './listening.ts';
import { createRealService } from './real-service.ts';
import { KEYS, createServiceDouble, type ServiceDouble } from './service-double.ts';

const FORM = 'application/x-www-form-urlencoded';
const HASH = 'a'.repeat(40);
const QUERY = `_api=${KEYS.shop}&_action=query&email=${HASH}`;

describeHttp('the node listener', async () => {
  const { engine, keys } = await createRealService('https://flags.example/fraud');
  const server = await listenOn(createListener(engine, { basePath: '/fraud' }));
  return { base: `${server.origin}/fraud`, send: (request) => fetch(request), ...keys, close: server.close };
});

describe('the node listener', () => {
  const open: Listening[] = [];
  async function start(
    options: ListenerOptions = {},
    before?: (request: IncomingMessage) => void | Promise<void>,
  ): Promise<{ server: Listening; service: ServiceDouble }> {
    const service = createServiceDouble();
    const listener = createListener(service, options);
    const server = await listenOn(async (request, response) => {
      await before?.(request);
      listener(request, response);
    });
    open.push(server);
    return { server, service };
  }
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  const head = (length: number | string, more = ''): string =>
    `POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n${typeof length === 'number' ? `Content-Length: ${length}` : length}\r\n${more}\r\n`;

  it('refuses wrong options', () => {
    const create = (options: object) => (): unknown => createListener(createServiceDouble(), options);
    for (const trustProxies of [-1, 1.5, Number.NaN]) {
      expect(create({ trustProxies })).toThrow('"trustProxies"');
      expect(create({ trustProxies })).toThrow(RangeError);
    }
    expect(create({ trustProxies: '1' })).toThrow(TypeError);
    expect(create({ trustProxy: 1 })).toThrow(new TypeError('"trustProxy" is not an option'));
  });

  describe('too much', () => {
    it('of header lines is refused: a proxy’s line, the last one, would be lost', async () => {
      const { server, service } = await start({ trustProxies: 1 });
      const lines = (count: number) => `${'a:\r\n'.repeat(count)}X-Forwarded-For: 192.0.2.7\r\n`;
      const send = (count: number) =>
        server.sendRaw(`${head(QUERY.length, `${lines(count)}Connection: close\r\n`)}${QUERY}`);
      expect(await send(900)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await send(1_000)).toMatch(/^HTTP\/1\.1 431 /);
      expect(service.calls).toHaveLength(1);
    });

    it('reaches a client that sends everything before it reads', async () => {
      const { server } = await start();
      const reply = await server.sendRaw(head(3_000_000), new Uint8Array(3_000_000).fill(0x61));
      expect(reply).toMatch(/^HTTP\/1\.1 413 [^]*larger than 32768 bytes\.$/);
    });

    // The service reads on for two seconds before it closes a connection.
    it('is answered before the rest is sent, and the connection closes', async () => {
      const { server } = await start();
      const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
      const [large, chunked, elsewhere] = await Promise.all([
        server.sendRaw(head(100_000_000), 'a='),
        server.sendRaw(head('Transfer-Encoding: chunked'), ...Array.from({ length: 40 }, () => chunk)),
        server.sendRaw('POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n', 'a'.repeat(500_000)),
      ]);
      expect(large).toMatch(/^HTTP\/1\.1 413 /);
      expect(large).toMatch(/\r\nConnection: close\r\n/i);
      expect(large).toMatch(/\r\n\r\nERROR: The request body is larger than 32768 bytes\.$/);
      expect(chunked).toMatch(/^HTTP\/1\.1 413 [^]*larger than 32768 bytes\.$/);
      expect(elsewhere).toMatch(/^HTTP\/1\.1 404 [^]*Connection: close[^]*There is nothing at this address\.$/i);
    });

    it('reaches fetch', async () => {
      const { server } = await start();
      for (let round = 0; round < 5; round += 1) {
        const response = await fetch(`${server.origin}/api/`, {
          method: 'POST',
          body: 'a'.repeat(2_000_000),
          headers: { 'content-type': FORM },
        });
        expect(response.status).toBe(413);
        expect(await response.text()).toContain('larger than');
      }
    });

    it('reaches curl, where there is one', async (context) => {
      const { server } = await start();
      const run = promisify(execFile);
      const hasCurl = await run('curl', ['--version']).then(
        () => true,
        () => false,
      );
      if (!hasCurl) context.skip('needs curl');
      const sent = run('curl', [
        '-s',
        '-w',
        '%{http_code}',
        '-H',
        `Content-Type: ${FORM}`,
        '--data-binary',
        '@-',
        `${server.origin}/api/`,
      ]);
      sent.child.stdin?.end('a'.repeat(3_000_000));
      expect((await sent).stdout).toMatch(/larger than 32768 bytes\.413$/);
    });

    it('does not hold a connection for a client that never stops', async () => {
      const { server } = await start();
      const socket = connect(server.port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.on('error', () => undefined);
      socket.write(head(1_000_000_000));
      const piece = Buffer.alloc(65_536, 0x61);
      const pump = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', pump);
      socket.resume();
      pump();
      await closed;
      expect(socket.bytesWritten).toBeLessThan(100_000_000);
    });
  });

  describe('clients that go away', () => {
    it('in the middle of a body do not disturb the next', async () => {
      const { server, service } = await start();
      for (let round = 0; round < 10; round += 1) {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(head(1000) + QUERY);
        await once(socket, 'connect');
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (round % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      }
      const response = await fetch(`${server.origin}/api/`, { method: 'POST', body: new URLSearchParams(QUERY) });
      expect(response.status).toBe(200);
      expect(service.calls).toHaveLength(1);
    });

    it('before the reply do not disturb the next', async () => {
      const { server, service } = await start();
      const query = service.query.bind(service);
      service.query = async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return await query(request);
      };
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head(QUERY.length) + QUERY);
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.resetAndDestroy();
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect((await fetch(`${server.origin}/api/`, { method: 'POST', body: new URLSearchParams(QUERY) })).status).toBe(
        200,
      );
    });
  });

  it('waits for a slow body', async () => {
    const { server } = await start();
    const request = httpRequest(`${server.origin}/api/`, {
      method: 'POST',
      headers: { 'Content-Type': FORM, 'Content-Length': QUERY.length },
    });
    for (const character of QUERY.slice(0, 20)) {
      request.write(character);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    request.end(QUERY.slice(20));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  it('keeps the connection for the next request after small refusals', async () => {
    const { server } = await start();
    const one = `POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc`;
    const last = `GET /other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const reply = await server.sendRaw(one, one, last);
    expect(reply.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 415', 'HTTP/1.1 404']);
  });

  it('inflates nothing: a compressed body is answered 415', async () => {
    const { server } = await start();
    const response = await fetch(`${server.origin}/api/`, {
      method: 'POST',
      body: QUERY,
      headers: { 'content-type': FORM, 'content-encoding': 'gzip' },
    });
    expect(response.status).toBe(415);
  });

  it('reads the absolute form of a request target', async () => {
    const { server } = await start();
    const reply = await server.sendRaw(
      `GET http://elsewhere.example/report/${HASH}?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 404 [^]*"count":0\}$/);
  });

  describe('a body that a parser has taken', () => {
    async function drain(request: IncomingMessage): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    }
    const sendQuery = (server: Listening): Promise<Response> =>
      fetch(`${server.origin}/api/`, { method: 'POST', body: new URLSearchParams(QUERY) });

    it.each([
      ['text', (bytes: Buffer) => bytes.toString()],
      ['a Buffer', (bytes: Buffer) => bytes],
      ['URLSearchParams', (bytes: Buffer) => new URLSearchParams(bytes.toString())],
      ['an object', (bytes: Buffer) => Object.fromEntries(new URLSearchParams(bytes.toString()))],
      [
        'an object without prototype',
        (bytes: Buffer) =>
          Object.assign(Object.create(null) as object, Object.fromEntries(new URLSearchParams(bytes.toString()))),
      ],
    ])('is taken from request.body as %s', async (_, parse) => {
      const { server } = await start({}, async (request) => {
        Object.assign(request, { body: parse(await drain(request)) });
      });
      expect((await sendQuery(server)).status).toBe(200);
    });

    it('and left nowhere is answered 400 and not waited for', async () => {
      const { server } = await start({}, async (request) => {
        await drain(request);
      });
      const response = await sendQuery(server);
      expect(response.status).toBe(400);
      expect(await response.text()).toBe('ERROR: The request body cannot be read as a form.');
    });

    it('is read from the stream when the parser left an empty object and read nothing', async () => {
      const { server } = await start({}, (request) => {
        Object.assign(request, { body: {} });
      });
      expect((await sendQuery(server)).status).toBe(200);
    });

    it('as an empty object is an empty form when the stream was read', async () => {
      const { server } = await start({}, async (request) => {
        await drain(request);
        Object.assign(request, { body: {} });
      });
      expect(await (await sendQuery(server)).text()).toBe('ERROR: The field _action is missing.');
    });
  });

  describe('the client address', () => {
    it.each([
      [0, '203.0.113.9', '127.0.0.1'],
      [1, '203.0.113.9', '203.0.113.9'],
      [1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
      [2, '198.51.100.1, 203.0.113.9', '198.51.100.1'],
      [2, '203.0.113.9', '127.0.0.1'],
      [1, 'unknown', '127.0.0.1'],
      [1, '<script>', '127.0.0.1'],
      [1, '203.0.113.9:4711', '203.0.113.9'],
      [1, '[2001:DB8::1]:443', '2001:db8::1'],
      [1, '::ffff:203.0.113.9', '203.0.113.9'],
      [1, '"[2001:db8::1]:4711"', '2001:db8::1'],
      [1, '[fe80::1%eth0]:80', 'fe80::1'],
      [1, '"203.0.113.9:80"', '203.0.113.9'],
      [1, '203.0.113.9, ', '203.0.113.9'],
      [2, '198.51.100.1,, 203.0.113.9', '198.51.100.1'],
      [1, '198.51.100.1, _hidden', '127.0.0.1'],
      [1, '', '127.0.0.1'],
    ])('with %i proxies and X-Forwarded-For %j is %s', async (trustProxies, forwardedFor, address) => {
      const { server, service } = await start({ trustProxies });
      await fetch(`${server.origin}/api/?showreport=${HASH}`, { headers: { 'x-forwarded-for': forwardedFor } });
      expect(service.calls).toEqual([{ name: 'view', request: { linkHash: HASH, client: address } }]);
    });
  });

  it('answers 500 and stays when the service fails', async () => {
    const events: unknown[] = [];
    const { server, service } = await start({ log: (event) => events.push(event) });
    service.next = { error: new Error('secret words') };
    const response = await fetch(`${server.origin}/api/`, { method: 'POST', body: new URLSearchParams(QUERY) });
    expect(response.status).toBe(500);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(events).toHaveLength(1);
  });
});
