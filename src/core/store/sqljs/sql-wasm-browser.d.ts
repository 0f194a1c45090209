/** sql.js without `require`, which has the same API. @types/sql.js does not declare it. */
declare module 'sql.js/dist/sql-wasm-browser.js' {
  export { default } from 'sql.js';
}
