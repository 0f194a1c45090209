import { AUDIT_WORK } from './audit.ts';
import { CHECK_WORK } from './check.ts';
import { DISPUTE_REQUEST_WORK } from './dispute-requests.ts';
import { ERASE_WORK } from './erase.ts';
import { FACTS_WORK } from './facts.ts';
import type { Memory } from './memory.ts';
import {
  isRemoval,
  isWrite,
  PUBLISHED,
  type Arguments,
  type MethodName,
  type Results,
  type StoreWork,
  type WriteName,
} from './methods.ts';
import { MODERATION_WORK } from './moderation.ts';
import { NEWEST_WORK } from './newest.ts';
import { OWN_REPORTS_WORK } from './own-reports.ts';
import { PEPPER_WORK } from './pepper.ts';
import { QUERY_WORK } from './queries.ts';
import { REPORT_WORK } from './reports.ts';
import { REPORTER_WORK } from './reporters.ts';
import { SEAL_WORK } from './seals.ts';
import { SIGN_IN_WORK } from './sign-ins.ts';
import type { SqlWork } from './statement.ts';
import { TRANSFER_WORK } from './transfer.ts';
import { TRUST_WORK } from './trust.ts';
import { USAGE_WORK } from './usage.ts';
import { WEBHOOK_WORK } from './webhooks.ts';

/**
 * The SQL store that all adapters share. Its statements use only SQL that SQLite and PostgreSQL share, except for the
 * syntax of placeholders.
 *
 * A method that writes based on what it read takes a lock, and reads under this lock. So no other work can interfere,
 * on a server either. Reading methods take no lock: each statement is consistent by itself.
 *
 * `rows.ts` writes and reads all rows. It computes and verifies their checksums.
 */
export const STORE_WORK: StoreWork = {
  ...REPORTER_WORK,
  ...USAGE_WORK,
  ...REPORT_WORK,
  ...OWN_REPORTS_WORK,
  ...QUERY_WORK,
  ...FACTS_WORK,
  ...NEWEST_WORK,
  ...MODERATION_WORK,
  ...DISPUTE_REQUEST_WORK,
  ...TRUST_WORK,
  ...PEPPER_WORK,
  ...SEAL_WORK,
  ...AUDIT_WORK,
  ...WEBHOOK_WORK,
  ...SIGN_IN_WORK,
  ...TRANSFER_WORK,
  ...CHECK_WORK,
  ...ERASE_WORK,
};

/** A method as an adapter runs it. To run the work again from the beginning, call `work` again. */
export interface Method<A extends readonly unknown[], T> {
  readonly name: MethodName;
  readonly isWrite: boolean;
  /** True if the method deletes data: soon after, the store's files must not contain the data either. */
  readonly isRemoval: boolean;
  /** True for a value with rows that must be durable before anyone sees it. Undefined if no value of it has any. */
  readonly isPublished: ((value: T) => boolean) | undefined;
  readonly work: (...args: A) => SqlWork<T>;
}

/** The methods of a store. */
export type Methods = { [M in MethodName]: Called<M> };
type Called<M extends MethodName> = (...args: Arguments[M]) => Promise<Results[M]>;

/** The work that a store does in its own way. */
export interface OwnWork {
  readonly work: Partial<StoreWork>;
  /** Called when a write begins to run. A store with {@link Memory} has no other process that writes. */
  readonly forget?: Memory['forget'];
}

/** Returns the methods of a store. Each passes its work to `execute`. */
export function createMethods(
  execute: <A extends readonly unknown[], T>(method: Method<A, T>, args: A) => Promise<T>,
  { work: own, forget }: OwnWork = { work: {} },
): Methods {
  const methods = {} as Methods;
  const works: StoreWork = { ...STORE_WORK, ...own };
  const add = <M extends MethodName>(to: { [N in M]: Called<N> }, name: M): void => {
    const plain: (...args: Arguments[M]) => SqlWork<Results[M]> = works[name];
    const work =
      forget && isWrite(name)
        ? function* (...args: Arguments[M]): SqlWork<Results[M]> {
            // Forget when the write runs, in the same turn, so that no read in between remembers the old state.
            forget(name, args);
            return yield* plain(...args);
          }
        : plain;
    const isPublished: ((value: Results[M]) => boolean) | undefined = PUBLISHED[name];
    const method = { name, isWrite: isWrite(name), isRemoval: isRemoval(name), isPublished, work };
    to[name] = (...args: Arguments[M]) => execute(method, args);
  };
  for (const name of Object.keys(STORE_WORK)) add(methods, name as MethodName);
  return methods;
}

/** Returns the work of a journal record. `args` are the arguments of the original call. */
export function workOf(name: WriteName, args: readonly never[]): SqlWork<unknown> {
  const work: (...args: readonly never[]) => SqlWork<unknown> = STORE_WORK[name];
  return work(...args);
}
