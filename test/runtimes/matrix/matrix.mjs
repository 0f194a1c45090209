// Runs the suites in every runtime and prints a table: npm run matrix -- [RUNTIME or SUITE ...]
//
// A suite is a list of test files, which are bundled with vitest's own runner and `expect` (vitest.ts, run.ts). So one
// mechanism serves every runtime. Install the runtimes first: npm install --prefix test/runtimes
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../../..');
/** In the package, so that bundles find the packages that they do not contain. */
const OUT = join(ROOT, 'build/matrix');
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(HERE, '../package.json'), 'utf8'));
const installed = (name) => join(HERE, '../node_modules', name);
const versionOf = (name) => ({ ...dependencies, ...devDependencies })[name].split('@').at(-1);

/** @typedef {'node' | 'page' | 'workerd'} Platform */

/** Every runtime: its version, the platform that its bundles are for, and a file without which it is not installed. */
export const RUNTIMES = [
  { name: 'Node 20', version: process.versions.node, platform: 'node', binary: process.execPath },
  ...['22', '24', '26'].map((major) => ({
    name: `Node ${major}`,
    version: versionOf(`node${major}`),
    platform: 'node',
    binary: join(installed(`node${major}`), 'bin/node'),
  })),
  { name: 'Bun', version: versionOf('bun'), platform: 'node', binary: join(installed('bun'), 'bin/bun') },
  {
    name: 'Deno',
    version: versionOf('deno'),
    platform: 'node',
    binary: join(installed('deno'), 'deno'),
    arguments: ['run', '--quiet', '--allow-all', '--node-modules-dir=manual'],
  },
  {
    name: 'workerd',
    version: versionOf('miniflare'),
    platform: 'workerd',
    binary: join(installed('miniflare'), 'package.json'),
  },
  { name: 'Chromium', version: '', platform: 'page', binary: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' },
];

/** Ordinary test files of a folder. */
const testFiles = (folder, isOne = () => true) =>
  readdirSync(join(ROOT, 'test', folder))
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('slow-'))
    .map((name) => join(ROOT, 'test', folder, name))
    .filter(isOne);
const named =
  (...names) =>
  (file) =>
    names.includes(basename(file, '.test.ts'));
const suite = (name) => [join(HERE, `${name}.suite.ts`)];
const NO_CONNECTIONS = { page: 'no connections to a server', workerd: 'no connections to a server' };
/** In CI, a missing server is a failure and no reason to skip. */
const hasPostgres =
  process.env.CI || existsSync('/usr/lib/postgresql') || spawnSync('pg_config', ['--bindir']).status === 0;
const NO_FILES = { page: 'no files', workerd: 'no files' };

/** Every suite: its files, and why a platform or a runtime cannot run it. */
export const SUITES = {
  hashing: {
    files: [
      ...suite('hash-door'),
      ...testFiles('hash', (file) => file.endsWith('/hashers.test.ts')),
      ...testFiles('identifiers', (file) => file.endsWith('/normalise.test.ts')),
    ],
  },
  'hashing: threads': {
    files: suite('hash-pool'),
    not: { page: 'no worker threads; test/browser has Web Workers', workerd: 'no threads' },
  },
  protocol: { files: [...testFiles('protocol'), ...testFiles('specification')] },
  engine: { files: testFiles('engine', (file) => !readFileSync(file, 'utf8').includes('postgres')) },
  'engine: PostgreSQL': { files: [], not: { node: 'npm test runs it on Node 20', ...NO_CONNECTIONS } },
  sealed: {
    files: [
      ...testFiles('sealed', named('encoding', 'group', 'keys', 'known-answers', 'manifest', 'rows', 'snapshot')),
      ...testFiles('sealed/client', named('query', 'tampering', 'transcript')),
    ],
    not: { workerd: 'libsodium compiles its WebAssembly when it starts' },
  },
  'sealed: service': { files: testFiles('sealed/service'), not: NO_FILES },
  'store: memory': { files: suite('store-memory') },
  'store: folder': { files: suite('store-folder'), not: NO_FILES },
  'store: SQLite file': { files: suite('store-sqlite-file'), not: NO_FILES },
  'store: node:sqlite': {
    files: suite('store-node-sqlite'),
    not: { 'Node 20': 'no node:sqlite', page: 'no node:sqlite', workerd: 'no node:sqlite' },
  },
  'store: PostgreSQL': {
    files: suite('store-postgres'),
    not: {
      'Node 20': 'npm test runs the whole contract',
      ...(hasPostgres ? {} : { node: 'PostgreSQL’s server is not installed' }),
      ...NO_CONNECTIONS,
    },
  },
  'store: browser': { files: suite('store-browser'), not: { node: 'no IndexedDB', workerd: 'no IndexedDB' } },
  'store: Durable Object': {
    files: suite('store-durable-object'),
    not: { node: 'no Durable Object', page: 'no Durable Object' },
  },
};

