import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import initSqlJs from 'sql.js';
import { Webhook } from 'standardwebhooks';
import type { AuditEntry } from '../../src/core/domain/audit.ts';
import type { PrintedNotice } from '../../src/service/data-folder/errors.ts';
import { headersOf, messageOf, webhookSecret } from '../../src/service/data-folder/webhooks/message.ts';
import { isAccepted, post } from '../../src/service/data-folder/webhooks/post.ts';
import {
  isPublicAddress,
  PrivateAddressError,
  resolveOnce,
} from '../../src/service/data-folder/webhooks/public-address.ts';
import { startSender, type SenderSettings } from '../../src/service/data-folder/webhooks/sender.ts';
import { validateWebhookUrl } from '../../src/service/data-folder/webhooks/url.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { id, key, reporter } from '../contract/stored.ts';
import { eventually } from '../eventually.ts';
import { accept, openReceiver, status, type Receiver } from './webhook-receiver.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const QUICK = { toPrivate: true, pollMs: 10, timeoutMs: 60_000, retryMs: 20 };
const note = { actor: 'Ada', atMs: 5 };

const open: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function openStore(): Promise<Store> {
  const store = await createMemoryStore();
  open.push(store);
  for (const n of [1, 2]) await store.addReporter(reporter(n));
  return store;
}
async function receive(): Promise<Receiver> {
  const receiver = await openReceiver();
  open.push(receiver);
  return receiver;
}
function send(
  store: Store,
  settings: Partial<SenderSettings> = {},
): { notices: PrintedNotice[]; stop(): Promise<void> } {
  const notices: PrintedNotice[] = [];
  const sender = startSender(store, SECRET, (notice) => void notices.push(notice), { ...QUICK, ...settings });
  open.push({ close: () => sender.stop() });
  return { notices, stop: () => sender.stop() };
}
/** A store that changes no row of a webhook while it is full. */
async function openFullStore(): Promise<Store> {
  const store = await createMemoryStore();
  for (const n of [1, 2]) await store.addReporter(reporter(n));
  const db = new (await initSqlJs()).Database(store.export());
  db.run(`CREATE TRIGGER full BEFORE UPDATE ON webhook WHEN EXISTS (SELECT 1 FROM reporter WHERE suspended = 1)
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  const full = await createSqljsStore({ bytes: db.export() });
  db.close();
  open.push(full);
  return full;
}
const isFull = (store: Store, suspended: boolean) => store.updateReporter({ reporterId: id(2), suspended });
const add = (store: Store, n: number, { url }: Receiver, reporterId: string | null = null) =>
  store.addWebhook({ webhookId: id(n), url, reporterId, createdAt: n }, note);
/** Adds entries about a reporter. */
const act = async (store: Store, from: number, to: number, reporterId = id(1)): Promise<void> => {
  for (let n = from; n <= to; n++) {
    await store.addKey(key(n, { reporterId }), note);
    await store.endKey({ keyId: id(n), endsAt: 0 }, note);
  }
};
const subjects = ({ received }: Receiver) => received.map(({ type, data }) => `${type} ${data.subject}`);
const ended = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `key-revoked ${id(from + at)}`);

describe('a webhook', () => {
  it('of the operator gets all entries from its own on, in order, signed by the standard', async () => {
    const store = await openStore();
    const receiver = await receive();
    await act(store, 1, 2);
    await add(store, 70, receiver);
    receiver.verifyWith(webhookSecret(SECRET, id(70)));
    send(store);
    await act(store, 3, 5);
    await store.addAuditEntry({ ...note, action: 'exported', reporterId: null, subject: null, amount: 9 });
    await eventually(() => expect(receiver.received).toHaveLength(7));
    expect(subjects(receiver)).toEqual([
      ...[3, 4, 5].flatMap((n) => [`key-issued ${id(n)}`, `key-revoked ${id(n)}`]),
      'exported null',
    ]);
    expect(receiver.received.at(-1)).toMatchObject({ timestamp: new Date(5).toISOString(), data: { amount: 9 } });
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(7);
    await eventually(async () => expect((await store.listWebhooks())[0]).toMatchObject({ position: 12, failures: 0 }));
  });

  it('of a reporter gets only the events of this reporter, and only ids', async () => {
    const store = await openStore();
    const receiver = await receive();
    await add(store, 70, receiver, id(1));
    send(store);
    await act(store, 1, 2, id(2));
    await act(store, 3, 4, id(1));
    await store.updateReporter({ reporterId: id(1), suspended: true }, note);
    const use = { ...note, action: 'ended-key-used', reporterId: id(1), subject: id(3), amount: null } as const;
    // Only the operator is told of it.
    await store.addAuditEntry({ ...use, action: 'unusual-usage', subject: null, amount: 5_000 });
    await store.addAuditEntry(use);
    await eventually(() => expect(receiver.received).toHaveLength(3));
    expect(subjects(receiver)).toEqual([...ended(3, 4), `ended-key-used ${id(3)}`]);
    for (const { data } of receiver.received)
      expect(data).toEqual({
        reporterId: id(1),
        subject: expect.stringMatching(/^0{15}[34]$/) as string,
        amount: null,
      });
  });

  it('passes over many entries of others', async () => {
    const store = await openStore();
    const receiver = await receive();
    await add(store, 70, receiver, id(1));
    await act(store, 1, 450, id(2));
    await act(store, 500, 501, id(1));
    send(store);
    await eventually(() => expect(subjects(receiver)).toEqual(ended(500, 501)));
  });

  it('retries until the receiver accepts, and then goes on in order', async () => {
    const store = await openStore();
    const receiver = await receive();
    await add(store, 70, receiver);
    const ids: (string | undefined)[] = [];
    let refusals = 0;
    receiver.answer((request, response) => {
      ids.push(request.headers['webhook-id'] as string);
      if (++refusals <= 4) status([500, 302, 404, 429][refusals - 1]!, { location: receiver.url })(request, response);
      else accept(request, response);
    });
    const { notices } = send(store);
    await act(store, 1, 2);
    await eventually(() => expect(receiver.received).toHaveLength(4));
    expect(new Set(ids.slice(0, 5)).size).toBe(1);
    expect(receiver.requests()).toBe(8);
    expect(notices).toEqual([{ event: 'webhook-failed', webhookId: id(70), cause: 'status', status: 500 }]);
    await eventually(async () =>
      expect(await store.listWebhooks()).toMatchObject([{ failures: 0, failingSince: null }]),
    );
  });

  it('follows no redirect', async () => {
    const store = await openStore();
    const [receiver, other] = [await receive(), await receive()];
    receiver.answer(status(307, { location: other.url }));
    await add(store, 70, receiver);
    send(store);
    await act(store, 1, 1);
    await eventually(() => expect(receiver.requests()).toBeGreaterThan(1));
    expect(other.requests()).toBe(0);
  });

  it('that never answers, or answers without an end, delays no other one', async () => {
    const store = await openStore();
    const [silent, endless, good] = [await receive(), await receive(), await receive()];
    silent.answer(() => undefined);
    endless.answer((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.once('close', () => clearInterval(timer));
    });
    for (const [n, receiver] of [silent, endless, good].entries()) await add(store, 70 + n, receiver);
    const { notices } = send(store, { timeoutMs: 500 });
    await act(store, 1, 10);
    await eventually(() => expect(good.received.length).toBe(21 - 1));
    // The body of the endless answer is cut off, and its status counts.
    await eventually(() => expect(endless.requests()).toBeGreaterThan(10));
    expect(silent.mostOpen()).toBeLessThan(4);
    await eventually(() =>
      expect(notices).toContainEqual({ event: 'webhook-failed', webhookId: id(70), cause: 'timeout' }),
    );
  });

  it('among many shares a bound of deliveries at once', async () => {
    const store = await openStore();
    const receiver = await receive();
    receiver.answer((request, response) => void setTimeout(() => accept(request, response), 50));
    for (let n = 0; n < 20; n++) await add(store, 70 + n, receiver, id(1));
    await act(store, 1, 2);
    send(store);
    await eventually(() => expect(receiver.received).toHaveLength(40));
    expect(receiver.mostOpen()).toBeLessThanOrEqual(8);
    expect(receiver.mostOpen()).toBeGreaterThan(1);
  });

  it('ends with 410, or after failing for too long, and a notice says so', async () => {
    const store = await openStore();
    const [gone, broken] = [await receive(), await receive()];
    gone.answer(status(410));
    broken.answer(status(503));
    await add(store, 70, gone);
    await add(store, 71, broken);
    const { notices } = send(store, { giveUpMs: 200 });
    await act(store, 1, 1);
    await eventually(async () =>
      expect((await store.listWebhooks()).map(({ endedAt }) => endedAt !== null)).toEqual([true, true]),
    );
    expect(gone.requests()).toBe(1);
    expect(notices).toContainEqual({ event: 'webhook-ended', webhookId: id(70), cause: 'status', status: 410 });
    expect(notices).toContainEqual({ event: 'webhook-ended', webhookId: id(71), cause: 'status', status: 503 });
    const tried = broken.requests();
    await act(store, 2, 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([gone.requests(), broken.requests()]).toEqual([1, tried]);
  });

  it('keeps its failures and its next attempt over a restart', async () => {
    const store = await openStore();
    const receiver = await receive();
    receiver.answer(status(500));
    await add(store, 70, receiver);
    const first = send(store, { retryMs: 600_000 });
    await act(store, 1, 1);
    await eventually(async () => expect(await store.listWebhooks()).toMatchObject([{ failures: 1 }]));
    await first.stop();
    const [kept] = await store.listWebhooks();
    expect(kept!.nextAt - kept!.failingSince!).toBeGreaterThanOrEqual(300_000);
    expect(kept!.nextAt - kept!.failingSince!).toBeLessThanOrEqual(600_000);
    receiver.answer(accept);
    send(store);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.requests()).toBe(1);
  });

  it('is tried again if its next attempt is beyond every wait, because the clock was set back', async () => {
    const store = await openStore();
    const receiver = await receive();
    await add(store, 70, receiver);
    const nextAt = Date.now() + 86_400_000;
    await store.moveWebhook({
      webhookId: id(70),
      position: 1,
      failures: 3,
      failingSince: nextAt,
      nextAt,
      endedAt: null,
    });
    send(store);
    await act(store, 1, 1);
    await eventually(() => expect(receiver.received).toHaveLength(2));
  });

  it('gets the entries after a damaged one, and a notice says once which one is left out', async () => {
    const sound = await createMemoryStore();
    open.push(sound);
    const [receiver, other] = [await receive(), await receive()];
    await sound.addReporter(reporter(1));
    await add(sound, 70, receiver);
    await add(sound, 71, other, id(1));
    await act(sound, 1, 2);
    const db = new (await initSqlJs()).Database(sound.export());
    db.run("UPDATE audit SET actor = 'Bob' WHERE seq = 3");
    const store = await createSqljsStore({ bytes: db.export() });
    db.close();
    open.push(store);
    const { notices } = send(store);
    const expected = [`webhook-added ${id(71)}`, ...ended(1, 1), `key-issued ${id(2)}`, ...ended(2, 2)];
    await eventually(() => expect(subjects(receiver)).toEqual(expected));
    await eventually(() => expect(subjects(other)).toEqual(ended(1, 2)));
    expect(notices).toEqual([{ event: 'audit-entry-damaged', seq: 3 }]);
  });

  it('is not sent again, and retries less and less often, while the store takes no writes', async () => {
    const store = await openFullStore();
    const [good, broken] = [await receive(), await receive()];
    broken.answer(status(500));
    await add(store, 70, good);
    await add(store, 71, broken);
    await act(store, 1, 2);
    await isFull(store, true);
    const first = send(store, { retryMs: 600_000 });
    await eventually(() => expect(good.received).toHaveLength(5));
    await eventually(() => expect(broken.requests()).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([good.requests(), broken.requests()]).toEqual([5, 1]);
    expect(await store.listWebhooks()).toMatchObject([
      { position: 1, failures: 0 },
      { position: 2, failures: 0 },
    ]);
    expect(first.notices.map(({ event }) => event)).toContain('background-work-failed');
    await isFull(store, false);
    await eventually(async () =>
      expect(await store.listWebhooks()).toMatchObject([
        { position: 6, failures: 0 },
        { position: 2, failures: 1 },
      ]),
    );
    await first.stop();
    // After a restart, the stored progress counts.
    send(store);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([good.requests(), broken.requests()]).toEqual([5, 1]);
  });

  it('among thousands at the same entry reads the log together with them', async () => {
    const store = await openStore();
    const receiver = await receive();
    for (let n = 1; n <= 1_000; n++) await add(store, 10_000 + n, receiver, id(2));
    await add(store, 70, receiver, id(1));
    await act(store, 1, 1);
    const [listAudit, listWebhooks] = [vi.fn(store.listAudit), vi.fn(store.listWebhooks)];
    send({ ...store, listAudit, listWebhooks }, { pollMs: 100 });
    await eventually(() => expect(subjects(receiver)).toEqual(ended(1, 1)));
    // Each poll reads once more, and a busy machine takes more polls.
    expect(listAudit.mock.calls.length - listWebhooks.mock.calls.length).toBeLessThan(100);
  });

  it('that is being delivered is delivered again after a stop', async () => {
    const store = await openStore();
    const receiver = await receive();
    receiver.answer(() => undefined);
    await add(store, 70, receiver);
    const first = send(store, { timeoutMs: 60_000 });
    await act(store, 1, 1);
    await eventually(() => expect(receiver.requests()).toBe(1));
    await first.stop();
    expect(await store.listWebhooks()).toMatchObject([{ failures: 0, position: 1 }]);
    receiver.answer(accept);
    send(store);
    await eventually(() => expect(receiver.received).toHaveLength(2));
  });

  it('to a private address is not reached, unless that is allowed', async () => {
    const store = await openStore();
    const receiver = await receive();
    const url = receiver.url.replace('http:', 'https:').replace('127.0.0.1', 'localhost');
    await store.addWebhook({ webhookId: id(70), url, reporterId: null, createdAt: 1 });
    await store.addWebhook({ webhookId: id(71), url: receiver.url, reporterId: null, createdAt: 1 });
    const { notices } = send(store, { toPrivate: false });
    await act(store, 1, 1);
    await eventually(() => expect(notices).toHaveLength(2));
    for (const notice of notices) expect(notice).toMatchObject({ event: 'webhook-failed', cause: 'address' });
    expect(receiver.requests()).toBe(0);
    expect(JSON.stringify(notices)).not.toContain('localhost');
  });
});

const PRIVATE = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.254 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.1 192.168.0.1 198.18.0.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1
  ::ffff:a9fe:a9fe ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::10.0.0.1 2002:7f00:1:: 2001::1 fc00::1 fd12:3456::1
  168.63.129.16 ::ffff:168.63.129.16 100.100.100.200 192.0.0.192 169.254.170.2 169.254.0.23 161.26.0.10 166.8.0.1
  166.11.255.255 fd00:ec2::254 fd20:ce::254 192.88.99.1 2002:a83f:8110::1 2001:0:a83f:8110::1 3fff::1
  fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001:db8::1 100::1 4000::1 shop.example 127.1 1.2.3`;

describe('an address', () => {
  it.each(PRIVATE.trim().split(/\s+/))('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '168.63.129.17',
    '166.12.0.1',
    '172.32.0.1',
    '223.255.255.254',
    '2606:4700::1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1'])(
    'of the URL https://%s/ is refused',
    async (host) => {
      const { hostname } = new URL(`https://${host}/`);
      await expect(resolveOnce(hostname, false)).rejects.toBeInstanceOf(PrivateAddressError);
      expect((await resolveOnce(hostname, true)).length).toBeGreaterThan(0);
    },
  );

  it('is resolved once: the connection goes to what was checked', async () => {
    const server = createServer((_, response) => void response.writeHead(204).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { signal } = new AbortController();
    const url = new URL(`http://localhost:${port}/`);
    expect(await post(url, '{}', {}, { toPrivate: true, timeoutMs: 60_000, signal })).toEqual({ status: 204 });
    expect(await post(url, '{}', {}, { toPrivate: false, timeoutMs: 60_000, signal })).toEqual({ failed: 'address' });
    await new Promise((resolve) => server.close(resolve));
    const refused = await post(url, '{}', {}, { toPrivate: true, timeoutMs: 60_000, signal });
    expect(refused).toEqual({ failed: 'connection' });
    const unknown = new URL('https://no-such-host.invalid/');
    expect(await post(unknown, '{}', {}, { toPrivate: false, timeoutMs: 60_000, signal })).toEqual({
      failed: 'connection',
    });
  });
});

describe('a delivery', () => {
  it.each([
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['switches protocols without saying which', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['closes without an answer', ''],
    ['closes in the head of its answer', 'HTTP/1.1 200 OK\r\nContent-'],
    ['closes after an early hint', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('to a receiver that %s fails', async (_, answer) => {
    for (const keepsOpen of answer.includes(' 101 ') ? [false, true] : [false]) {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => (keepsOpen ? socket.write(answer) : socket.end(answer)));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
      const settings = { toPrivate: true, timeoutMs: 60_000, signal: new AbortController().signal };
      const delivery = await post(url, '{}', {}, settings);
      expect(isAccepted(delivery)).toBe(false);
      if (!answer.includes(' 101 ')) expect(delivery).toEqual({ failed: 'connection' });
      // Also the connection is closed.
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('a message', () => {
  const entry: AuditEntry = {
    seq: 7,
    atMs: 1_700_000_000_123,
    actor: 'Ünïcode',
    action: 'dispute-opened',
    reporterId: id(1),
    subject: id(2),
    amount: null,
    previous: '0'.repeat(64),
    digest: '1'.repeat(64),
  };

  it('is verified by the library of Standard Webhooks, and not under another secret or after a change', () => {
    const signing = webhookSecret(SECRET, id(70));
    expect(signing).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const message = messageOf(entry, signing, false);
    const headers = headersOf(message, signing, Date.now());
    expect(new Webhook(signing).verify(message.body, headers)).toEqual({
      type: 'dispute-opened',
      timestamp: '2023-11-14T22:13:20.123Z',
      data: { reporterId: id(1), subject: id(2), amount: null },
    });
    // Of the operator: with it, `audit verify --head` finds a log that was cut off or replaced.
    expect(JSON.parse(messageOf(entry, signing, true).body)).toMatchObject({ data: { digest: entry.digest } });
    expect(new Webhook(signing).sign(message.id, new Date(), message.body)).toMatch(/^v1,/);
    expect(() => new Webhook(webhookSecret(SECRET, id(71))).verify(message.body, headers)).toThrow();
    expect(() => new Webhook(signing).verify(`${message.body} `, headers)).toThrow();
    expect(() => new Webhook(signing).verify(message.body, { ...headers, 'webhook-id': 'msg_1' })).toThrow();
  });

  it('has an id of its own for each entry and webhook, which does not show the number of entries', () => {
    const ids = [70, 71].flatMap((n) =>
      ['1', '2'].map(
        (digit) => messageOf({ ...entry, digest: digit.repeat(64) }, webhookSecret(SECRET, id(n)), false).id,
      ),
    );
    expect(new Set(ids).size).toBe(4);
    for (const one of ids) expect(one).toMatch(/^msg_[0-9a-f]{32}$/);
  });
});

describe('after the restore of a backup', () => {
  it('the same places of the audit log have other entries, and their messages have other ids', async () => {
    const [before, restored] = [await openStore(), await openStore()];
    const receiver = await receive();
    for (const store of [before, restored]) await add(store, 70, receiver);
    await act(before, 1, 2);
    await act(restored, 3, 4);
    for (const store of [before, restored]) {
      const { length } = receiver.received;
      const sender = send(store);
      await eventually(() => expect(receiver.received).toHaveLength(length + 4));
      await sender.stop();
    }
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(8);
  });
});

describe('the address of a new webhook', () => {
  it.each([
    'shop.example',
    'ftp://shop.example',
    'http://shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example/#part',
    `https://shop.example/${'a'.repeat(2000)}`,
    '',
    'https://shop.example/hook\r\nX-Evil: 1',
    'https://shop.example/hook\n',
    ' https://shop.example/hook',
    'https://shop.example/a b',
    'https://shop.example/\thook',
    'https://shop.example/\u0000',
    'https://shop.example/\u200bhook',
  ])('is refused: %s', (url) => {
    expect(() => validateWebhookUrl(url, false)).toThrow(/^webhooks add expects/);
  });

  it.each(['10.0.0.1', '127.1', '169.254.169.254', '168.63.129.16', '[::1]', '[fd12::1]', '[::ffff:10.0.0.1]'])(
    'is refused, because no delivery reaches it: %s',
    (host) => {
      expect(() => validateWebhookUrl(`https://${host}/hook`, false)).toThrow(/--webhooks-to-private$/);
      validateWebhookUrl(`https://${host}/hook`, true);
    },
  );

  it('may be http:// only where private addresses are allowed', () => {
    validateWebhookUrl('https://shop.example/hook?token=1', false);
    validateWebhookUrl('https://8.8.8.8/hook', false);
    validateWebhookUrl('https://[2606:4700::1]/hook', false);
    validateWebhookUrl('http://10.0.0.1/hook', true);
  });
});
