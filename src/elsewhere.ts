/**
 * `redflag/node` and `redflag/sqlite` in bundles for a browser or for workerd, which have no files and no servers. Each
 * function says what to use instead.
 */
import { refuseRuntime, refuseStore } from './core/domain/redflag-error.ts';

export const openFolderStore: () => Promise<never> = /* @__PURE__ */ refuseStore('openFolderStore');
export const openSqliteFile: () => Promise<never> = /* @__PURE__ */ refuseStore('openSqliteFile');
export const createSqliteStore: () => Promise<never> = /* @__PURE__ */ refuseStore('createSqliteStore');
export const createHashPool: () => never = /* @__PURE__ */ refuseRuntime(
  'createHashPool of redflag/node',
  'in a browser use createHashPool of redflag/browser, in workerd hashIdentifiers of redflag/hash',
);
export const createListener: () => never = /* @__PURE__ */ refuseRuntime(
  'createListener',
  'use createFetchHandler of redflag/http',
);
export const createGuardedServer: () => never = /* @__PURE__ */ refuseRuntime(
  'createGuardedServer',
  'use createFetchHandler of redflag/http',
);
export const createPlayground: () => never = /* @__PURE__ */ refuseRuntime(
  'createPlayground',
  'serve the files of dist/playground with a web server',
);
export const openClientFolder: () => never = /* @__PURE__ */ refuseRuntime(
  'openClientFolder',
  'use the private look-up in Node',
);

export { HashPoolError } from './core/hash/pool.ts';
export { FolderError } from './stores/holds/folder-error.ts';
export { FileInUseError, FolderInUseError } from './stores/holds/in-use.ts';
export { IdentifierError } from './core/identifiers/normalise.ts';
export { StoreFormatError } from './core/store/errors.ts';
