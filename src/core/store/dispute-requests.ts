import type { AuditNote } from '../domain/audit.ts';
import type { DisputeRequest, DisputeRequestPlace } from '../domain/dispute.ts';

/** The part of a store that keeps persons' requests for disputes. */
export interface DisputeRequestStore {
  /**
   * Adds a person's request for disputes about these reports, each once. Leaves out deleted reports, those with an open
   * dispute, and those about which `most` requests wait, or one with the same reason. If `inAll` requests wait, a
   * report takes only its first one. Of the remaining reports, takes `reports`: those with the fewest requests, then
   * those given first. Returns the number of reports about which the request waits. `taken`: the id is in use. The
   * first request that waits about a report has an entry in the audit log.
   */
  addDisputeRequest(
    request: Pick<DisputeRequest, 'requestId' | 'requestedAt' | 'reason'> & {
      readonly reportIds: readonly string[];
      readonly most: number;
      /** Undefined: all. */
      readonly reports?: number | undefined;
      /** From 1. Undefined: no bound. A few more may wait if several processes add at once. */
      readonly inAll?: number | undefined;
    },
    note?: AuditNote,
  ): Promise<number | 'taken'>;
  /** Returns requests that wait, oldest first: at most `most` after a place, of all reporters or of one. */
  findDisputeRequests(asked: {
    readonly reporterId?: string | undefined;
    /** Undefined: from the oldest. */
    readonly after?: DisputeRequestPlace | undefined;
    readonly most: number;
  }): Promise<DisputeRequest[]>;
  /**
   * Deletes a request, about one report or about all of its reports. With `requestIds`, deletes these requests about
   * one report. Returns the number of deleted rows. The audit log has an entry for each report of a request, or one
   * entry with the number of requests about the report.
   */
  removeDisputeRequests(removal: DisputeRequestRemoval, note?: AuditNote): Promise<number>;
}

/** Which requests to delete. */
export type DisputeRequestRemoval =
  | { readonly requestId: string; readonly reportId?: string | undefined }
  | { readonly requestId?: undefined; readonly reportId: string; readonly requestIds: readonly string[] };
