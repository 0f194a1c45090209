import initSqlJs from 'sql.js';
import type { HashPool } from '../../browser.ts';
import type { StartedSqlJs } from '../../sqljs.ts';
import { playExample } from './example.ts';
import {
  importFile,
  keepCodes,
  listReports,
  openSession,
  readCodes,
  type Codes,
  type ListedReports,
  type Session,
} from './session.ts';
import { startHashThread, startWorldThread, type Simulate } from './workers.ts';

/** All that the page needs. When it is there, the page needs no network. */
export interface StartedPlayground {
  readonly sqlJs: StartedSqlJs;
  readonly hashPool: HashPool;
  readonly simulate: Simulate;
  readonly session: Session;
  readonly reports: ListedReports;
  readonly reporters: readonly string[];
  /** Deletion codes by report id. */
  readonly codes: Codes;
}

/** Loads everything and opens the store. */
export async function start(): Promise<StartedPlayground> {
  const wasm = loadWasm();
  const [hashPool, simulate, sqlJs] = await Promise.all([
    startHashThread(),
    startWorldThread(wasm),
    wasm.then((wasmBinary) => initSqlJs({ wasmBinary })),
  ]);
  const { session, codes } = await fill(await openSession(sqlJs), sqlJs);
  const [reports, reporters] = await Promise.all([listReports(session.store), session.reporters()]);
  return { sqlJs, hashPool, simulate, session, reports, reporters: reporters.map(({ name }) => name), codes };
}

/** Loads the example into a new store, so that a visitor who arrives has something to ask about. */
async function fill(
  session: Session,
  sqlJs: StartedSqlJs,
): Promise<{ readonly session: Session; readonly codes: Codes }> {
  if (!session.isNew) return { session, codes: readCodes() };
  const { bytes, codes } = await playExample(sqlJs);
  keepCodes(codes);
  return { session: await importFile(session, bytes, sqlJs), codes: { ...readCodes(), ...codes } };
}

/** Loads sql.js's WebAssembly, packed with gzip, once, for the page and for the worker of the lab. */
async function loadWasm(): Promise<ArrayBuffer> {
  const reply = await fetch(new URL('sql-wasm.bin', import.meta.url));
  if (!reply.ok || reply.body === null) throw new Error('The database engine could not be loaded. Reload the page.');
  return new Response(reply.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** In place of the page if it cannot start. */
export function Failure({ error }: { readonly error: unknown }) {
  return (
    <div class="card" role="alert">
      <h2>The playground could not start</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p class="quiet">It needs a current browser, modules, workers and WebAssembly, over https or on localhost.</p>
    </div>
  );
}
