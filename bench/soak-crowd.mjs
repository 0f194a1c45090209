// The clients of the soak beside the one that measures: `soak-crowd.mjs <options as JSON>`, in its own process with an
// IPC channel. Idle, slow and unread connections come from many loopback addresses, and each one that the service
// closes is replaced. The mixed load compares each reply with the right one. The first message says that all
// connections were made. Then it answers each message with what it has done; after `stop`, it also ends.
import { connect } from 'node:net';
import { client } from './http-client.mjs';
import { post } from './http-process.mjs';
import { personOf } from './store-rows.mjs';

const { port, apiKey, idle, slow, unread, workers, views, light } = JSON.parse(process.argv[2]);
/** Connections of one loopback address. The service allows 256. */
const PER_ADDRESS = 200;
/** Time in which all connections are made, and after which one is replaced. so that they do not all come at once. */
const AGAIN_MS = 2_000;
const SLOW_MS = 500;
const PAUSE_MS = 50;
/** Persons of the mixed load. Their number is bounded, so that the links and identifiers in the store are, too. */
const PERSONS = 100;
/** The service allows 32. */
const AHEAD = 31;
/** One in so many clients that do not read asks for the largest view. */
const LARGE_EVERY = 10;

const open = { idle: 0, slow: 0, unread: 0 };
const replaced = { idle: 0, slow: 0, unread: 0 };
const slowOnes = new Set();
const unreadOnes = new Set();
const sockets = new Set();
const mixed = { requests: 0, shed: 0, wrong: {} };
let stopped = false;
let addresses = 0;
let toConnect = idle + slow + unread;

function hold(kind, count, begin) {
  for (let n = 0; n < count; n++) {
    const localAddress = `127.0.1.${1 + Math.floor(addresses++ / PER_ADDRESS)}`;
    let isFirst = true;
    const again = () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: false });
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('connect', () => {
        open[kind]++;
        if (isFirst && --toConnect === 0) process.send('connected');
        isFirst = false;
        begin(socket, n);
        socket.once('close', () => {
          open[kind]--;
          replaced[kind]++;
        });
      });
      socket.once('close', () => {
        sockets.delete(socket);
        slowOnes.delete(socket);
        unreadOnes.delete(socket);
        if (!stopped) setTimeout(again, AGAIN_MS);
      });
    };
    setTimeout(again, (AGAIN_MS * n) / count);
  }
}

hold('idle', idle, (socket) => socket.resume());
hold('slow', slow, (socket, n) => {
  socket.resume();
  // Half of them send headers slowly, the others a body.
  if (n % 2 === 0) socket.write('POST /api/ HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  else socket.write('POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Type: x\r\nContent-Length: 60000\r\n\r\n');
  slowOnes.add(socket);
});
hold('unread', unread, (socket, n) => {
  socket.pause();
  const path = n % LARGE_EVERY === 0 ? views.large : views.small;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(AHEAD));
  unreadOnes.add(socket);
});
setInterval(() => {
  for (const socket of slowOnes) socket.write('x');
  // Only a write shows a client that does not read that its connection is closed. The parser skips empty lines.
  for (const socket of unreadOnes) socket.write('\r\n');
}, SLOW_MS).unref();

/** Counts a reply that differs from the right one. */
function expect(name, isRight, { status }) {
  mixed.requests++;
  if (!isRight) mixed.wrong[`${name}: ${status}`] = (mixed.wrong[`${name}: ${status}`] ?? 0) + 1;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

async function work(worker) {
  const asking = client(port, apiKey);
  const identifiers = (n) => personOf(1_000 + 4 * ((worker + n * workers) % PERSONS));
  const form = (action, draft, key = apiKey) => asking.ask(post(key, action, draft));
  const view = async (headers) => {
    for (;;) {
      const reply = await asking.ask({ method: 'GET', path: views.light, headers });
      const { 'retry-after': seconds } = reply.headers;
      // While many views are read, the service may ask for another try.
      if (reply.status !== 503 || seconds === undefined || stopped) return reply;
      mixed.shed++;
      await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    }
  };
  const steps = {
    async query() {
      const reply = await form('query', { identifiers: light });
      expect('query', /^\d+-1-\d/.test(reply.body), reply);
    },
    async 'unknown person'(n) {
      const reply = await form('query', { identifiers: identifiers(n) });
      expect('unknown person', /^\d+-\d+-\d/.test(reply.body), reply);
    },
    async 'report and deletion'(n) {
      const draft = { identifiers: identifiers(n), type: 'fraud', severity: 5, text: `Soak ${worker} ${n}.` };
      const reply = await form('report', draft);
      expect('report', reply.body === 'OK', reply);
      await pause();
      const body = `_api=${apiKey}&_action=delete&_code=${reply.headers['x-deletion-code']}`;
      const deleted = await asking.ask({ ...post(apiKey, 'delete', { identifiers: [] }), body });
      expect('deletion', deleted.body === 'OK', deleted);
    },
    async viewer() {
      const reply = await view({});
      expect('viewer', stopped || (reply.status === 200 && JSON.parse(reply.body).count === 1), reply);
      const again = await view({ 'If-None-Match': reply.headers.etag ?? '*' });
      expect('viewer again', stopped || again.status === 304, again);
    },
    async 'wrong key'() {
      const reply = await form('query', { identifiers: light }, '0'.repeat(16));
      expect('wrong key', reply.status === 401, reply);
    },
  };
  const names = ['query', 'query', 'unknown person', 'query', 'report and deletion', 'query', 'viewer', 'wrong key'];
  for (let n = worker; !stopped; n++) {
    const name = names[n % names.length];
    try {
      await steps[name](n);
    } catch (error) {
      expect(name, false, { status: error.code ?? 'no reply' });
    }
    await pause();
  }
  asking.close();
}

const working = Array.from({ length: workers }, (_, worker) => work(worker));
process.on('message', async (message) => {
  if (message === 'stop') {
    stopped = true;
    await Promise.all(working);
    for (const socket of sockets) socket.destroy();
  }
  process.send({ open, replaced, mixed });
  if (message === 'stop') process.disconnect();
});
