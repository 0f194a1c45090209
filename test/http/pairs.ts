import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { listenOn, type Listening } from './listening.ts';
import { createRealService } from './real-service.ts';

/** Two kinds of values that a stranger may send, `unknown` and `special`: equal replies are required. */
export interface Pair {
  readonly name: string;
  readonly way: 'engine' | 'http';
  readonly unknown: () => string;
  readonly special: () => string;
  /** Prepares a request with a value. The result sends it and returns the reply, except when it was sent. */
  readonly ask: (value: string) => () => Promise<unknown>;
}

const fresh = (bytes = 8): string => randomBytes(bytes).toString('hex');
/** Strings that are made in the same way: V8 keeps a joined string in another form than a whole one. */
const whole = (code: string): string => Buffer.from(code, 'hex').toString('hex');
const unknown = (): string => whole(fresh());

/** Tests each pair on a service that has `codesOf` reports of another reporter. */
export function describePairs(title: string, codesOf: number, check: (pair: Pair) => Promise<void>): void {
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
      for (let n = 0; n < codesOf; n++) {
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

    const pairs: Pair[] = [
      {
        name: 'in the engine, an unknown code and another reporter’s',
        way: 'engine',
        unknown,
        special: foreignCode,
        ask: removal,
      },
      {
        name: 'in the engine, a key with and without a valid beginning',
        way: 'engine',
        unknown,
        special: likeKey,
        ask: query,
      },
      {
        name: 'over HTTP, an unknown code and another reporter’s',
        way: 'http',
        unknown,
        special: foreignCode,
        ask: removalOver,
      },
      {
        name: 'over HTTP, a key with and without a valid beginning',
        way: 'http',
        unknown,
        special: likeKey,
        ask: queryOver,
      },
    ];
    it.each(pairs)(`$name: ${title}`, check);
  });
}