/** Replaces modules that a platform does not have. */
const replaced = (platform) => {
  const elsewhere = platform !== 'node';
  return [
    [/^vitest$/, 'vitest.ts'],
    [/^fast-check$/, 'fast-check.ts'],
    ...(elsewhere
      ? [
          [/^node:crypto$/, 'node-crypto.ts'],
          [/\/transport\.ts$/, 'transport.ts'],
        ]
      : []),
    ...(elsewhere ? [[/^sql\.js$/, platform === 'page' ? 'sqljs-page.ts' : 'sqljs-workerd.ts']] : []),
    ...(platform === 'workerd' ? [[/\/sqljs\/start\.ts$|^\.\/start\.ts$/, 'sqljs-workerd.ts']] : []),
  ];
};

/** @returns {import('esbuild').Plugin} */
const suitePlugin = (platform) => ({
  name: 'suite',
  setup({ onResolve, onLoad }) {
    for (const [filter, file] of replaced(platform))
      onResolve({ filter }, ({ importer }) =>
        importer.startsWith(HERE) && basename(importer) === file ? undefined : { path: join(HERE, file) },
      );
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice(0, -'?raw'.length)),
      namespace: 'raw',
    }));
    onLoad({ filter: /.*/, namespace: 'raw' }, ({ path }) => ({ contents: readFileSync(path), loader: 'text' }));
    if (platform !== 'workerd') return;
    // The build of redflag/hash for workerd imports its modules, too (scripts/build.mjs).
    onResolve({ filter: /\/(scalar|simd)\.generated\.ts$/ }, ({ path }) => ({ path, namespace: 'wasm' }));
    onLoad({ filter: /.*/, namespace: 'wasm' }, ({ path }) => {
      const name = basename(path, '.generated.ts');
      return { contents: `export { default as ${name.toUpperCase()}_WASM } from './${name}.wasm';` };
    });
    onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path: `./${basename(path)}`, external: true }));
  },
});

const ENTRIES = {
  node: 'process.stdout.write(JSON.stringify(await runSuite(FILES)) + "\\n", () => process.exit());',
  page: 'postMessage(await runSuite(FILES));',
  workerd: `import { createWorkerOf } from './workerd.ts';
    const { Suite, worker } = createWorkerOf(() => runSuite(FILES));
    export { Suite, worker as default };`,
};

/** Promises of files, by suite and platform. All runtimes of a platform share a bundle. */
const bundles = new Map();

/** Bundles a suite for a platform once and returns the file. */
function bundle(name, platform) {
  const key = `${name} ${platform}`;
  if (!bundles.has(key)) bundles.set(key, writeBundle(name, platform));
  return bundles.get(key);
}

