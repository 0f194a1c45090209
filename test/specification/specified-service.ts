import { randomBytes } from 'node:crypto';
import type { ListenerOptions } from '../../src/core/http/listener.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import type { EngineOptions } from '../../src/index.ts';
import { createRealService } from '../http/real-service.ts';
import { openTransport } from './transport.ts';

/** What came back, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export type Fields = Readonly<Record<string, string>>;

/** The real engine behind the real listener or fetch handler, and the requests of the specification. */
export interface SpecifiedService {
  readonly engine: Engine;
  readonly apiKey: string;
  readonly strangerKey: string;
  readonly revokedKey: string;
  /** `{base_url}`. */
  readonly base: string;
  request(path: string, init?: RequestInit): Promise<Reply>;
  /** A urlencoded POST to `/api/`. */
  form(fields: Fields): Promise<Reply>;
  /** A report that would be accepted, with these changes; undefined leaves a field out. */
  report(changes?: Readonly<Record<string, string | undefined>>): Promise<Reply>;
  remove(code: string, changes?: Fields): Promise<Reply>;
  query(identifiers: Fields, changes?: Fields): Promise<Reply>;
  /** The viewer's reply to a link: its final segment is the hash (4.4, 4.5). */
  view(link: string): Promise<Reply>;
  close(): Promise<void>;
}

/** 40 hex characters that nobody has sent before. */
export function freshHash(): string {
  return randomBytes(20).toString('hex');
}

/** The deletion code of a report's reply. */
export function codeOf(reply: Reply): string {
  return reply.headers.get('x-deletion-code') ?? '';
}

/** The four segments of a query's body. */
export function segmentsOf(reply: Reply): [points: string, reported: string, reliability: string, link: string] {
  const segments = reply.body.split('-');
  if (segments.length !== 4) throw new Error(`expected four segments, got ${reply.body}`);
  return segments as [string, string, string, string];
}

/** The first three segments of a query's body. */
export function verdictOf(reply: Reply): [points: string, reported: string, reliability: string] {
  const [points, reported, reliability] = segmentsOf(reply);
  return [points, reported, reliability];
}

export async function openSpecifiedService(
  options: Partial<EngineOptions> = {},
  listenerOptions: ListenerOptions = {},
): Promise<SpecifiedService> {
  const { engine, keys } = await createRealService('https://flags.example', options);
  const server = await openTransport(engine, listenerOptions);
  const { apiKey } = keys;

  async function request(path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await server.fetch(server.origin + path, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, body: await response.text() };
  }
  const form = (fields: Fields): Promise<Reply> =>
    request('/api/', { method: 'POST', body: new URLSearchParams(fields) });
  return {
    engine,
    ...keys,
    base: server.origin,
    request,
    form,
    report(changes = {}) {
      const fields = {
        _api: apiKey,
        _action: 'report',
        _type: 'fraud',
        _value: '7',
        _text: 'Goods received, payment disputed.',
        email: freshHash(),
        ...changes,
      };
      return form(
        Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)),
      );
    },
    remove: (code, changes = {}) => form({ _api: apiKey, _action: 'delete', _code: code, ...changes }),
    query: (identifiers, changes = {}) => form({ _api: apiKey, _action: 'query', ...identifiers, ...changes }),
    view: (link) => request(`/api/?showreport=${link.split('/').at(-1)}`),
    async close() {
      await server.close();
      await engine.close();
    },
  };
}

/** What clients copy around a value: white space, invisible characters and quotes. */
export const SURROUNDINGS: readonly string[] = [' ', '\n', '\r\n', '\t', '\u00a0', '\ufeff', '\u200b', '"', "'"];
