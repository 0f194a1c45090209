/**
 * The store in a Durable Object of Cloudflare Workers. It needs no compatibility flag.
 *
 * @module redflag/durable-object
 */
export { StoreFormatError } from './core/store/errors.ts';
export type { DurableObjectCursor, DurableObjectSql, DurableObjectStorage } from './stores/durable-object/driver.ts';
export {
  createDurableObjectStore,
  type DurableObjectStore,
  type DurableObjectStoreOptions,
} from './stores/durable-object/store.ts';
