/**
 * `sql.js` in workerd, which compiles no bytes and which sql.js takes for a worker of a page. So the suites of the
 * engine run on the same store as everywhere. Programs use `createDurableObjectStore` instead.
 */
import initSqlJs from 'sql.js';
import wasm from 'sql.js/dist/sql-wasm-browser.wasm';

const start = () => {
  Object.assign(globalThis, { location: { href: 'https://reports.example/' } });
  return initSqlJs({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  } as object);
};
/** In the place of `core/store/sqljs/start.ts`. */
export const startSqlJs = async ({ sqlJs }: { readonly sqlJs?: object }): Promise<object> => sqlJs ?? start();
// oxlint-disable-next-line no-default-export -- in the place of the package's.
export default start;
