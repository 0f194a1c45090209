import { createRandom } from '../../core/crypto/crypto.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import type { Verdict } from '../../core/domain/verdict.ts';
import { retryHeaders } from '../../core/http/status.ts';
import { createFetchHandler } from '../../http.ts';
import { createEngine, OFFENCE_TYPES, unwrap } from '../../index.ts';
import { createExplanations } from '../../operator.ts';
import { formatRefusal } from '../../protocol.ts';
import { createLinkClaimModel, LINK_CLAIM_CONSTANTS } from '../../scoring.ts';
import {
  createMemoryEvaluations,
  createMemoryReplica,
  createSealedClient,
  SealedServiceError,
  type SealedScore,
} from '../../sealed.ts';
import { toHex, toInput } from '../../sealed/encoding.ts';
import { createSealedOperations } from '../../sealed/engine/operations.ts';
import { createNobleGroup } from '../../sealed/group/noble.ts';
import { createKeys, sealInput } from '../../sealed/keys.ts';
import { parseManifest } from '../../sealed/manifest-format.ts';
import { operatorPublicKey } from '../../sealed/manifest.ts';
import { inSteps } from '../../sealed/precision-steps.ts';
import { createRowKeys, ROW_BYTES, unpackContent } from '../../sealed/rows.ts';
import { createSealedEndpoints } from '../../sealed/service/endpoints.ts';
import { createMemoryPublications } from '../../sealed/service/memory-publications.ts';
import { createPace } from '../../sealed/service/pace.ts';
import { createPublisher } from '../../sealed/service/publisher.ts';
import { toPublishedRules } from '../../sealed/service/rules.ts';
import type { PublishedRow } from '../../sealed/engine/sealed-rows.ts';
import { findTag } from '../../sealed/snapshot.ts';
import type { DatedReport } from '../../store.ts';
import { SECRET, SERVICE, type Session } from './session.ts';

/** A request to the operator, and its reply. */
export interface SeenRequest {
  /** e.g. `POST /sealed/evaluate`. */
  readonly line: string;
  /** Body of the request; empty for a download. */
  readonly sent: string;
  /** Body of the reply if it is an answer to a body. */
  readonly received: string;
  /** Bytes of the reply. */
  readonly bytes: number;
}

/** What a row says to the client that opens it. */
export interface OpenedRow {
  /** The row as it was published, in hex. */
  readonly closed: string;
  readonly kind: string;
  readonly type: string;
  readonly severity: number;
  /** Number of the reporter. */
  readonly reporter: number;
  /** Day of the report, UTC, counted from 1970. */
  readonly days: number;
}

/** What the client knows of an identifier. */
export interface KnownIdentifier extends Identifier {
  /** The evaluation in hex. */
  readonly evaluation: string;
  readonly rows: readonly OpenedRow[];
}

/** One private query, from both sides. */
export interface PrivateLookUp {
  /** Name of the reporter that asked. The operator knows it by its key. */
  readonly reporter: string;
  readonly score: SealedScore;
  /** The answer to the same query over the protocol. */
  readonly plain: Verdict;
  readonly known: readonly KnownIdentifier[];
  readonly seen: readonly SeenRequest[];
  /** The first published rows, in hex, and the number of all. */
  readonly published: { readonly first: readonly string[]; readonly total: number };
}

const SHOWN_ROWS = 8;

/** Publishes the reports of a session, and asks about the identifiers as a new client does. */
export async function lookUpInPrivate(
  session: Session,
  operator: PrivateOperator,
  { reporter, identifiers }: { readonly reporter: string; readonly identifiers: readonly Identifier[] },
): Promise<PrivateLookUp> {
  await operator.publish();
  const seen: SeenRequest[] = [];
  const replica = createMemoryReplica();
  const evaluations = createMemoryEvaluations();
  const client = createSealedClient({
    baseUrl: SERVICE,
    apiKey: await session.keyOf(reporter),
    operatorKey: operator.publicKey,
    replica,
    evaluations,
    async fetch(input, init) {
      const request = new Request(input as string, init);
      const sent = await request.clone().text();
      const reply = await operator.handle(request);
      const body = new Uint8Array(await reply.clone().arrayBuffer());
      const received = sent === '' ? '' : new TextDecoder().decode(body);
      const line = `${request.method} ${new URL(request.url).pathname}`;
      seen.push({ line, sent, received, bytes: body.length });
      return reply;
    },
  });
  const answer = await client.query(identifiers);
  if (answer.answer !== 'score') {
    const isLimited = answer.answer === 'unknown' && answer.why === 'rate-limited';
    throw new SealedServiceError(isLimited ? 'rate-limited' : 'unavailable', 0);
  }
  const manifest = parseManifest((await replica.readManifest())!.bytes)!;
  const snapshot = (await replica.readPart(manifest.snapshot))!;
  const { number, publicKey } = manifest.epoch;
  const hashes = identifiers.map(({ hash }) => hash);
  const elements = await evaluations.read(publicKey, hashes);
  const rowAt = (at: number): string => toHex(snapshot.subarray(at, at + ROW_BYTES));
  const known = identifiers.map((identifier, index): KnownIdentifier => {
    const element = elements[index]!;
    const keys = createRowKeys(number, element);
    const rows: OpenedRow[] = [];
    for (let index = 0, at: number; (at = findTag(snapshot, keys.tag(index))) !== -1; index++) {
      const content = keys.open(index, snapshot.subarray(at, at + ROW_BYTES));
      if (content === undefined) continue;
      const row = unpackContent(content);
      rows.push({
        closed: rowAt(at),
        kind: manifest.kinds[row.kind] ?? 'other',
        type: manifest.types[row.type] ?? 'other',
        severity: row.severity,
        reporter: row.reporter,
        days: row.days,
      });
    }
    return { ...identifier, evaluation: toHex(element), rows };
  });
  const verdict = await verdictOf(session, identifiers);
  const total = snapshot.length / ROW_BYTES;
  const first = Array.from({ length: Math.min(SHOWN_ROWS, total) }, (_, at) => rowAt(at * ROW_BYTES));
  return { reporter, score: answer, plain: verdict, known, seen, published: { first, total } };
}

