import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readAddress } from '../../src/service/data-folder/address.ts';
import { openStore, type OpenStore } from '../../src/service/data-folder/open-store.ts';
import { createCalls, runCall, type Calls } from '../../src/service/data-folder/calls.ts';
import { createFolderCalls } from '../../src/service/data-folder/folder-calls.ts';
import { initSealed as initKeys } from '../../src/service/data-folder/sealed/calls.ts';
import { answerLookUp, openLookUp } from '../../src/service/data-folder/sealed/look-up.ts';
import { startPublishing } from '../../src/service/data-folder/sealed/publishing.ts';
import type { Time } from '../../src/service/data-folder/sealed/time.ts';
import { openKeys } from '../../src/service/data-folder/store-keys.ts';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { retryHeaders } from '../../src/core/http/status.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { OFFENCE_TYPES, unwrap, type EngineOptions } from '../../src/index.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { JsonObject } from '../../src/sealed/json.ts';
import { createSealedClient, type SealedClient } from '../../src/sealed/client/sealed-client.ts';
import type { SealedClientOptions } from '../../src/sealed/client/client-options.ts';
import { operatorPublicKey } from '../../src/sealed/manifest.ts';
import { listenTestEvaluator } from '../sealed/test-evaluator.ts';

export const quiet = (): void => undefined;
const BASE = 'https://reports.example';
const PLENTY = { requests: 1e6, windowSeconds: 1 };

/** Creates the sealed keys of a folder, with an evaluator that this process runs. */
export async function initSealed(folder: string): Promise<string> {
  const { access } = await listenTestEvaluator();
  return initKeys(folder, access, async () => access);
}

/** Persons with one report each, after {@link reportAll}. */
export const PERSONS = 120;
export const identifiersOf = (person: number) => [
  { kind: 'email', hash: (person + 1).toString(16).padStart(4, '0').repeat(10) },
];

/** Stores a report about each person. */
export async function reportAll({ engine, apiKey }: OpenedService & { readonly apiKey: string }): Promise<void> {
  for (let person = 0; person < PERSONS; person++) {
    const draft = { type: 'fraud', severity: 1 + (person % 10), text: `Text ${person}.` };
    unwrap(await engine.report({ apiKey, ...draft, identifiers: identifiersOf(person) }));
  }
}

/** The rules that `redflag serve` publishes. */
const rules = {
  matchKinds: 'any' as const,
  kinds: Object.keys(LINK_CLAIM_CONSTANTS.kinds),
  types: [...OFFENCE_TYPES],
  model: { name: createLinkClaimModel().name, constants: LINK_CLAIM_CONSTANTS as unknown as JsonObject },
};

/** A data folder as `redflag serve` has it open, without a port. */
export interface OpenedService {
  readonly store: OpenStore;
  readonly engine: Engine;
  readonly notices: unknown[];
  /** Begins to publish, and waits for the first publication of this process. */
  publish(): Promise<void>;
  /** Begins to publish by the clocks of the test. Ends the publishing before, as a restart does. */
  publishBy(time: Time, isOff?: boolean): Promise<void>;
  client(options?: Partial<SealedClientOptions>): SealedClient;
  /** Paths that clients asked for. */
  readonly asked: string[];
  /** What commands ask of the service over its socket. */
  readonly calls: Calls;
  ask(path: string): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Opens the folder. `around` wraps the store that the engine uses. `kind` is that of a new store, a journal by default,
 * or the address of a database. `effects` replace those of the engine.
 */
export async function openService(
  folder: string,
  apiKey: string | undefined,
  around: (store: OpenStore) => OpenStore = (store) => store,
  kind?: 'sqlite' | `postgres://${string}`,
  effects?: Pick<EngineOptions, 'monotonic' | 'wait'>,
): Promise<OpenedService & { readonly apiKey: string }> {
  await mkdir(folder, { recursive: true });
  const store = around(await openStore(folder, readAddress(folder, kind), undefined, quiet));
  const { secret, ...keys } = await openKeys(folder, store, quiet).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const limits = { query: PLENTY, report: PLENTY };
  const engine = createEngine({ store, secret, ...keys, publicUrl: BASE, limits, ...effects });
  await engine.ready();
  const key = apiKey ?? (await createKey(engine));
  const notices: unknown[] = [];
  const asked: string[] = [];
  const lookUp = await openLookUp(folder, undefined, store);
  const beside =
    lookUp && answerLookUp(lookUp, engine, { retryHeaders, onError: (error: unknown) => notices.push(error) });
  const handle = createFetchHandler(engine, beside ? { beside } : {});
  const ask = (path: string): Promise<Response> => handle(new Request(`${BASE}/sealed/${path}`));
  const target = { ...engine, ...createFolderCalls({ engine, store, folder, secret, serves: true }) };
  let publishing: { stop(): Promise<void> } | undefined;
  const start = (time?: Time, isOff = false): void => {
    const onNotice = (notice: unknown): unknown => notices.push(notice);
    const given = { lookUp: lookUp!, engine, store, rules: isOff ? undefined : rules, onNotice };
    publishing = startPublishing({ ...given, ...(time && { time }) });
  };
  return {
    store,
    engine,
    notices,
    apiKey: key,
    async publish() {
      const sequenceOf = async (): Promise<unknown> => {
        const reply = await ask('manifest');
        return reply.ok ? ((await reply.json()) as { sequence: number }).sequence : undefined;
      };
      const before = await sequenceOf();
      start();
      // A publisher waits for the next minute if this one has a publication.
      // At most until the next minute: this one may have a publication already.
      for (let tries = 0; tries < 1_600; tries++) {
        const now = await sequenceOf();
        if (now !== undefined && now !== before) return;
        await pause(50);
      }
      throw new Error('nothing was published');
    },
    async publishBy(time, isOff) {
      await publishing?.stop();
      start(time, isOff);
    },
    asked,
    client: (options = {}) =>
      createSealedClient({
        baseUrl: BASE,
        apiKey: key,
        operatorKey: operatorPublicKey(lookUp!.keys().operatorKey),
        fetch: (input, init) => {
          asked.push(new URL(String(input)).pathname);
          return handle(new Request(String(input), init));
        },
        ...options,
      }),
    calls: createCalls((call) => runCall(target, call)),
    ask,
    async stop() {
      await publishing?.stop();
      await engine.close();
    },
  };
}

async function createKey(engine: Engine): Promise<string> {
  const { reporterId } = unwrap(await engine.createReporter({ name: 'Shop', verified: true }));
  return unwrap(await engine.issueKey({ reporterId })).apiKey;
}
