import { createFetchHandler } from '../../http.ts';
import { createEngine, secretFingerprint, unwrap, type Engine, type Reporter, type Store } from '../../index.ts';
import {
  createAdministration,
  createExplanations,
  createStandings,
  type Administration,
  type Explanations,
  type Standings,
} from '../../operator.ts';
import { formatForm, type FormRequest } from '../../protocol.ts';
import { createSqljsStore, openBrowserStore, type SqljsStore, type StartedSqlJs } from '../../sqljs.ts';
import { copyRows, readSnapshot, type DatedReport } from '../../store.ts';
import { send, type Exchange } from './exchange.ts';

/** Address of the service that the playground plays. Requests to it never leave the page. */
export const SERVICE = 'https://reports.example';
/** Everyone can read it. It protects nothing, but a store needs one. */
export const SECRET = 'the playground has no secret';
const FINGERPRINT = secretFingerprint(SECRET);
const STORE = 'playground';
const WAIT_SECONDS = 3;

/** Reporters of an empty playground. Two of them are known to the operator. */
export const EXAMPLES = [
  { name: 'North Shop', verified: true },
  { name: 'South Shop', verified: true },
  { name: 'Harbour Hotel', verified: false },
  { name: 'Corner Kiosk', verified: false },
] as const;

/** A request of the protocol, without the key. */
export type UnkeyedRequest = FormRequest extends infer Form
  ? Form extends unknown
    ? Omit<Form, 'apiKey'>
    : never
  : never;

/** One engine on one store, and what was said over the wire. */
export interface Session {
  readonly store: SqljsStore;
  readonly engine: Engine & Administration & Explanations & Standings;
  /** True if the store had no reporter: the page is open for the first time, or keeps nothing. */
  readonly isNew: boolean;
  /** Why the reports are lost at the next reload; undefined if the browser keeps them. */
  readonly lost: string | undefined;
  reporters(): Promise<readonly Reporter[]>;
  /** Returns an API key of the reporter. */
  keyOf(reporter: string): Promise<string>;
  /** Sends a form of the protocol to the engine with a key of the reporter. */
  send(reporter: string, wish: UnkeyedRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/** Opens the store that the browser keeps. If the browser cannot keep one, the store is in memory. */
export async function openSession(sqlJs: StartedSqlJs): Promise<Session> {
  let lost: string | undefined;
  const store: SqljsStore = await openBrowserStore({ name: STORE, sqlJs, waitSeconds: WAIT_SECONDS }).catch((error) => {
    const isOpen = (error as Error).name === 'FolderInUseError';
    lost = isOpen
      ? 'The playground is open in another tab. Reports of this tab are lost when you close it.'
      : 'This browser keeps no data of this page. Reports are lost when you close it.';
    return createSqljsStore({ sqlJs });
  });
  return start(store, lost);
}

/** Closes a session, deletes its store, and opens an empty one in the same place. */
export async function startOver(old: Session, sqlJs: StartedSqlJs): Promise<Session> {
  await old.close();
  if (old.lost !== undefined) return start(await createSqljsStore({ sqlJs }), old.lost);
  await deleteStore();
  return openSession(sqlJs);
}

/**
 * Replaces the reports by those of a database file. If the browser has no room for them, they are in memory. Rejects,
 * and changes nothing, if the bytes are no such file or belong to another secret.
 */
export async function importFile(old: Session, bytes: Uint8Array, sqlJs: StartedSqlJs): Promise<Session> {
  const imported = await createSqljsStore({ bytes, sqlJs });
  try {
    if ((await imported.check()).length > 0) throw new RangeError('the file is damaged');
    if ((await imported.findSecretFingerprint()) !== FINGERPRINT || (await imported.findPeppers()).length > 0)
      throw new RangeError('the file does not come from a playground: it is empty or belongs to another secret');
  } catch (error) {
    await imported.close();
    throw error;
  }
  await old.close();
  if (old.lost !== undefined) return start(imported, old.lost);
  let store: SqljsStore;
  try {
    store = await keepCopy(imported, sqlJs);
  } catch {
    await deleteStore();
    return start(imported, 'The browser has no room for these reports. They are lost when you close the page.');
  }
  await imported.close();
  return start(store, undefined);
}

/** Copies a store to an empty one that the browser keeps. Rejects if the browser has no room. */
async function keepCopy(source: SqljsStore, sqlJs: StartedSqlJs): Promise<SqljsStore> {
  await deleteStore();
  const store = await openBrowserStore({ name: STORE, sqlJs, waitSeconds: WAIT_SECONDS });
  const snapshot = await source.snapshot();
  const keys = { secret: FINGERPRINT, peppers: [] };
  try {
    await copyRows(readSnapshot(snapshot, { secret: FINGERPRINT, at: new Date().toISOString() }), store, keys);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  } finally {
    await snapshot.close();
  }
}

/** Returns the bytes of a SQLite file with everything. */
export function exportFile(session: Session): Uint8Array {
  return session.store.export();
}

async function start(store: SqljsStore, lost: string | undefined): Promise<Session> {
  const service = createEngine({ store, secret: SECRET, publicUrl: SERVICE });
  const engine = {
    ...service,
    ...createAdministration(service),
    ...createExplanations(service),
    ...createStandings(service),
  };
  await engine.ready();
  const isNew = (await engine.listReporters()).length === 0;
  for (const example of EXAMPLES) unwrap(await engine.ensureReporter(example));
  const handle = createFetchHandler(engine);
  /** Keys are shown once and not stored, so a page issues its own. */
  const keys = new Map<string, string>();
  const keyOf = async (name: string): Promise<string> => {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const { reporterId } = unwrap(await engine.ensureReporter({ name }));
    const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
    keys.set(name, apiKey);
    return apiKey;
  };
  return {
    store,
    engine,
    isNew,
    lost,
    reporters: () => engine.listReporters(),
    keyOf,
    async send(reporter, wish) {
      const fields = formatForm({ ...wish, apiKey: await keyOf(reporter) } as FormRequest);
      return send(handle, { action: wish.action, reporter, url: `${SERVICE}/api/`, fields });
    },
    close: () => engine.close(),
  };
}

function deleteStore(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(`redflag:${STORE}`);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser did not delete the store')));
  });
}