async function writeBundle(name, platform) {
  const files = SUITES[name].files.map(
    (file) => `${JSON.stringify(relative(join(ROOT, 'test'), file))}: () => import(${JSON.stringify(file)})`,
  );
  const outfile = join(OUT, `${name.replaceAll(/\W+/g, '-')}.${platform}.mjs`);
  await build({
    stdin: {
      contents: `import { runSuite } from './run.ts';\nconst FILES = { ${files.join(', ')} };\n${ENTRIES[platform]}`,
      resolveDir: HERE,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: platform === 'node' ? 'node' : 'browser',
    conditions: platform === 'workerd' ? ['workerd', 'worker', 'browser'] : [],
    external: platform === 'node' ? ['sql.js', 'node-sqlite3-wasm', 'pg'] : [],
    ...(platform !== 'node' && {
      inject: [join(HERE, 'buffer.ts')],
      define: { 'process.env': '{}', global: 'globalThis' },
    }),
    plugins: [suitePlugin(platform)],
    logLevel: 'error',
  });
  return outfile;
}

const RUNNERS = {
  async node({ binary, arguments: first = [] }, file) {
    const { stdout } = await promisify(execFile)(binary, [...first, file], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
      timeout: 600_000,
      killSignal: 'SIGKILL',
      env: { ...process.env, SLOW: '', NO_COLOR: '1' },
    });
    return JSON.parse(stdout.trim().split('\n').at(-1));
  },

  async page({ binary }, file) {
    const { chromium } = await import('playwright-core');
    const wasm = readFileSync(join(ROOT, 'node_modules/sql.js/dist/sql-wasm-browser.wasm'));
    const answers = {
      '/': ['text/html', '<!doctype html>'],
      '/suite.js': ['text/javascript', readFileSync(file)],
      '/sql-wasm-browser.wasm': ['application/wasm', wasm],
    };
    const server = createServer(({ url }, response) => {
      const [type, body] = answers[url] ?? [];
      if (body === undefined) response.writeHead(404).end();
      else response.setHeader('content-type', type).end(body);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({ executablePath: binary, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      // In a worker: only workers have the private files of an origin.
      return await page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker('/suite.js', { type: 'module' });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
          }),
      );
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  },

  async workerd(_, file) {
    const { Miniflare } = createRequire(join(HERE, '../package.json'))('miniflare');
    const wasm = (name, path) => ({ type: 'CompiledWasm', path: join(OUT, name), contents: readFileSync(path) });
    const miniflare = new Miniflare({
      modulesRoot: OUT,
      modules: [
        { type: 'ESModule', path: file },
        wasm('scalar.wasm', join(ROOT, 'build/scalar.wasm')),
        wasm('simd.wasm', join(ROOT, 'build/simd.wasm')),
        wasm('sql-wasm-browser.wasm', join(ROOT, 'node_modules/sql.js/dist/sql-wasm-browser.wasm')),
      ],
      // No compatibility flag: the package needs none.
      compatibilityDate: '2026-04-01',
      durableObjects: { SUITE: { className: 'Suite', useSQLite: true } },
    });
    try {
      const response = await miniflare.dispatchFetch('http://localhost/');
      const body = await response.text();
      if (!response.ok) throw new Error(body);
      return JSON.parse(body);
    } finally {
      await miniflare.dispose();
    }
  },
};

/** Returns why a runtime cannot run here; undefined if it can. */
export const notInstalled = ({ binary }) => (existsSync(binary) ? undefined : 'not installed');

/** Returns why a runtime cannot run a suite, even if it is installed; undefined if it can. */
export const notFor = ({ name, platform }, suiteName) => {
  const { not } = SUITES[suiteName];
  return not?.[name] ?? not?.[platform];
};

/**
 * Runs a suite in a runtime and returns its result (`SuiteResult` of run.ts). `reason`: why it cannot run there.
 */
export async function runCell(runtime, name) {
  const reason = notInstalled(runtime) ?? notFor(runtime, name);
  if (reason !== undefined) return { reason, passed: 0, failed: [], skipped: [] };
  mkdirSync(OUT, { recursive: true });
  const file = await bundle(name, runtime.platform);
  return RUNNERS[runtime.platform](runtime, file);
}

/** Returns the text of a cell, such as `142 passed` or `skipped: no files`. */
export function textOf({ reason, passed, failed, skipped }) {
  if (reason !== undefined) return `skipped: ${reason}`;
  const reasons = [...new Set(skipped.map((one) => one.reason))].join(', ');
  if (passed === 0 && failed.length === 0) return `skipped: ${reasons}`;
  return [
    `${passed} passed`,
    ...(failed.length > 0 ? [`${failed.length} FAILED`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped: ${reasons}`] : []),
  ].join(', ');
}

/** Failures of a suite that are printed. */
const SHOWN = 10;

async function main(asked) {
  const chosen = (names) => {
    const some = names.filter((name) => asked.some((one) => name.toLowerCase().startsWith(one.toLowerCase())));
    return some.length > 0 ? some : names;
  };
  const runtimes = chosen(RUNTIMES.map(({ name }) => name));
  const suites = chosen(Object.keys(SUITES));
  const width = Math.max(...suites.map((name) => name.length));
  for (const runtime of RUNTIMES.filter(({ name }) => runtimes.includes(name))) {
    process.stdout.write(`\n${runtime.name} ${runtime.version}\n`);
    for (const name of suites) {
      const cell = await runCell(runtime, name).catch((error) => ({
        passed: 0,
        failed: [{ name: 'the suite did not end', error: error.message }],
        skipped: [],
      }));
      process.stdout.write(`  ${name.padEnd(width)}  ${textOf(cell)}\n`);
      for (const { name: test, error } of cell.failed.slice(0, SHOWN))
        process.stdout.write(`    ${test}\n${error.replace(/^/gm, '      ')}\n`);
      if (cell.failed.length > 0 || cell.reason === 'not installed') process.exitCode = 1;
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
