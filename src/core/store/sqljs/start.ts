import type { SqlJsConfig, SqlJsStatic } from 'sql.js';
import startWith from 'sql.js/dist/sql-wasm-browser.js';
import { StoreUnavailableError } from '../errors.ts';

/** The result of `initSqlJs()`. The type is structural, because the types of sql.js are a separate package. */
export interface StartedSqlJs {
  /** Opens a database from the bytes of a SQLite file; an empty one without bytes. */
  readonly Database: new (bytes?: ArrayLike<number> | null) => object;
}

export interface StartOptions {
  /** A started sql.js. Default: the package starts its own. */
  readonly sqlJs?: StartedSqlJs;
  /**
   * Returns where sql.js's `.wasm` file is: its address in a page, its path in Node. Needed in pages, and where a
   * bundler has moved the program away from the file.
   */
  readonly locateFile?: (file: string) => string;
}

type LocateFile = (file: string) => string;
type NodeModules = Pick<NodeJS.Process, 'getBuiltinModule'>;

/** The name of the file in Node, and its path in the package. */
const NAME = 'sql-wasm.wasm';
const IN_PACKAGE = `sql.js/dist/${NAME}`;
const NAME_IN_PAGES = 'sql-wasm-browser.wasm';

/**
 * Returns the given sql.js, or starts the package's own. Rejects with StoreUnavailableError if it cannot start. The
 * next call then tries again.
 */
export async function startSqlJs({ sqlJs, locateFile }: StartOptions): Promise<SqlJsStatic> {
  if (sqlJs) return sqlJs as SqlJsStatic;
  return START(locateFile);
}

/**
 * The code of sql.js is imported with this module, and only its WebAssembly is loaded at the first start. If the code
 * is imported on demand, Node 22 sometimes returns empty `exports`; it always does after the previous holder of the
 * folder was killed.
 */
const START = /* @__PURE__ */ createStart();

/**
 * sql.js starts once, and would also remember a failed start. While it loads its file itself, a failure is a second
 * rejection, which nothing can handle and which ends a Node process. So the file is loaded here first.
 */
export function createStart(): (locateFile: LocateFile | undefined) => Promise<SqlJsStatic> {
  const state: { started: Promise<SqlJsStatic> | undefined } = { started: undefined };
  const link = createLink();
  return async (locateFile) => {
    if (state.started) return state.started;
    const { module, place } = await load(locateFile);
    state.started ??= link(module).catch((cause: unknown) => {
      state.started = undefined;
      // jsdom has no TextDecoder.
      const isLack = cause instanceof ReferenceError;
      throw failure(isLack ? `it needs a global: ${cause.message}` : `${place} does not fit this version of it`, cause);
    });
    return state.started;
  };
}

/** What sql.js waits for. */
interface Link {
  readonly imports: WebAssembly.Imports;
  readonly done: (instance: WebAssembly.Instance) => void;
}

function createLink(): (module: WebAssembly.Module) => Promise<SqlJsStatic> {
  const state: { ready?: Promise<SqlJsStatic>; link?: Promise<Link | undefined> } = {};
  return async (module) => {
    state.link ??= new Promise((resolve) => {
      const instantiateWasm = (imports: WebAssembly.Imports, done: Link['done']): object => {
        resolve({ imports, done });
        return {};
      };
      state.ready = startWith({ instantiateWasm } as SqlJsConfig);
      // If the program has started sql.js before us, it asks for nothing.
      state.ready.then(
        () => resolve(undefined),
        () => resolve(undefined),
      );
    });
    const link = await state.link;
    if (link) link.done(await WebAssembly.instantiate(module, link.imports));
    return state.ready!;
  };
}

/** A compiled module, and where it was found. */
interface Loaded {
  readonly module: WebAssembly.Module;
  readonly place: string;
}

function load(locateFile: LocateFile | undefined): Promise<Loaded> {
  // workerd has `process`, but no files.
  const hasFiles = globalThis.navigator?.userAgent !== 'Cloudflare-Workers' && globalThis.process?.getBuiltinModule;
  return hasFiles ? loadFile(globalThis.process, locateFile) : fetchModule(locateFile);
}

async function loadFile(node: NodeModules, locateFile: LocateFile | undefined): Promise<Loaded> {
  const { readFile } = node.getBuiltinModule('node:fs/promises');
  const places = locateFile ? [String(locateFile(NAME))] : placesOf(node);
  let cause: unknown;
  for (const place of places) {
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await readFile(place.startsWith('file:') ? new URL(place) : place);
    } catch (error) {
      cause = error;
      continue;
    }
    return compile(place, () => WebAssembly.compile(bytes));
  }
  const what = locateFile
    ? `"locateFile" returned ${places.join()}, which cannot be read; return the path of a copy of ${IN_PACKAGE}`
    : `its file ${NAME} is not at ${places.join(' or ')}; copy node_modules/${IN_PACKAGE} beside your program, ` +
      'or set "locateFile" to return its path';
  throw failure(what, cause);
}

/** Returns where the file may be: beside this script, which may be a bundle, and in node_modules. */
function placesOf(node: NodeModules): string[] {
  // CommonJS has no `import.meta`, so use `__filename` there.
  const here = typeof __filename === 'string' ? __filename : import.meta.url;
  const { createRequire } = node.getBuiltinModule('node:module');
  const { fileURLToPath } = node.getBuiltinModule('node:url');
  const { dirname, join } = node.getBuiltinModule('node:path');
  const folder = dirname(here.startsWith('file:') ? fileURLToPath(here) : here);
  const { resolve } = createRequire(here);
  const places = [join(folder, NAME)];
  for (const find of [() => resolve(IN_PACKAGE), () => createRequire(resolve('redflag')).resolve(IN_PACKAGE)]) {
    try {
      places.push(find());
    } catch {
      // Not installed where this script is. A package manager may hide the dependencies of redflag from a bundle.
    }
  }
  return places;
}

async function fetchModule(locateFile: LocateFile | undefined): Promise<Loaded> {
  // A page or a worker. Without the option, the file is beside the script.
  const base = globalThis.document?.currentScript;
  const directory = base && 'src' in base ? base.src : globalThis.location?.href;
  let place = NAME_IN_PAGES;
  const advice =
    'in a page, set "locateFile" to the address of its .wasm file; ' +
    'in a Durable Object, use createDurableObjectStore of redflag/durable-object';
  try {
    place = locateFile ? String(locateFile(NAME_IN_PAGES)) : new URL(NAME_IN_PAGES, directory).href;
    const response = await fetch(place, { credentials: 'same-origin' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const isStreamed = /^application\/wasm\b/.test(response.headers.get('content-type') ?? '');
    // Streaming needs the right type. Without it, the bytes are compiled when all are there.
    return await compile(place, async () =>
      isStreamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()),
    );
  } catch (error) {
    throw failure(advice, error);
  }
}

async function compile(place: string, run: () => Promise<WebAssembly.Module>): Promise<Loaded> {
  try {
    return { module: await run(), place };
  } catch (error) {
    throw failure(`${place} is not the .wasm file of sql.js`, error);
  }
}

function failure(what: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`sql.js could not start; ${what}`, { cause });
}
