import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import type { RemoteAnswer, RemoteCall } from './pages/storage.ts';
import { isLong } from '../budget.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** All that a page with a store asks for: its own scripts and workers, sql.js's file, WebAssembly, and a service. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const ERRORS: Readonly<Record<string, new (message: string) => Error>> = {
  RangeError,
  TypeError,
  StoreUnavailableError,
};

/** Serves `/`, a page that does what it is asked by {@link callIn}. It may send requests to `service`, an origin. */
export async function createStoragePage(service = ''): Promise<RequestListener> {
  const bundle = await build({
    entryPoints: [join(ROOT, 'test/browser/pages/storage.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  const script = bundle.outputFiles[0]!.contents;
  const wasm = await readFile(join(ROOT, 'node_modules/sql.js/dist/sql-wasm-browser.wasm'));
  return (request, response) => {
    response.setHeader('content-security-policy', `${POLICY} ${service}`);
    if (request.url === '/')
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script type="module" src="/storage.js"></script>');
    else if (request.url === '/storage.js') response.setHeader('content-type', 'text/javascript').end(script);
    else if (request.url === '/sql-wasm-browser.wasm') response.setHeader('content-type', 'application/wasm').end(wasm);
    else response.writeHead(404).end();
  };
}

/** Where in a tab something is to run. */
export type Place = 'page' | 'worker';

/** Where a page keeps a store, and whether it or its worker opens it. A worker on IndexedDB: `npm run test:long`. */
export const STORAGE_PLACES = (
  [
    ['indexeddb', 'page'],
    ['indexeddb', 'worker'],
    ['opfs', 'worker'],
  ] as const
).filter(([storage, place]) => isLong || !(storage === 'indexeddb' && place === 'worker'));

/** Calls a maker of `pages/storage.ts` there. An object with methods comes back as one whose methods run there. */
export async function callIn<T>(page: Page, place: Place, method: string, ...args: readonly unknown[]): Promise<T> {
  return (await send(page, place, { method, args })) as T;
}

async function send(page: Page, place: Place, call: RemoteCall): Promise<unknown> {
  const { value, object, error } = await page.evaluate<RemoteAnswer, readonly [Place, RemoteCall]>(
    ([where, asked]) => (where === 'page' ? callHere : callWorker)(asked),
    [place, call],
  );
  if (error)
    throw Object.assign(new (ERRORS[error.name] ?? Error)(error.message), { name: error.name, cause: error.cause });
  if (!object) return value;
  const methods = object.methods.map((method) => [
    method,
    (...args: readonly unknown[]) => send(page, place, { on: object.id, method, args }),
  ]);
  return { ...object.fields, ...Object.fromEntries(methods) };
}
