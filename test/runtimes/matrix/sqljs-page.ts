/** `sql.js` in a page, whose server has the `.wasm` file at the root. */
import initSqlJs, { type SqlJsConfig } from 'sql.js';

const start = (config: SqlJsConfig = {}) => initSqlJs({ locateFile: (file) => `/${file}`, ...config });
// oxlint-disable-next-line no-default-export -- in the place of the package's.
export default start;
