import type { Identifier } from '../../core/domain/identifier.ts';
import { type Outcome, refuse, type Refusal } from '../../core/domain/refusal.ts';
import type { ReportDraft, ReportReceipt } from '../../core/domain/report.ts';
import type { QueryResult } from '../../core/domain/verdict.ts';
import type { Authentication } from '../../core/engine/authenticate.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { QueryDraft } from '../../core/engine/query.ts';
import type { Service } from '../../core/engine/service.ts';
import type { SealedIdentifier } from './concealment.ts';
import { readSealedRows, type PublishedPage, type PublishedPageRequest } from './sealed-rows.ts';

/** A request whose identifiers may be sealed. */
export type Sealable<Request> = Omit<Request, 'identifiers'> & {
  readonly identifiers: readonly (Identifier | SealedIdentifier)[];
};

/**
 * What an engine with sealed elements takes, and what is published of them. Each call rejects with SealError if the
 * store belongs to another sealing key.
 */
export interface Sealing {
  /**
   * As `report` of the engine, also of sealed identifiers. Two reports are one retry only if both have hashes, or both
   * have elements.
   */
  report(request: Sealable<ReportDraft> & Authentication): Promise<Outcome<ReportReceipt>>;
  /**
   * As `query` of the engine, also of sealed identifiers. A set has one link for its hashes and another one for its
   * elements.
   */
  query(request: Sealable<QueryDraft> & Authentication): Promise<Outcome<QueryResult>>;
  /**
   * Returns a page of the identifiers that queries count and that have an element, from the reports after `after`, or
   * from the oldest. `limit` is the number of reports, from 1. Leaves out what a query leaves out now: reports with an
   * upheld dispute and protected identifiers. Rejects with TypeError or RangeError for another `limit`, and with
   * RangeError if the engine has no seal.
   */
  readSealedRows(page: PublishedPageRequest): Promise<PublishedPage>;
}

/** Returns what an engine with sealed elements takes. */
export function createSealing({ context, report, query }: Engine): Sealing {
  return context.secretCheck.guard<Sealing>({
    report: (request) => report(request as ReportDraft & Authentication),
    query: (request) => query(request as QueryDraft & Authentication),
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
