export { StoreFormatError } from './store/sql/format-error.ts';
export { createPglitePool, type Pglite } from './store/postgres/pglite.ts';
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './store/postgres/pool.ts';
export { createPostgresStore, type PostgresStoreOptions } from './store/postgres/store.ts';