/** A report in the list of the page. */
export interface ListedReport {
  readonly reportId: string;
  readonly reporter: string;
  readonly type: string;
  readonly severity: number;
  readonly text: string;
  readonly createdAt: number;
  readonly kinds: readonly string[];
}

export interface ListedReports {
  /** The newest, newest first. */
  readonly shown: readonly ListedReport[];
  /** Number of all reports. */
  readonly total: number;
}

const SHOWN = 30;
const PAGE = 1000;

/** Returns the newest reports of a store. */
export async function listReports(store: Store): Promise<ListedReports> {
  let newest: DatedReport[] = [];
  let total = 0;
  for (let after: DatedReport | undefined, page: DatedReport[]; ; after = page.at(-1)) {
    page = await store.readReports({ from: 0, after, limit: PAGE });
    total += page.length;
    newest = [...newest, ...page].slice(-SHOWN);
    if (page.length < PAGE) break;
  }
  const ids = newest.map(({ reportId }) => reportId);
  const kinds = new Map<string, Set<string>>();
  for (const { reportId, kind } of await store.findIdentifiers(ids))
    kinds.set(reportId, (kinds.get(reportId) ?? new Set()).add(kind));
  const found = await store.findReports(ids);
  return {
    total,
    shown: found.map((report) => ({ ...report, kinds: [...(kinds.get(report.reportId) ?? [])].sort() })),
  };
}

const CODES = 'redflag-playground-codes';
const KEPT = 500;

/** Deletion codes by report id. */
export type Codes = Readonly<Record<string, string>>;

/** Keeps deletion codes over a reload, as the program of a shop does: the service shows them once. */
export function keepCodes(codes: Codes): void {
  try {
    const kept = [...Object.entries(readCodes()), ...Object.entries(codes)].slice(-KEPT);
    localStorage.setItem(CODES, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps no data: the page has the code until it is closed.
  }
}

/** Returns the kept deletion codes. */
export function readCodes(): Codes {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(CODES) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Codes) : {};
  } catch {
    return {};
  }
}
