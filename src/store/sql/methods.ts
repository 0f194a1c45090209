import type { Store } from '../store.ts';
import type { SqlWork } from './statement.ts';
import { STORE_WORK, WRITES, type StoreWork, type WriteName } from './work.ts';

/** The store's methods that are work on the database, made of one function that runs a method by its name. */
export function createMethods(run: (name: keyof StoreWork, args: readonly unknown[]) => Promise<unknown>): Pick<Store, keyof StoreWork> {
  const names = Object.keys(STORE_WORK) as (keyof StoreWork)[];
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => run(name, args)])) as unknown as Pick<Store, keyof StoreWork>;
}

/** The work behind a method's name. The arguments are those of the method. */
export function workOf(name: keyof StoreWork, args: readonly unknown[]): SqlWork<unknown> {
  return (STORE_WORK[name] as (...args: readonly unknown[]) => SqlWork<unknown>)(...args);
}

/** True for the methods that write. */
export function isWrite(name: string): name is WriteName {
  return (WRITES as readonly string[]).includes(name);
}
