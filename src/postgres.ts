/**
 * The store on a PostgreSQL server, which several processes may share.
 *
 * @module redflag/postgres
 */
export { StoreFormatError } from './core/store/errors.ts';
export { createPglitePool, type Pglite } from './stores/postgres/pglite.ts';
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './stores/postgres/pool.ts';
export type { PostgresNotice, ReplicaOptions } from './stores/postgres/replica.ts';
export { createPostgresStore, type PostgresStoreOptions } from './stores/postgres/store.ts';
