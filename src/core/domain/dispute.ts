import { NAME_CHARACTERS } from './audit.ts';
import type { Identifier } from './identifier.ts';
import type { PublicReport } from './report.ts';

/** An operator's inquiry into one report (protocol 3, our choice). A report with an upheld dispute no longer counts. */
export interface Dispute {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** Reporter of the disputed report, 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly openedAt: number;
  /** Milliseconds since the epoch, UTC; null while the dispute is open. */
  readonly decidedAt: number | null;
  /** Name of the person who opened the dispute for the operator. */
  readonly openedBy: string;
  /** Name of the person who decided the dispute for the operator; null while it is open. */
  readonly decidedBy: string | null;
  /** Reason for opening; empty after the report was deleted. */
  readonly reason: string;
  /** True if the report was wrong; null while the dispute is open. */
  readonly upheld: boolean | null;
  /**
   * True if the report was deleted while its reporter had another wrong report about the same person. If none of its
   * identifiers is kept, it costs no claim of its own then.
   */
  readonly merged: boolean;
  /** What the reporter answered, 1 to 500 code points; null without an answer, and after the report was deleted. */
  readonly answer: string | null;
  /** Milliseconds since the epoch, UTC; null without an answer. */
  readonly answeredAt: number | null;
}

/** Which disputes to return. Without a property: all. */
export interface DisputeFilter {
  /** Disputes about reports of this reporter, 16 lowercase hex characters. */
  readonly reporterId?: string | undefined;
  /** Disputes about this report, 16 lowercase hex characters. */
  readonly reportId?: string | undefined;
}

/**
 * A person's request to open a dispute about a report (protocol 3, our choice). No score changes until the operator
 * opens the dispute. A person who asks about an identifier makes one request for each of its reports, all with one
 * `requestId`: a case.
 */
export interface DisputeRequest {
  /** 16 lowercase hex characters. */
  readonly requestId: string;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** Reporter of the report, 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly requestedAt: number;
  /** What the person stated, 1 to 500 code points. Shown to the operator and to the reporter only. */
  readonly reason: string;
}

/** A request's place in the order of requests. */
export type DisputeRequestPlace = Pick<DisputeRequest, 'requestedAt' | 'requestId' | 'reportId'>;

/** Requests in one list: what a person can read. */
export const REQUESTS_LISTED = 500;

/**
 * Bounds of a request. `about`: names in it. `waiting`: requests about one identifier that wait at one report.
 * `caseDays`: how long a case is kept after its last decision or answer.
 */
export const DISPUTE_BOUNDS = {
  identifiers: 3,
  reasonCharacters: 500,
  about: 10,
  aboutCharacters: NAME_CHARACTERS,
  waiting: 20,
  messages: 10,
  caseDays: 90,
} as const;

/** State of a report's disputes, taken from the newest dispute; `upheld` holds until a later decision. */
export type DisputeState = 'none' | 'open' | 'upheld' | 'rejected';

/**
 * Returns the state at `atMs` (ms, UTC); with `Infinity`, the state that is stored now. Pass all disputes of one
 * report, in any order. A further dispute about a wrong report changes nothing until it is decided.
 */
export function disputeStateAt(disputes: readonly Dispute[], atMs: number): DisputeState {
  const opened = disputes.filter(({ openedAt }) => openedAt <= atMs).sort((a, b) => b.openedAt - a.openedAt);
  const decided = opened.find(({ decidedAt }) => decidedAt !== null && decidedAt <= atMs);
  if (decided?.upheld) return 'upheld';
  if (!opened[0]) return 'none';
  return opened[0] === decided ? 'rejected' : 'open';
}

/** A person's request for disputes about the reports of its identifiers. */
export interface DisputeDraft {
  /** 1 to 3 hashed identifiers. */
  readonly identifiers: readonly Identifier[];
  /**
   * Ids of reports or names of reporters, at most 10 with at most 80 code points each: then only reports that they
   * name, if any of them match. Default: any.
   */
  readonly about?: readonly string[] | undefined;
  /** Why the reports are wrong: 1 to 500 code points. Shown to the operator and to the reporter only. */
  readonly reason: string;
  /**
   * The client's address, which has a request limit. Requests of one network (with IPv6 a /48) about one identifier
   * are one case. Without it, no limit applies, and each request is a case.
   */
  readonly client?: string | undefined;
}

/** What a person gets for a request, whether or not reports match. */
export interface DisputeReceipt {
  /** With it, the person asks later what became of the request: 20 letters and digits in groups of four. */
  readonly caseNumber: string;
}

/** A person's question about a case, and what the person writes to the operator. */
export interface CaseRequest {
  /** The number of the case, however it is written. */
  readonly number: string;
  /** A message to the operator: 1 to 500 code points. Kept while the case is open, at most 10. */
  readonly text?: string | undefined;
  /** The report that the message is about, one of those that the case shows. Default: the case as a whole. */
  readonly about?: string | undefined;
  /** The client's address, which has a request limit. Without it, no limit applies. */
  readonly client?: string | undefined;
}

/** What became of a report about which a person asked. */
export interface CaseReport {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** `open`: the operator examines it. `upheld`: it was wrong. `refused`: the operator answered, without a dispute. */
  readonly state: 'open' | 'upheld' | 'rejected' | 'refused';
  /** Since when (ms, UTC). */
  readonly at: number;
  /** Which report it is. Undefined after its deletion. */
  readonly report: Pick<PublicReport, 'type' | 'reporter' | 'createdAt'> | undefined;
}

/** What the person of a case or the operator wrote. */
export interface CaseMessage {
  /** False: the person wrote it. */
  readonly fromOperator: boolean;
  /** Milliseconds since the epoch, UTC. */
  readonly at: number;
  /** 1 to 500 code points. */
  readonly text: string;
  /** The report that it is about, 16 lowercase hex characters; null: the case as a whole. */
  readonly reportId: string | null;
}

/**
 * What a person with a case number sees. Until the operator acts, `reports` and `messages` are empty, whether or not
 * reports match.
 */
export interface PersonCase {
  /** In groups of four. */
  readonly number: string;
  /** The beginning of the hour in which the request came (ms, UTC). */
  readonly receivedAt: number;
  /** When this call was answered (ms, UTC). A message of the call was received then. */
  readonly readAt: number;
  /** Reports on which the operator acted, oldest first. */
  readonly reports: readonly CaseReport[];
  /** Oldest first. */
  readonly messages: readonly CaseMessage[];
  /**
   * True if the message of this call was not kept, because the case has as many of the person as it keeps. Always false
   * until the operator acts.
   */
  readonly isFull: boolean;
}
