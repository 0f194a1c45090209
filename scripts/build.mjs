// Builds the named parts, or all of them: node scripts/build.mjs [wasm] [programs] [doors] [types] [--clean]
//   wasm      assembly/ to build/*.wasm, and these as hex to src/hash/*.generated.ts
//   programs  dist/cli.js and the scripts of workers: everything that `npm start` runs
//   doors     dist/DOOR.js and dist/DOOR.cjs
//   types     dist/DOOR.d.ts and dist/DOOR.d.cts, by far the slowest part
// The parts of dist need the wasm, so it is built first. A part is skipped if the content of its inputs has not changed
// since its last build. --clean rebuilds everything.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { digestOfDistInputs, digestOfWasmInputs, readRecord, writeRecord } from './inputs.mjs';
import { joinHash } from './join-hash.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));

/**
 * Development dependencies whose code is included in the package (`NOTICE`). The program also includes pino and
 * prom-client.
 */
const LAB_LIBRARIES = [/^d3-/, 'simple-statistics'];

/** The entries of the package, without the scripts of workers. Their order decides which code is in which chunk. */
const doors = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).exports)
  .filter((entry) => !entry.endsWith('.json') && !entry.endsWith('-worker'))
  .map((entry) => (entry === '.' ? 'index' : basename(entry)));

const DOORS = {
  entry: Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  // CommonJS entries also share classes: an error must have the same class in every entry.
  splitting: true,
  // Without its prefix, bundlers treat `buffer` as a package, and Deno does not know it.
  removeNodeProtocol: false,
  // An ESM bundle cannot hold a CommonJS package that requires Node's modules. These packages stay dependencies.
  external: [/^node:/, 'sql.js', 'node-sqlite3-wasm', /^@noble\/hashes/],
  // These are ES modules, which CommonJS cannot require. The lab uses only a small part of them.
  noExternal: LAB_LIBRARIES,
  // CommonJS has no `import.meta`: hash/node-workers.ts reads `__filename` instead, and browser.ts needs `workerUrl`.
  esbuildOptions(options, { format }) {
    if (format === 'cjs') options.define = { ...options.define, 'import.meta.url': 'undefined' };
  },
  config: false,
  silent: true,
};

const REQUIRE = "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);";

/** For each part of dist: a file that it writes, and the function that builds it. */
const PARTS = {
  programs: { file: 'dist/cli.js', build: buildPrograms },
  doors: { file: 'dist/index.cjs', build: buildDoors },
  types: { file: 'dist/index.d.ts', build: buildTypes },
};

async function buildPrograms() {
  const { build } = await import('esbuild');
  const shared = { bundle: true, format: 'esm', outdir: 'dist', logLevel: 'warning' };
  await Promise.all([
    build({
      ...shared,
      entryPoints: { cli: 'src/cli/main.ts' },
      // The command shares no file with the doors, so it is a third of the package.
      minifySyntax: true,
      splitting: true,
      platform: 'node',
      target: 'node20',
      // pino and prom-client are CommonJS packages, which require modules of Node.
      banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
      external: ['sql.js', 'node-sqlite3-wasm', 'pg', '@noble/hashes', 'csv-parse'],
    }),
    // One file each, because a bundler or a server may move it.
    build({
      ...shared,
      entryPoints: { 'hash-worker': 'src/hash-worker.ts', 'hash-worker-node': 'src/hash/node-worker.ts' },
      platform: 'neutral',
      target: 'es2022',
      external: ['node:*'],
    }),
  ]);
  chmodSync('dist/cli.js', 0o755);
}

/** Uses tsup, because esbuild cannot split CommonJS. */
async function buildDoors() {
  const { build } = await import('tsup');
  await build(DOORS);
  await joinHash();
}

async function buildTypes() {
  const { build } = await import('tsup');
  await build({ ...DOORS, dts: { only: true } });
}

/** Compiles both modules in one process, so that V8 optimises the compiler only once. */
async function buildWasm() {
  await import('./unroll-kernels.mjs');
  const { default: asc } = await import('assemblyscript/asc');
  for (const [module, source] of [
    ['scalar', 'assembly/chain.ts'],
    ['simd', 'assembly/simd.ts'],
  ]) {
    const { error, stderr } = await asc.main([source, '--target', module]);
    if (error) throw new Error(`asc cannot compile ${source}: ${stderr}`, { cause: error });
    embed(module);
  }
}

/**
 * Embeds a module in a script. Every runtime and bundler finds a separate file differently, but an import works the
 * same in all of them.
 */
function embed(module) {
  const bytes = readFileSync(`build/${module}.wasm`);
  // asc adds an import if the code can abort or needs the host. The hasher provides no imports.
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map((entry) => entry.name);
  if (imports.length > 0) throw new Error(`build/${module}.wasm expected no imports, got ${imports.join(', ')}`);
  const constant = `${module.toUpperCase()}_WASM`;
  writeFileSync(
    `src/hash/${module}.generated.ts`,
    `/** build/${module}.wasm (${bytes.length} bytes) as hex, written by scripts/build.mjs. */\n` +
      `export const ${constant} =\n  '${bytes.toString('hex')}';\n`,
  );
}

const asked = process.argv.slice(2).filter((name) => name !== '--clean');
const unknown = asked.filter((name) => name !== 'wasm' && !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`expected wasm, ${Object.keys(PARTS).join(', ')} or --clean, got another word`);
if (process.argv.includes('--clean'))
  for (const folder of ['build', 'dist']) rmSync(folder, { recursive: true, force: true });

const record = readRecord();
mkdirSync('build', { recursive: true });

const wasm = digestOfWasmInputs();
const isEmbedded = ['scalar', 'simd'].every((module) => existsSync(`src/hash/${module}.generated.ts`));
if (record.wasm !== wasm || !isEmbedded) {
  await buildWasm();
  record.wasm = wasm;
  writeRecord(record);
}

const parts = asked.length > 0 ? asked.filter((name) => name !== 'wasm') : Object.keys(PARTS);
if (parts.length > 0) {
  const dist = digestOfDistInputs();
  // Chunk names depend on their content, so a build of changed sources leaves old files.
  if (record.dist !== dist) {
    rmSync('dist', { recursive: true, force: true });
    Object.assign(record, { dist, parts: [] });
  }
  const missing = parts.filter((name) => !record.parts.includes(name) || !existsSync(PARTS[name].file));
  await Promise.all(missing.map((name) => PARTS[name].build()));
  record.parts = [...new Set([...record.parts, ...missing])];
  writeRecord(record);
}