/** Returns the blinded elements of a query, as the operator has seen them. */
export function blindedOf({ seen }: PrivateLookUp): readonly string[] {
  return seen.flatMap(({ sent }) => (sent === '' ? [] : (JSON.parse(sent) as { blinded: string[] }).blinded));
}

/** Returns the verdict of a service with a sealed look-up. */
async function verdictOf({ store }: Session, identifiers: readonly Identifier[]): Promise<Verdict> {
  const model = inSteps(createLinkClaimModel());
  const sealed = createEngine({ store, secret: SECRET, publicUrl: SERVICE, model });
  return unwrap(await createExplanations(sealed).explain({ identifiers })).verdict;
}

const PAGE = 50;

/** The operator of the private look-up, for the reports of a session. Keys and publications are in memory. */
export interface PrivateOperator {
  /** Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Publishes all reports as they are now. Returns the number of rows. */
  publish(): Promise<number>;
  /** Answers requests to the service. */
  readonly handle: (request: Request) => Promise<Response>;
}

/** Returns an operator with fresh keys. */
export function createPrivateOperator({ engine, store }: Session): PrivateOperator {
  const group = createNobleGroup();
  const random = createRandom();
  const keys = createKeys(group, Date.now(), random);
  const publications = createMemoryPublications();
  const elements = new Map<string, string>();
  const pace = createPace(giveTurn, () => performance.now());
  const elementOf = (hash: string): string => {
    const known = elements.get(hash) ?? toHex(sealInput(group, keys, toInput(hash)));
    elements.set(hash, known);
    return known;
  };

  async function* readRows(): AsyncIterable<readonly PublishedRow[]> {
    for (let after: DatedReport | undefined, page: DatedReport[]; ; after = page.at(-1)) {
      page = await store.readReports({ from: 0, after, limit: PAGE });
      const ids = page.map(({ reportId }) => reportId);
      const reports = new Map((await store.findReports(ids)).map((report) => [report.reportId, report]));
      const rows: PublishedRow[] = [];
      for (const { reportId, reporterId, kind, hash } of await store.findIdentifiers(ids)) {
        const { type, severity, createdAt } = reports.get(reportId)!;
        const element = elementOf(hash);
        rows.push({ element, reportId, reporterId, kind, type, severity, createdAt, disputeOpen: false });
        if (pace.isDue()) await pace.turn();
      }
      yield rows;
      if (page.length < PAGE) return;
    }
  }

  const publisher = createPublisher({
    group,
    keys: () => keys,
    source: {
      readRows,
      countUnsealed: async () => 0,
      readReporters: async () => new Map((await engine.listStandings()).map((one) => [one.reporterId, one])),
    },
    store: publications.store,
    rules: toPublishedRules({ constants: LINK_CLAIM_CONSTANTS, types: OFFENCE_TYPES, matchKinds: 'any' }),
    clock: Date.now,
    random,
    pace,
  });
  const beside = createSealedEndpoints({
    group,
    keys: () => keys,
    files: publications.reader,
    service: createSealedOperations(engine),
    formatRefusal,
    retryHeaders,
    clock: Date.now,
    random,
    giveTurn,
    // The reply says so, and the page shows it.
    onError: () => undefined,
  });
  return {
    publicKey: operatorPublicKey(keys.operatorKey),
    publish: async () => (await publisher.publish()).rows,
    handle: createFetchHandler(engine, { beside }),
  };
}

function giveTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
