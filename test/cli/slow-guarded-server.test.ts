import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedServer, type GuardedServer } from '../../src/service/cli/operations/guarded-server.ts';
import { createListener } from '../../src/core/http/listener.ts';
import type { ServerLimits } from '../../src/service/cli/operations/server-limits.ts';
import { createRealService } from '../http/real-service.ts';
import { openLongView } from '../http/long-view.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const EXPECTING = 'GET / HTTP/1.1\r\nHost: x\r\nExpect: something\r\n\r\n';
/** More than the buffers of the system take for a client that does not read. */
const LONG = Buffer.alloc(16_000_000, 0x61);
const NOTHING = { connections: 0, addresses: 0, replyBytes: 0 };

const open: { server: Server; clients: Client[] }[] = [];
afterEach(async () => {
  for (const { server, clients } of open.splice(0)) {
    for (const client of clients) client.socket.destroy();
    server.closeAllConnections();
    if (server.listening) await once(server.close(), 'close');
  }
});

/** A client that reads nothing before `read` is called. */
class Client {
  readonly socket: Socket;
  received = '';
  closed = false;
  constructor(port: number, localAddress: string) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress });
    this.socket.pause();
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.closed = true));
  }
  send(text: string): this {
    this.socket.write(text);
    return this;
  }
  read(): this {
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1'))).resume();
    return this;
  }
  replies(): number {
    return this.received.match(/HTTP\/1\.1 200/g)?.length ?? 0;
  }
}

async function listen(server: Server): Promise<(localAddress?: string) => Client> {
  const place = { server, clients: [] as Client[] };
  open.push(place);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return (localAddress = '127.0.0.1') => {
    const client = new Client(port, localAddress);
    place.clients.push(client);
    return client;
  };
}

async function start(
  listener: RequestListener,
  limits: ServerLimits = {},
): Promise<{ guarded: GuardedServer; client: (localAddress?: string) => Client }> {
  const guarded = createGuardedServer(listener, limits);
  return { guarded, client: await listen(guarded.server) };
}

const short: RequestListener = (_, response) => void response.end('short');
const long: RequestListener = (_, response) => void response.end(LONG);

