/**
 * The store in a Durable Object of Cloudflare Workers. It needs no compatibility flag.
 *
 * @module redflag/durable-object
 */
export { StoreFormatError } from './store/errors.ts';
export type { DurableObjectCursor, DurableObjectSql, DurableObjectStorage } from './store/durable-object/driver.ts';
export {
  createDurableObjectStore,
  type DurableObjectStore,
  type DurableObjectStoreOptions,
} from './store/durable-object/store.ts';
