import { toBase64Url } from '../../../src/sealed/encoding.ts';
import { createSealedClient, type SealedClient } from '../../../src/sealed/client/sealed-client.ts';
import type { SealedClientOptions } from '../../../src/sealed/client/client-options.ts';
import { SealedError } from '../../../src/sealed/errors.ts';
import { seededRandom } from '../group-samples.ts';
import { BEGIN, HOUR, TestOperator } from './operator.ts';

export const API_KEY = '0123456789abcdef';
const BASE = 'https://fraud.example';

/** A request as the operator sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Posted {
  readonly epoch: number;
  readonly blinded?: readonly string[];
}

/** The endpoints of an operator as a `fetch`. */
export class TestService {
  readonly operator = new TestOperator();
  readonly seen: Seen[] = [];
  /** Replaces an answer. Undefined leaves it as it is. */
  tamper: ((path: string, bytes: Uint8Array) => Uint8Array | Response | undefined) | undefined;
  /** Answers instead of the service. Undefined leaves it to the service. */
  before: ((path: string) => Response | undefined) | undefined;
  isAway = false;

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const path = pathname.replace('/sealed/', '');
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = String(init?.body ?? '');
    this.seen.push({ method: init?.method ?? 'GET', path, headers, body });
    if (this.isAway) throw new TypeError('fetch failed');
    const early = this.before?.(path);
    if (early !== undefined) return early;
    if (path !== 'manifest' && headers['authorization'] !== `Bearer ${API_KEY}`) return refusal(401, 'unauthorised');
    const response = this.#answer(path, body === '' ? undefined : (JSON.parse(body) as Posted));
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const changed = this.tamper?.(path, bytes);
    if (changed instanceof Response) return changed;
    return changed === undefined ? response : new Response(changed.slice(), response);
  };

  /** Number of requests of a path since the last call, or since the start. */
  count(path: RegExp): number {
    return this.seen.filter((one) => path.test(one.path)).length;
  }

  #answer(path: string, body: Posted | undefined): Response {
    const { operator } = this;
    if (path === 'manifest') {
      const { bytes, signature } = operator.signed!;
      return new Response(bytes.slice(), { headers: { 'Redflag-Signature': toBase64Url(signature) } });
    }
    if (body !== undefined) return this.#post(path, body);
    const [, at = ''] = /^(\d+\/\d+)\/snapshot$/.exec(path) ?? [];
    const file = operator.files.get(at);
    if (file === undefined) return refusal(404, 'not-found');
    return new Response(file.slice());
  }

  #post(path: string, body: Posted): Response {
    const { operator } = this;
    const { epoch } = body;
    if (!operator.keys.epochs.some(({ number }) => number === epoch)) return refusal(409, 'unknown-epoch');
    if (operator.keys.epochs[epoch - 1]!.endsAt <= operator.now) return refusal(410, 'epoch-ended');
    if (path === 'evaluate') return Response.json(operator.evaluate(epoch, body.blinded ?? []));
    if (path === 'report') return Response.json({ code: 'fedcba9876543210' });
    return refusal(404, 'not-found');
  }
}

export function refusal(status: number, error: string, headers?: HeadersInit): Response {
  return Response.json({ error, message: 'a text of the service' }, { status, ...(headers && { headers }) });
}

/** A service and a client of it under one clock. */
export interface Setting {
  readonly service: TestService;
  readonly operator: TestOperator;
  readonly client: SealedClient;
  /** Moves both clocks. */
  advance(milliseconds: number): void;
  /** A client as another process has it, on the same stores if they are passed. */
  another(more?: Partial<SealedClientOptions>): SealedClient;
}

export function openSetting(more: Partial<SealedClientOptions> = {}): Setting {
  const service = new TestService();
  const { operator } = service;
  const another = (others: Partial<SealedClientOptions> = {}): SealedClient =>
    createSealedClient({
      baseUrl: BASE,
      apiKey: API_KEY,
      operatorKey: operator.operatorKey,
      fetch: service.fetch,
      clock: () => operator.now,
      random: seededRandom('client'),
      ...more,
      ...others,
    });
  return {
    service,
    operator,
    client: another(),
    advance: (milliseconds) => void (operator.now += milliseconds),
    another,
  };
}

/** Returns the code of the error with which the promise rejects; `none` if it resolves. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    if (error instanceof SealedError) return error.code;
    throw error;
  }
}

export { BEGIN, HOUR };