describe('replies that no client reads', () => {
  it('of the real viewer stay under the bound, and a light query is answered meanwhile', async () => {
    const { engine, keys } = await createRealService('https://flags.example');
    const { path } = await openLongView(engine, keys.apiKey, 200);
    const { guarded, client } = await start(createListener(engine), { replyBytes: 4_000_000, replyTimeout: 3_000 });
    let most = 0;
    const sockets = new Set<Socket>();
    guarded.server.on('connection', (socket) => sockets.add(socket));
    // Requests ahead: if a reply were small enough for the buffers of the system, the next ones would not be.
    for (let n = 0; n < 6; n++) client().send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(24));
    const light = client('127.0.0.2').read();
    for (let n = 1; n <= 20; n++) {
      light.send(`GET /api/?showreport=${'0'.repeat(40)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await expect.poll(() => light.received.match(/HTTP\/1\.1 404/g)?.length).toBe(n);
      const kept = [...sockets].reduce((sum, socket) => sum + (socket.destroyed ? 0 : socket.writableLength), 0);
      expect(kept).toBeLessThanOrEqual(4_000_000);
      most = Math.max(most, kept);
    }
    expect(most).toBeGreaterThan(0);
    // The connections of the attack are closed, not kept.
    await expect.poll(() => guarded.usage()).toEqual({ ...NOTHING, connections: 1, addresses: 1 });
    expect(guarded.closed()).toEqual({ refused: 0, cut: 6 });
  });

  it('are kept without bound by a plain server', async () => {
    const server = createServer(long);
    const client = await listen(server);
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    for (let n = 0; n < 4; n++) client().send(GET);
    await expect
      .poll(() => sockets.reduce((sum, socket) => sum + socket.writableLength, 0))
      .toBeGreaterThanOrEqual(4 * LONG.length);
  });

  it('are counted too if Node itself would answer the request', async () => {
    const { guarded, client } = await start(long, { replyTimeout: 200 });
    let opened = 0;
    guarded.server.on('connection', () => opened++);
    // Each of these asks for a reply of its own, and none is read.
    client().send(EXPECTING.repeat(1_000));
    await expect.poll(() => [opened, guarded.usage()]).toEqual([1, NOTHING]);
    const other = client().send(EXPECTING).read();
    await expect.poll(() => other.received).toContain('HTTP/1.1 417');
  });

  it('are measured while they are written, and their clients are cut', async () => {
    const parts: RequestListener = (_request, response) => {
      response.writeHead(200);
      for (let n = 0; n < 64; n++) response.write('x'.repeat(65_536));
    };
    const { guarded, client } = await start(parts, { replyTimeout: 200, connections: 2 });
    const clients = [client().send(GET), client().send(GET)];
    await expect.poll(() => guarded.usage().replyBytes).toBeGreaterThan(65_536);
    await expect.poll(() => guarded.usage()).toEqual(NOTHING);
    for (const one of clients) one.read();
    await expect.poll(() => clients.map((one) => one.closed)).toEqual([true, true]);
  });

  it('close the connections with the oldest of them when they are too many', async () => {
    const { guarded, client } = await start(long, { replyBytes: 2.5 * LONG.length });
    const clients: Client[] = [];
    for (let n = 0; n < 5; n++) {
      clients.push(client().send(GET));
      await expect.poll(() => guarded.usage().replyBytes).toBeGreaterThan(Math.min(n, 1) * LONG.length);
      expect(guarded.usage().replyBytes).toBeLessThanOrEqual(2.5 * LONG.length);
    }
    await expect.poll(() => guarded.usage().connections).toBe(2);
    for (const one of clients) one.read();
    await expect.poll(() => clients.map((one) => one.closed)).toEqual([true, true, true, false, false]);
    await expect.poll(() => clients.slice(3).map((one) => one.received.length > LONG.length)).toEqual([true, true]);
    await expect.poll(() => guarded.usage().replyBytes).toBe(0);
  });

  it('close one connection when they are too long for it', async () => {
    const { guarded, client } = await start(
      (request, response) => void response.end(request.url === '/l' ? LONG : ''),
      { replyBytesPerConnection: 1_000_000 },
    );
    const other = client().read().send(GET);
    const greedy = client().send(GET.replace('/', '/l'));
    await expect.poll(() => other.replies()).toBe(1);
    greedy.read();
    await expect.poll(() => greedy.closed).toBe(true);
    expect(guarded.usage()).toEqual({ connections: 1, addresses: 1, replyBytes: 0 });
  });

  it('close the connection in time, also if the client takes a few bytes now and then', async () => {
    const { guarded, client } = await start(long, { replyTimeout: 400 });
    const still = client().send(GET);
    const slow = client().send(GET);
    const reading = setInterval(() => slow.socket.read(1000), 20);
    await expect.poll(() => guarded.usage().replyBytes).toBeGreaterThan(0);
    await expect.poll(() => guarded.usage()).toEqual(NOTHING);
    clearInterval(reading);
    for (const one of [still, slow]) {
      one.read();
      await expect.poll(() => one.closed).toBe(true);
      expect(one.received.length).toBeLessThan(LONG.length);
    }
  });

  it('are no reason to close while a streamed reply is taken, however long it is', async () => {
    let parts = 0;
    const { client } = await start(
      (_, response) => {
        const more = (): void => {
          if (parts++ === 60) response.end();
          else response.write(Buffer.alloc(400_000), () => setTimeout(more, 10));
        };
        more();
      },
      { replyTimeout: 300, replyBytes: 1_000_000 },
    );
    const reader = client().read().send(GET);
    await expect.poll(() => reader.received.endsWith('\r\n0\r\n\r\n')).toBe(true);
    expect(parts).toBe(61);
  });
});

describe('connections', () => {
  it('of one address are bounded, those of others are not', async () => {
    const { guarded, client } = await start(short, { connectionsPerAddress: 2 });
    const own = [client(), client(), client()].map((one) => one.read().send(GET));
    await expect
      .poll(() => own.map((one) => [one.replies(), one.closed]))
      .toEqual([
        [1, false],
        [1, false],
        [0, true],
      ]);
    const other = client('127.0.0.2').read().send(GET);
    await expect.poll(() => other.replies()).toBe(1);
    expect(guarded.usage()).toMatchObject({ connections: 3, addresses: 2 });
    own[0]!.socket.destroy();
    await expect.poll(() => guarded.usage().connections).toBe(2);
    await expect.poll(() => client().read().send(GET)).toBeDefined();
    await expect.poll(() => guarded.usage().connections).toBe(3);
  });

  it('are not counted by address behind a proxy', async () => {
    const { guarded, client } = await start(short, { connectionsPerAddress: 2, trustProxies: 1 });
    const own = [client(), client(), client()].map((one) => one.read().send(GET));
    await expect.poll(() => own.map((one) => one.replies())).toEqual([1, 1, 1]);
    expect(guarded.usage()).toMatchObject({ connections: 3, addresses: 0 });
  });

  it('above the bound replace the one for whose client the server has waited the longest', async () => {
    let finish: (() => void)[] = [];
    const { guarded, client } = await start(
      (request, response) => {
        if (request.url === '/slow') finish.push(() => response.end('slow'));
        else response.end('short');
      },
      { connections: 3 },
    );
    const slow = client().read().send(GET.replace('/', '/slow'));
    await expect.poll(() => finish.length).toBe(1);
    const [first, second] = [client().read().send(GET), client().read().send(GET)];
    await expect.poll(() => first.replies() + second.replies()).toBe(2);
    first.send(GET);
    await expect.poll(() => first.replies()).toBe(2);
    const third = client().read().send(GET.replace('/', '/slow'));
    await expect.poll(() => finish.length).toBe(2);
    await expect.poll(() => second.closed).toBe(true);
    const fourth = client().read().send(GET.replace('/', '/slow'));
    await expect.poll(() => finish.length).toBe(3);
    await expect.poll(() => first.closed).toBe(true);
    // Now the server waits for no client.
    const fifth = client().read().send(GET);
    await expect.poll(() => fifth.closed).toBe(true);
    for (const end of finish) end();
    await expect.poll(() => [slow, third, fourth].map((one) => one.replies())).toEqual([1, 1, 1]);
    finish = [];
    expect(guarded.usage().connections).toBe(3);
  });

  it('are closed when headers or a body come byte by byte', async () => {
    const { guarded, client } = await start(
      (request, response) => request.resume().on('end', () => response.end('short')),
      { headersTimeout: 150, requestTimeout: 300 },
    );
    const head = client().read().send('GET / HTTP/1.1\r\nHost: x\r\nA: ');
    const body = client().read().send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
    const silent = client().read();
    const trickle = setInterval(() => [head, body].map((one) => one.closed || one.send('a')), 20);
    await expect.poll(() => [head, body, silent].map((one) => one.closed)).toEqual([true, true, true]);
    clearInterval(trickle);
    expect([head.received, body.received].map((text) => text.slice(0, 12))).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408']);
    expect(guarded.usage()).toEqual(NOTHING);
  });

  it('are closed when a body comes in pieces of a byte, before these fill the memory', async () => {
    const post = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const inPieces = (bytes: number, pieces: number): string =>
      `${post}${`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(pieces)}0\r\n\r\n`;
    const read: RequestListener = (request, response) => request.resume().on('end', () => response.end('short'));
    const { guarded, client } = await start((request, response) =>
      request.url === '/wait' ? undefined : read(request, response),
    );
    const usual = client().read();
    for (let n = 1; n <= 4; n++) {
      usual.send(n === 1 ? inPieces(100, 3_000) : inPieces(1, 250));
      await expect.poll(() => usual.replies()).toBe(n);
    }
    // While it runs, and ahead of its turn.
    const running = client().read().send(inPieces(1, 3_000));
    const ahead = client()
      .read()
      .send(GET.replace('/', '/wait') + inPieces(1, 3_000));
    await expect.poll(() => [running.closed, ahead.closed]).toEqual([true, true]);
    expect([running.replies(), ahead.replies()]).toEqual([0, 0]);
    expect(guarded.closed()).toEqual({ refused: 0, cut: 2 });
  });

  it('are read no further than one request ahead', async () => {
    const running: (() => void)[] = [];
    const { guarded, client } = await start((request, response) => {
      running.push(() => request.resume().on('end', () => response.end('short')));
    });
    let socket: Socket | undefined;
    guarded.server.on('connection', (opened) => (socket = opened));
    const body = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 15000\r\n\r\n${'x'.repeat(15_000)}`;
    const some = client().read();
    some.send(body.repeat(30));
    for (let n = 1; n <= 30; n++) {
      await expect.poll(() => running.length).toBe(n);
      if (n === 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(socket!.bytesRead).toBeLessThanOrEqual(2 * 65_536);
      }
      running[n - 1]!();
    }
    await expect.poll(() => some.replies()).toBe(30);
    expect(guarded.closed()).toEqual({ refused: 0, cut: 0 });
  });

  it('are closed when too many bytes of bodies wait for their rest, the longest one first, then the oldest', async () => {
    const { guarded, client } = await start(
      (request, response) => {
        request.resume().on('end', () => response.end('whole'));
      },
      { replyBytes: 100_000, replyBytesPerConnection: 50_000 },
    );
    const begin = async (n: number, bytes = 40_000) => {
      const one = client()
        .read()
        .send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes + 10_000}\r\n\r\n${'x'.repeat(bytes)}`);
      await expect.poll(() => guarded.usage().connections + guarded.closed().cut).toBe(n);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return one;
    };
    const short = await begin(1, 1_000);
    const [first, second] = [await begin(2), await begin(3)];
    expect(guarded.closed().cut).toBe(0);
    const third = await begin(4);
    await expect.poll(() => first.closed).toBe(true);
    expect(guarded.closed().cut).toBe(1);
    for (const one of [short, second, third]) {
      one.send('x'.repeat(10_000));
      await expect.poll(() => one.replies()).toBe(1);
    }
    // What was taken no longer counts.
    const fourth = await begin(5);
    fourth.send('x'.repeat(10_000));
    await expect.poll(() => fourth.replies()).toBe(1);
    expect(guarded.closed().cut).toBe(1);
  });

  it('are not closed because of bodies that others sent ahead while they are served', async () => {
    const replies: (() => void)[] = [];
    const { guarded, client } = await start(
      (request, response) => {
        if (request.url === '/wait') return void replies.push(() => response.end('late'));
        request.resume().on('end', () => response.end('whole'));
      },
      { replyBytes: 100_000, replyBytesPerConnection: 50_000 },
    );
    const first = 'POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx';
    const ahead = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n${'x'.repeat(40_000)}`;
    const served = Array.from({ length: 4 }, () => client().read());
    for (const one of served) one.send(first + ahead);
    await expect.poll(() => replies.length).toBe(4);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const other = client().read();
    other.send(ahead.slice(0, -10_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.send('x'.repeat(10_000));
    await expect.poll(() => other.replies()).toBe(1);
    for (const reply of replies) reply();
    await expect.poll(() => served.map((one) => one.replies())).toEqual([2, 2, 2, 2]);
    expect(guarded.closed().cut).toBe(0);
  });

  it('are checked every second, and not every 30 seconds as by Node’s default', () => {
    const bounds = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };
    expect(createGuardedServer(short).server).toMatchObject(bounds);
    const shorter = { headersTimeout: 150, requestTimeout: 300 };
    expect(createGuardedServer(short, shorter).server).toMatchObject({ ...shorter, connectionsCheckingInterval: 150 });
  });

  it('are closed when they are idle', async () => {
    const { guarded, client } = await start(short, { keepAliveTimeout: 100 });
    const one = client().read().send(GET);
    await expect.poll(() => one.closed).toBe(true);
    expect(one.replies()).toBe(1);
    expect(guarded.usage()).toEqual(NOTHING);
  });

  it('answer requests that are sent ahead one after the other, and are closed for too many', async () => {
    const running: (() => void)[] = [];
    const { guarded, client } = await start((_, response) => void running.push(() => response.end('short')));
    const some = client().read().send(GET.repeat(3));
    for (let n = 1; n <= 3; n++) {
      await expect.poll(() => running.length).toBe(n);
      running[n - 1]!();
      await expect.poll(() => some.replies()).toBe(n);
    }
    const many = client().read().send(GET.repeat(34));
    await expect.poll(() => many.closed).toBe(true);
    expect(guarded.usage().connections).toBe(1);
  });
});

describe('a request that cannot be read', () => {
  const BROKEN = 'GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n';
  const LONG_HEADER = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`;
  const ENDLESS = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
  const statuses = (received: string): string[] =>
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

  it('does not take the replies of those that were sent before it, and the connection is closed', async () => {
    for (const [bytes, status] of [
      [BROKEN, '400'],
      [LONG_HEADER, '431'],
      [ENDLESS, '400'],
    ]) {
      const waiting: (() => void)[] = [];
      const { client, guarded } = await start((_, response) => void waiting.push(() => response.end('short')));
      const one = client()
        .send(GET + GET + bytes)
        .read();
      for (let n = 0; n < 2; n++) {
        await expect.poll(() => waiting.length).toBe(1);
        // Time for the service to read all that was sent.
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(one.closed).toBe(false);
        waiting.shift()!();
      }
      await expect.poll(() => one.closed).toBe(true);
      expect(statuses(one.received)).toEqual(['200', '200', status]);
      expect(waiting).toEqual([]);
      expect(guarded.usage()).toEqual(NOTHING);
    }
  });

  it('is answered at once if it is the one that runs, or the first', async () => {
    const { client } = await start(() => undefined);
    for (const [bytes, status] of [
      [BROKEN, '400'],
      [LONG_HEADER, '431'],
      [ENDLESS, '400'],
      [ENDLESS.replace('zz', `1;${'x'.repeat(20_000)}`), '413'],
    ]) {
      const one = client().send(bytes!).read();
      await expect.poll(() => one.closed).toBe(true);
      expect(statuses(one.received)).toEqual([status]);
    }
  });

  it('is answered after the reply to the one before it, also if it comes too slowly', async () => {
    const waiting: (() => void)[] = [];
    const { client } = await start((_, response) => void waiting.push(() => response.end('short')), {
      headersTimeout: 200,
      requestTimeout: 200,
    });
    const one = client().send(`${GET}GET / HTTP/1.1\r\n`).read();
    await expect.poll(() => waiting.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(one.closed).toBe(false);
    waiting.shift()!();
    await expect.poll(() => one.closed).toBe(true);
    expect(statuses(one.received)).toEqual(['200', '408']);
  });
});

describe('what is counted', () => {
  const action = fc.record({
    client: fc.nat(5),
    kind: fc.constantFrom('connect', 'ask', 'ask ahead', 'ask long', 'begin', 'read', 'reset', 'end'),
  });

  it('stays within its bounds and is given back, whatever clients do', async () => {
    const listener: RequestListener = (request, response) => void response.end(request.url === '/l' ? LONG : 'short');
    const { guarded, client } = await start(listener, {
      connections: 4,
      connectionsPerAddress: 3,
      replyBytes: 1.5 * LONG.length,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 40 }), async (actions) => {
        const clients = new Map<number, Client>();
        for (const { client: id, kind } of actions) {
          const known = clients.get(id);
          if (known === undefined || kind === 'connect') {
            known?.socket.destroy();
            clients.set(id, client(`127.0.0.${1 + (id % 3)}`));
          } else if (kind === 'ask') known.send(GET);
          else if (kind === 'ask ahead') known.send(GET.repeat(5));
          else if (kind === 'ask long') known.send(GET.replace('/', '/l'));
          else if (kind === 'begin') known.send('GET / HT');
          else if (kind === 'read') known.socket.resume();
          else if (kind === 'reset') known.socket.resetAndDestroy();
          else known.socket.end();
          if (id % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
          const { connections, addresses, replyBytes } = guarded.usage();
          expect(connections).toBeLessThanOrEqual(4);
          expect(addresses).toBeLessThanOrEqual(Math.min(connections, 3));
          expect(replyBytes).toBeGreaterThanOrEqual(0);
          expect(replyBytes).toBeLessThanOrEqual(1.5 * LONG.length);
        }
        for (const one of clients.values()) one.socket.destroy();
        await expect.poll(() => guarded.usage()).toEqual(NOTHING);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

describe('finish', () => {
  it('closes idle and silent connections at once, and answers what runs', async () => {
    let end = (): void => undefined;
    const { guarded, client } = await start((request, response) => {
      if (request.url === '/slow') end = () => response.end('slow');
      else response.end('short');
    });
    const silent = client().read();
    const idle = client().read().send(GET);
    const slow = client().read().send(GET.replace('/', '/slow'));
    const begun = client().read().send(GET.slice(0, 20));
    await expect.poll(() => [idle.replies(), guarded.usage().connections]).toEqual([1, 4]);
    const finished = guarded.finish(60_000);
    await expect
      .poll(() => [silent.closed, idle.closed, slow.closed, begun.closed])
      .toEqual([true, true, false, false]);
    expect(guarded.server.listening).toBe(false);
    begun.send(GET.slice(20));
    await expect.poll(() => begun.received).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*short$/);
    end();
    await finished;
    await expect.poll(() => slow.received).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*slow$/);
    expect(guarded.usage()).toEqual(NOTHING);
  });

  it('cuts what is left after the time given', async () => {
    const { guarded, client } = await start((request, response) => void (request.url === '/l' && response.end(LONG)));
    const unread = client().send(GET.replace('/', '/l'));
    const unanswered = client().read().send(GET);
    await expect.poll(() => guarded.usage().replyBytes).toBeGreaterThan(0);
    await guarded.finish(50);
    expect(guarded.usage()).toEqual(NOTHING);
    unread.read();
    await expect.poll(() => [unread.closed, unanswered.closed]).toEqual([true, true]);
  });
});

it('refuses wrong bounds', () => {
  const create = (limits: object) => (): unknown => createGuardedServer(short, limits);
  expect(create({ connection: 1 })).toThrow(new TypeError('"connection" is not an option'));
  expect(create({ connections: 0 })).toThrow(RangeError);
  expect(create({ connections: '1' })).toThrow(TypeError);
  expect(create({ replyTimeout: 2 ** 31 })).toThrow('"replyTimeout" expected a whole number from 1 to 2147483647');
  expect(create({ trustProxies: -1 })).toThrow('"trustProxies"');
  expect(create({ requestTimeout: 9_999 })).toThrow('"requestTimeout" expected at least the headersTimeout 10000');
  expect(create({ trustProxies: 0, connections: undefined })).not.toThrow();
});
