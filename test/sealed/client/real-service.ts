import { createSealedOperations, type ElementBudgets } from '../../../src/sealed/engine/operations.ts';
import { retryHeaders } from '../../../src/core/http/status.ts';
import { createFetchHandler } from '../../../src/core/http/fetch.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { unwrap, type EngineOptions } from '../../../src/index.ts';
import { formatRefusal } from '../../../src/core/protocol/wording.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../../src/core/scoring/constants.ts';
import { createLinkClaimModel } from '../../../src/core/scoring/link-claim-model.ts';
import type { SealedClientOptions } from '../../../src/sealed/client/client-options.ts';
import { createSealedClient, type SealedClient } from '../../../src/sealed/client/sealed-client.ts';
import { toHex } from '../../../src/sealed/encoding.ts';
import { createKeys, toPresent } from '../../../src/sealed/keys.ts';
import { operatorPublicKey } from '../../../src/sealed/manifest.ts';
import { createSealedEndpoints } from '../../../src/sealed/service/endpoints.ts';
import { memoryPublications } from '../service/memory-publications.ts';
import type { AskEvaluator } from '../../../src/sealed/service/ask-evaluator.ts';
import { createPace } from '../../../src/sealed/service/pace.ts';
import { createPublisher } from '../../../src/sealed/service/publisher.ts';
import { toPublishedRules, type ScoredBy } from '../../../src/sealed/service/rules.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator } from '../test-evaluator.ts';
import { createMemoryStore } from '../../memory-store.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.UTC(2030, 0, 1);
const BASE = 'https://reports.example';
const MANY = 1_000_000_000;
const unlimited = { requests: MANY, windowSeconds: 1 };

export interface RealOptions extends Partial<Pick<ScoredBy, 'constants' | 'matchKinds' | 'kinds'>> {
  readonly types?: readonly string[];
  readonly engine?: Partial<EngineOptions>;
  readonly startsAt?: number;
  readonly elements?: ElementBudgets;
}

/** A shop with its key. */
export interface Shop {
  readonly reporterId: string;
  readonly apiKey: string;
}

/** The real engine, publisher and endpoints on a store in memory, under a clock that the test sets. */
export async function openRealService(options: RealOptions = {}) {
  const constants: LinkClaimConstants = options.constants ?? LINK_CLAIM_CONSTANTS;
  const {
    matchKinds = 'any',
    kinds = [],
    types = ['fraud', 'spam', 'nonpayment'],
    startsAt = START,
    elements,
  } = options;
  const random = seededRandom('real service');
  const store = await createMemoryStore();
  const publications = memoryPublications();
  const evaluator = createTestEvaluator();
  let keys = createKeys(evaluator.access, startsAt, random);
  let now = startsAt;
  const errors: unknown[] = [];
  const giveTurn = async (): Promise<void> => undefined;

  const engine: Engine = createEngine({
    store: { ...store, close: async () => undefined },
    secret: 'the secret of these tests',
    publicUrl: BASE,
    clock: () => now,
    monotonic: () => now,
    model: createLinkClaimModel(constants),
    matchKinds,
    offenceTypes: types,
    seal: { fingerprint: '1'.repeat(16), elementOf: (hash) => toHex(evaluator.sealHash(hash)) },
    limits: { query: unlimited, report: unlimited, delete: unlimited },
    budgets: { identifiers: { verified: MANY, new: MANY } },
    ...options.engine,
  });

  const publisher = createPublisher({
    keys: () => keys,
    askSignature: evaluator.sign,
    source: {
      async *readRows() {
        for (let after: Awaited<ReturnType<Engine['readSealedRows']>>['next']; ;) {
          const page = await engine.readSealedRows({ after, limit: 500 });
          yield page.rows;
          if (page.next === undefined) return;
          after = page.next;
        }
      },
      readReporters: async () => new Map((await engine.listStandings()).map((one) => [one.reporterId, one])),
    },
    store: publications.store,
    rules: toPublishedRules({ constants, types, matchKinds, kinds }),
    clock: () => now,
    random,
    pace: createPace(giveTurn, () => performance.now()),
  });

  /** Publishes as `serve` does: with a new epoch if it is time for one. */
  function publish() {
    keys = toPresent(keys, now, random);
    return publisher.publish();
  }

  const operations = createSealedOperations(engine, elements ?? { atOnce: MANY, verified: MANY, new: MANY });
  let askEvaluator: AskEvaluator = evaluator.evaluate;
  const send: typeof fetch = async (input, init) => {
    const beside = createSealedEndpoints({
      keys: () => keys,
      askEvaluator: (...asked) => askEvaluator(...asked),
      files: publications.reader,
      service: operations,
      formatRefusal,
      retryHeaders,
      clock: () => now,
      random,
      giveTurn,
      onError: (error) => errors.push(error),
    });
    return createFetchHandler(engine, { beside })(new Request(input as string, init));
  };

  return {
    /** What failed inside the service. */
    errors,
    publications: publications.reader,
    /** Adds publications without a publisher. */
    publicationStore: publications.store,
    engine,
    evaluator,
    /** Replaces the evaluator. */
    ask: (other: AskEvaluator) => void (askEvaluator = other),
    get keys() {
      return keys;
    },
    set keys(changed) {
      keys = changed;
    },
    get now() {
      return now;
    },
    fetch: send,
    /** Sends a request below `/sealed/` with a key; none if it is empty. A body is posted as JSON. */
    call: (path: string, apiKey: string, init: RequestInit = {}, body?: unknown): Promise<Response> =>
      send(`${BASE}/sealed/${path}`, {
        ...init,
        ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: {
          ...(apiKey && { Authorization: `Bearer ${apiKey}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(init.headers as Record<string, string>),
        },
      }),
    advance: (milliseconds: number) => void (now += milliseconds),
    publish,

    async addShop(name: string, verified: boolean): Promise<Shop> {
      const { reporterId } = unwrap(await engine.createReporter({ name, verified }));
      return { reporterId, apiKey: unwrap(await engine.issueKey({ reporterId })).apiKey };
    },

    /** Ends the epoch: publishes in the overlap, and moves the clock to the end. */
    async endEpoch(): Promise<void> {
      const { endsAt } = keys.epochs.at(-1)!;
      now = Math.max(now, endsAt - 6 * DAY);
      await publish();
      now = Math.max(now, endsAt);
    },

    client: (shop: Shop, more: Partial<SealedClientOptions> = {}): SealedClient =>
      createSealedClient({
        baseUrl: BASE,
        apiKey: shop.apiKey,
        operatorKey: operatorPublicKey(keys.operatorKey),
        fetch: send,
        clock: () => now,
        ...more,
      }),

    async close(): Promise<void> {
      await engine.close();
      await store.close();
    },
  };
}

export type RealService = Awaited<ReturnType<typeof openRealService>>;
