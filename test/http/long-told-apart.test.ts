import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unwrap, type Engine } from '../../src/index.ts';
import { createListener } from '../../src/http/listener.ts';
import { intervalOf, measure, surely, Z, type Times } from './alike.ts';
import { listenOn, type Listening } from './listening.ts';
import { createRealService } from './real-service.ts';

// Times are compared with each other here, and never with a limit of speed.

/** Requests of each kind: 100,000 for a pair. */
const EACH = 50_000;
/** What a leak of the control takes, in nanoseconds: an early exit saves as much. */
const LEAK_NS = { engine: 1_000, http: 10_000 };
/**
 * Differences in the engine that count as none, in nanoseconds: caches of the processor, which any repeated value
 * warms. Over HTTP, none is allowed for.
 */
const MARGIN_NS = { engine: 250, http: 0 };

const fresh = (bytes = 8): string => randomBytes(bytes).toString('hex');
/** Strings that are made in the same way: V8 keeps a joined string in another form than a whole one. */
const whole = (code: string): string => Buffer.from(code, 'hex').toString('hex');
const differs = (times: Times, margin: number): boolean => surely(times, margin) > Z || surely(times, -margin) < -Z;
const spin = (ns: number): void => {
  const end = process.hrtime.bigint() + BigInt(ns);
  while (process.hrtime.bigint() < end);
};

describe('what a stranger sends', () => {
  let engine: Engine;
  let keys: Awaited<ReturnType<typeof createRealService>>['keys'];
  let server: Listening;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Deletion codes of another reporter. */
  const codes: string[] = [];
  beforeAll(async () => {
    ({ engine, keys } = await createRealService('https://flags.example'));
    server = await listenOn(createListener(engine));
    for (let n = 0; n < 2_000; n++) {
      const identifiers = [{ kind: 'email', hash: fresh(20) }] as const;
      const report = {
        apiKey: keys.strangerKey,
        type: 'fraud',
        severity: 5,
        text: `report ${n}`,
        identifiers,
      } as const;
      codes.push(unwrap(await engine.report(report)).deletionCode);
    }
  });
  afterAll(async () => {
    agent.destroy();
    await server.close();
  });

  const foreignCode = (): string => whole(codes[Math.floor(Math.random() * codes.length)]!);
  const likeKey = (): string => whole(keys.apiKey.slice(0, 8) + fresh(4));
  const unknown = (): string => whole(fresh());
  const hash = fresh(20);

  /** Everything of a reply, except when it was sent. */
  const send = (form: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': form.length };
      const sent = request(`${server.origin}/api/`, { method: 'POST', agent, headers }, (reply) => {
        const shown = reply.rawHeaders.map((header, at) =>
          reply.rawHeaders[at - 1] === 'Date' ? header.length : header,
        );
        text(reply).then((body) => resolve(JSON.stringify([reply.statusCode, shown, body])), reject);
      });
      sent.on('error', reject);
      sent.end(form);
    });
  const overHttp = (fields: object): (() => Promise<string>) => {
    const form = new URLSearchParams({ ...fields }).toString();
    return () => send(form);
  };

  const removal = (deletionCode: string) => () => engine.remove({ apiKey: keys.apiKey, deletionCode });
  const query = (apiKey: string) => () => engine.query({ apiKey, identifiers: [{ kind: 'email', hash }] });
  const removalOver = (code: string) => overHttp({ _api: keys.apiKey, _action: 'delete', _code: code });
  const queryOver = (apiKey: string) => overHttp({ _api: apiKey, _action: 'query', email: hash });

  type Ask = (value: string) => () => Promise<unknown>;
  const pairs: [string, 'engine' | 'http', Ask, () => string][] = [
    ['in the engine, an unknown code and another reporter’s', 'engine', removal, foreignCode],
    ['in the engine, a key with and without a valid beginning', 'engine', query, likeKey],
    ['over HTTP, an unknown code and another reporter’s', 'http', removalOver, foreignCode],
    ['over HTTP, a key with and without a valid beginning', 'http', queryOver, likeKey],
  ];

  it.each(pairs)('%s: the same replies, and times that cannot be told apart', async (name, way, ask, special) => {
    const replies = new Set<string>();
    const noting = (value: string) => {
      const asked = ask(value);
      return async () => void replies.add(JSON.stringify(await asked()));
    };
    const run = (each: number, leakNs = 0): Promise<Times> =>
      measure(each, Math.random, [
        () => noting(unknown()),
        () => {
          const asked = noting(special());
          return leakNs === 0 ? asked : () => (spin(leakNs), asked());
        },
      ]);
    // A difference is real if a second measurement finds it too.
    const first = await run(EACH);
    const margin = MARGIN_NS[way];
    const isDifferent = differs(first, margin) && differs(await run(EACH), margin);
    const [from, to] = intervalOf(first);
    console.info(`${name}: the medians differ by ${from} to ${to} ns`);
    expect(isDifferent, `${from} to ${to} ns`).toBe(false);
    expect(replies.size).toBe(1);
    // The same test finds a leak in a fifth of the requests.
    expect(differs(await run(EACH / 5, LEAK_NS[way]), margin)).toBe(true);
  });
});
