/**
 * The store on a PostgreSQL server, which several processes may share.
 *
 * @module redflag/postgres
 */
export { StoreFormatError } from './store/errors.ts';
export { createPglitePool, type Pglite } from './store/postgres/pglite.ts';
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './store/postgres/pool.ts';
export type { PostgresNotice, ReplicaOptions } from './store/postgres/replica.ts';
export { createPostgresStore, type PostgresStoreOptions } from './store/postgres/store.ts';
