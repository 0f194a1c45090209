import type { Cache } from './cache.ts';
import { AUDIT_WORK } from './audit.ts';
import { DISPUTE_REQUEST_WORK } from './dispute-requests.ts';
import { ERASE_WORK } from './erase.ts';
import { MODERATION_WORK } from './moderation.ts';
import { PEPPER_WORK } from './pepper.ts';
import { QUERY_WORK } from './queries.ts';
import { REPORTER_WORK } from './reporters.ts';
import { REPORT_WORK } from './reports.ts';
import { SEAL_WORK } from './seals.ts';
import { SIGN_IN_WORK } from './sign-ins.ts';
import type { SqlWork } from './statement.ts';
import { TRANSFER_WORK } from './transfer.ts';
import { TRUST_WORK } from './trust.ts';
import { USAGE_WORK } from './usage.ts';
import { WEBHOOK_WORK } from './webhooks.ts';

/** A write. Its arguments are plain data, so a journal can record them. */
export interface Write<A extends readonly unknown[], T> {
  /** The name in records of journals. It never changes. A write whose meaning changes gets a new name. */
  readonly name: string;
  readonly work: (...args: A) => SqlWork<T>;
  /** Makes a store's cache forget what the write may change. */
  readonly forget: (cache: Cache, ...args: A) => void;
  /** True if the write deletes data: soon after, the store's files must not contain the data either. */
  readonly isRemoval: boolean;
}

function write<A extends readonly unknown[], T>(
  name: string,
  work: (...args: A) => SqlWork<T>,
  forget: (cache: Cache, ...args: A) => void,
  { isRemoval = false } = {},
): Write<A, T> {
  return { name, work, forget, isRemoval };
}

const nothing = (): void => undefined;
const REMOVAL = { isRemoval: true };

/** All writes. Each forgets what it may change in the cache. */
export const WRITES = {
  addReporter: write('addReporter', REPORTER_WORK.addReporter, nothing),
  updateReporter: write('updateReporter', REPORTER_WORK.updateReporter, (cache) => cache.forget('keys')),
  // It may end the key that it replaces.
  addKey: write('addKey', REPORTER_WORK.addKey, (cache) => cache.forget('keys')),
  endKey: write('endKey', REPORTER_WORK.endKey, (cache) => cache.forget('keys')),
  // Only the days on which keys were last used are remembered. Most calls add to counts alone.
  addUsage: write('addUsage', USAGE_WORK.addUsage, (cache, { keys }) => {
    if (keys.length > 0) cache.forget('keys');
  }),
  addReport: write('addReport', REPORT_WORK.addReport, (cache, { identifiers }) => cache.addReport(identifiers)),
  removeReport: write('removeReport', REPORT_WORK.removeReport, (cache) => cache.forget('links', 'reports'), REMOVAL),
  // A new link may evict an older one.
  putLink: write('putLink', QUERY_WORK.putLink, (cache) => cache.forget('links')),
  openDispute: write('openDispute', MODERATION_WORK.openDispute, (cache) => cache.forget('reports')),
  answerDispute: write('answerDispute', MODERATION_WORK.answerDispute, nothing),
  decideDispute: write('decideDispute', MODERATION_WORK.decideDispute, (cache) => cache.forget('reports')),
  // No query and no view depends on a request.
  addDisputeRequest: write('addDisputeRequest', DISPUTE_REQUEST_WORK.addDisputeRequest, nothing),
  removeDisputeRequests: write('removeDisputeRequests', DISPUTE_REQUEST_WORK.removeDisputeRequests, nothing),
  addProtection: write('addProtection', MODERATION_WORK.addProtection, (cache) => cache.forget('protections')),
  // The hashes of past entries are remembered too.
  endProtection: write('endProtection', MODERATION_WORK.endProtection, nothing),
  putTrust: write('putTrust', TRUST_WORK.putTrust, nothing),
  addPepper: write('addPepper', PEPPER_WORK.addPepper, nothing),
  finishPepper: write('finishPepper', PEPPER_WORK.finishPepper, nothing),
  // A removal: an operator changes a pepper, or seals the store, to get rid of the old hashes.
  rehash: write('rehash', PEPPER_WORK.rehash, (cache) => cache.forget('protections', 'links', 'reports'), REMOVAL),
  addSeal: write('addSeal', SEAL_WORK.addSeal, nothing),
  markSeal: write('markSeal', SEAL_WORK.markSeal, nothing),
  adoptSecretFingerprint: write('adoptSecretFingerprint', PEPPER_WORK.adoptSecretFingerprint, nothing),
  addAuditEntry: write('addAuditEntry', AUDIT_WORK.addAuditEntry, nothing),
  addWebhook: write('addWebhook', WEBHOOK_WORK.addWebhook, nothing),
  removeWebhook: write('removeWebhook', WEBHOOK_WORK.removeWebhook, nothing),
  moveWebhook: write('moveWebhook', WEBHOOK_WORK.moveWebhook, nothing),
  addSignIn: write('addSignIn', SIGN_IN_WORK.addSignIn, nothing),
  startSession: write('startSession', SIGN_IN_WORK.startSession, nothing),
  endSignIns: write('endSignIns', SIGN_IN_WORK.endSignIns, nothing),
  putRows: write('putRows', TRANSFER_WORK.putRows, (cache) => cache.forgetAll()),
  // An erased hash may stay remembered as protected. Its lookup then finds nothing.
  erase: write('erase', ERASE_WORK.erase, (cache) => cache.forget('links', 'reports'), REMOVAL),
};

/** A write whose arguments come from a journal. */
export type RecordedWrite = Write<readonly never[], unknown>;

/** The writes by the names in records of journals. */
export const RECORDED_WRITES: ReadonlyMap<string, RecordedWrite> = new Map(
  Object.values(WRITES).map((write) => [write.name, write]),
);
