import type { Store } from '../store.ts';
import type { SqlWork } from './statement.ts';
import { STORE_WORK, WRITES, type StoreWork, type WriteName } from './work.ts';

/** The store's methods that are work on the database, made of one function that runs a method by its name. */
export function createMethods(
  run: (name: keyof StoreWork, args: readonly unknown[]) => Promise<unknown>,
): Pick<Store, keyof StoreWork> {
  const names = Object.keys(STORE_WORK) as (keyof StoreWork)[];
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => run(name, args)])) as unknown as Pick<
    Store,
    keyof StoreWork
  >;
}

/** The work behind a method's name. The arguments are those of the method. */
export function workOf(name: keyof StoreWork, args: readonly unknown[]): SqlWork<unknown> {
  return (STORE_WORK[name] as (...args: readonly unknown[]) => SqlWork<unknown>)(...args);
}

/** What they take away is to leave the files soon. A hash that is put under another pepper is taken away, too: to be rid of it is why a pepper is changed. */
const REMOVALS: ReadonlySet<string> = new Set<WriteName>(['removeReport', 'erase', 'rehash']);

/** True for the writing methods after which something is still in the store's files that should not be. */
export function isRemoval(name: string): boolean {
  return REMOVALS.has(name);
}

/** True for the methods that write. */
export function isWrite(name: string): name is WriteName {
  return (WRITES as readonly string[]).includes(name);
}
