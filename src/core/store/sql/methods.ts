import type { Store } from '../store.ts';
import type { SqlWork } from './statement.ts';

/** The store's methods that run as work on its database. */
export type MethodName = Exclude<keyof Store, 'close' | 'shared' | 'stampOf' | 'snapshot' | 'erased'>;

/** Parameters and results of each method. */
export type Arguments = { readonly [M in MethodName]: Parameters<Store[M]> };
export type Results = { readonly [M in MethodName]: Awaited<ReturnType<Store[M]>> };

/** The methods as work on an SQL database. {@link Store} documents each. */
export type StoreWork = { readonly [M in MethodName]: (...args: Arguments[M]) => SqlWork<Results[M]> };

/** The methods that write. Their arguments are plain data only, so a journal can store the name and the arguments. */
const WRITES = [
  'addReporter',
  'updateReporter',
  'addKey',
  'endKey',
  'addUsage',
  'addReport',
  'removeReport',
  'putLink',
  'openDispute',
  'answerDispute',
  'decideDispute',
  'addDisputeRequest',
  'removeDisputeRequests',
  'addProtection',
  'endProtection',
  'putTrust',
  'addPepper',
  'finishPepper',
  'rehash',
  'addSeal',
  'markSeal',
  'adoptSecretFingerprint',
  'addAuditEntry',
  'addWebhook',
  'removeWebhook',
  'moveWebhook',
  'addSignIn',
  'startSession',
  'endSignIns',
  'putRows',
  'erase',
] as const;

export type WriteName = (typeof WRITES)[number];

const NAMES: ReadonlySet<string> = new Set(WRITES);

/** True for the methods that write. */
export function isWrite(name: string): name is WriteName {
  return NAMES.has(name);
}

/**
 * The reads whose value is published: others may learn of the rows in it, so these must be durable before the value is
 * returned. The answer to a query names its link.
 */
export const PUBLISHED: { readonly [M in MethodName]?: (value: Results[M]) => boolean } = {
  findFacts: ({ linked }) => linked.length > 0,
};

/** Returns the arguments that a journal keeps of a write: those that decide what it changes. */
export function recordedOf(name: MethodName, args: readonly unknown[]): readonly unknown[] {
  return name === 'addReport' ? args.slice(0, 2) : args;
}

/**
 * True for the methods that delete data: soon after, the store's files must not contain the data either. `rehash`
 * counts: an operator changes a pepper, or seals the store, to get rid of the old hashes.
 */
export function isRemoval(name: MethodName): boolean {
  return name === 'removeReport' || name === 'erase' || name === 'rehash';
}
