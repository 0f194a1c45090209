import { elementName } from '../../core/crypto/crypto.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import { requireConcealment } from './concealment.ts';
import { readOldElements } from './stored.ts';
import { moveHashes } from '../../core/engine/peppers.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import { type Outcome, refuse, type Refusal } from '../../core/domain/refusal.ts';
import type { ReportDraft, ReportReceipt } from '../../core/domain/report.ts';
import type { QueryResult } from '../../core/domain/verdict.ts';
import type { Authentication } from '../../core/engine/authenticate.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { QueryDraft } from '../../core/engine/query.ts';
import type { Service } from '../../core/engine/service.ts';
import type { SealedIdentifier } from './seal.ts';
import { readSealedRows, type PublishedPage, type PublishedPageRequest } from './sealed-rows.ts';
import type { SealStatus } from './seals.ts';

/** A request whose identifiers may be sealed. */
export type Sealable<Request> = Omit<Request, 'identifiers'> & {
  readonly identifiers: readonly (Identifier | SealedIdentifier)[];
};

/**
 * What an engine with sealed elements takes, and their upkeep. Each call rejects with SealError if the store belongs to
 * another sealing key, and the calls of upkeep with RangeError if the engine has no seal.
 */
export interface Sealing {
  /**
   * As `report` of the engine, also of sealed identifiers. Two reports are one retry only if both have hashes, or both
   * have elements.
   */
  report(request: Sealable<ReportDraft> & Authentication): Promise<Outcome<ReportReceipt>>;
  /**
   * As `query` of the engine, also of sealed identifiers. A set has one link for its hashes and another one for its
   * elements. Elements do not match what was reported before the store was sealed, until a client sends its hash.
   */
  query(request: Sealable<QueryDraft> & Authentication): Promise<Outcome<QueryResult>>;
  /**
   * Returns the state of the sealed elements. While rows are unsealed, each call counts them, which may read the whole
   * store. A row that a rotation of peppers moves meanwhile may count twice. Once the count is zero, the store
   * remembers it, and requests look for no unsealed rows any more. With several processes, it remembers this at the
   * earliest a minute after the sealing key was added.
   */
  sealStatus(): Promise<SealStatus>;
  /**
   * Replaces the elements of the previous sealing key (`seal.previous`) in the store. Other operations continue
   * meanwhile. To continue an interrupted replacement, repeat the call. With several processes, the replacement begins
   * a minute after the key was added. Returns the number of moved identifiers: 0 if nothing is to be replaced.
   */
  replaceElements(): Promise<number>;
  /**
   * Returns a page of the identifiers that queries count and that have an element, from the reports after `after`, or
   * from the oldest. `limit` is the number of reports, from 1. Leaves out what a query leaves out now: reports with an
   * upheld dispute and protected identifiers. Rejects with TypeError or RangeError for another `limit`.
   */
  readSealedRows(page: PublishedPageRequest): Promise<PublishedPage>;
}

/** Returns what an engine with sealed elements takes, and their upkeep. */
export function createSealing({ context, report, query }: Engine): Sealing {
  return context.secretCheck.guard<Sealing>({
    report: (request) => report(request as ReportDraft & Authentication),
    query: (request) => query(request as QueryDraft & Authentication),
    async sealStatus() {
      const concealment = await requireConcealment(context);
      const { state } = await concealment.current();
      const unsealed = await concealment.seals.countUnsealed(state);
      if (unsealed === 0 && state.hasUnsealed) concealment.forget();
      const { generation, fingerprint, hasPrevious } = state;
      return { generation, fingerprint, replacing: hasPrevious, unsealed };
    },
    replaceElements: () => replaceElements(context),
    readSealedRows: (page) => readSealedRows(context, page),
  });
}

/**
 * Returns a service that takes no hashes: reports, queries and requests for disputes are refused with `sealed-only`,
 * before any key is checked. Deletions and views, which have no hash, are answered.
 */
export function withoutHashes(service: Service): Service {
  const refused = async (): Promise<{ readonly ok: false; readonly refusal: Refusal }> =>
    refuse({ reason: 'sealed-only' });
  const { requestDispute: _, ...others } = service;
  return {
    ...others,
    report: refused,
    query: refused,
    checkKey: (request) => (request.action === 'delete' ? service.checkKey(request) : refused()),
  };
}

/** Elements replaced per transaction, which takes about ten milliseconds. */
const MOVES_AT_ONCE = 200;
const WAIT_MS = 1_000;

/**
 * Replaces the stored elements of the previous sealing key, page by page. Continues an interrupted replacement. Returns
 * the number of moved hashes. Rejects with RangeError without a sealing key.
 */
export async function replaceElements(context: EngineContext): Promise<number> {
  const { store, effects } = context;
  const { giveTurn, wait, clock } = effects;
  const concealment = await requireConcealment(context);
  const { seals } = concealment;
  await seals.follow();
  concealment.forget();
  const { state } = await concealment.current();
  if (!state.hasPrevious) return 0;
  // A process that has only the previous key may still write.
  while (await seals.mayBeUnknown(state)) await wait(WAIT_MS);
  const { generation: seal } = state;
  const moved = await moveHashes(
    (after) => readOldElements(store, { seal, after, limit: MOVES_AT_ONCE }),
    async (page) => {
      const { peppering } = await concealment.current();
      const { generation } = peppering;
      const moves = page.map(async (old) => {
        const element = await seals.replaced(old, state);
        return { from: old.hash, to: peppering.raise(elementName(element), 0, generation), element };
      });
      return store.rehash(await Promise.all(moves), generation, seal);
    },
    giveTurn,
  );
  await store.markElementKey({ generation: seal, finishedAt: clock() });
  concealment.forget();
  return moved;
}
