// Builds the named parts, or all of them:
// node scripts/build.mjs [wasm] [scripts] [programs] [twins] [playground] [types] [--clean]
//   wasm      assembly/ to build/*.wasm, and these, packed, to src/core/hash/*.generated.ts
//   scripts   src/service/web/scripts/ to src/service/web/scripts.generated.ts: the scripts of pages, with the hashes
//             in their names; guides to src/service/web/guides.generated.ts
//   programs  dist/cli.js and dist/DOOR.js, which share their chunks, the script of workers, redflag/hash for workerd,
//             and dist/openapi.json
//   twins     dist/DOOR.cjs
//   playground  dist/playground/: the static files of the playground (`npm run playground` prints where they are)
//   types     dist/DOOR.d.ts and dist/DOOR.d.cts, by far the slowest part
// Doors of core and stores also have a twin for require; those of lab, pages and sealed are ES modules alone.
// The parts of dist need wasm and scripts, and scripts need wasm. So every build makes these two first. A part is
// skipped if the content of its inputs has not changed since its last build. --clean rebuilds everything.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, parse, resolve } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  digestOfDistInputs,
  digestOfGuideInputs,
  digestOfScriptInputs,
  digestOfWasmInputs,
  LEFT_OUT,
  readRecord,
  writeRecord,
} from './inputs.mjs';
import { joinHash, writeHashForWorkerd, writeHashWorker } from './join-hash.mjs';
import { assertExports, breakLines, minifyStyles, shortenExports, toShortStyle } from './output-plugins.mjs';
import { packAsHex } from './pack-module.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));

/** The entries of the package, without the scripts of workers. */
const doors = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).exports)
  .filter(([entry]) => !entry.endsWith('.json') && !entry.endsWith('-worker'))
  .map(([entry, conditions]) => ({ name: entry === '.' ? 'index' : basename(entry), isTwin: 'require' in conditions }));
const entriesOf = (names) => Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
// `elsewhere` is redflag/node and redflag/sqlite for browsers and workerd.
const DOORS = entriesOf([...doors.map(({ name }) => name), 'elsewhere']);
const TWINS = entriesOf(doors.flatMap(({ name, isTwin }) => (isTwin ? [name] : [])).concat('elsewhere'));

/** An ESM bundle cannot hold a CommonJS package that requires Node's modules. These packages stay dependencies. */
const EXTERNAL = [/^sql\.js/, 'node-sqlite3-wasm', 'libsodium-wrappers-sumo', 'libphonenumber-js', 'pg'];
/** The twins include this: Jest and `--no-experimental-require-module` cannot require ES modules. */
const NOBLE = /^@noble\/hashes/;

/** Doors that programs use without an engine. Their chunks hold nothing else: bundlers drop only whole files. */
const USED_ALONE = [
  'elsewhere',
  'hash',
  'browser',
  'scoring',
  'protocol',
  'client',
  'sealed',
  'store',
  'doctor',
  'canonical',
];

/**
 * Returns the function that names the chunk of a module. Node takes .6 ms for each imported file. So what the engine
 * needs is one chunk for each set of the doors above that need it, too. The bundler splits the rest by entries.
 */
function createChunkNames() {
  const reached = new Map();
  const modulesOf = (door, graph) => {
    if (!reached.has(door)) {
      const modules = new Set([resolve(`src/${door}.ts`)]);
      for (const id of modules) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(next);
      reached.set(door, modules);
    }
    return reached.get(door);
  };
  return (id, graph) => {
    if (graph.getModuleInfo(id).isEntry || !modulesOf('index', graph).has(id)) return null;
    const users = USED_ALONE.map((door) => (modulesOf(door, graph).has(id) ? 1 : 0));
    return `engine${Number.parseInt(users.join(''), 2)}`;
  };
}

const SHARED_OPTIONS = {
  // `includeDependenciesRecursively: false` needs it. `assertExports` makes sure that no door exports more.
  preserveEntrySignatures: 'allow-extension',
  platform: 'neutral',
  tsconfig: true,
  resolve: {
    mainFields: ['module', 'main'],
    conditionNames: ['module', 'import'],
    alias: Object.fromEntries(LEFT_OUT.map((name) => [name, false])),
  },
};
const toOutput = () => ({
  dir: 'dist',
  // Entries of one format share classes: an error must have the same class in every entry.
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'engine', name: createChunkNames() }] },
  // Stack traces show the names of functions and classes.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { toplevel: true, keepNames: true },
    codegen: { removeWhitespace: true },
  },
  // Bundlers read annotations, such as PURE.
  comments: { annotation: true, legal: false, jsdoc: false },
});

/** For each part of dist: a file that it writes, and the function that builds it. */
const PARTS = {
  programs: { file: 'dist/cli.js', build: buildPrograms },
  twins: { file: 'dist/index.cjs', build: buildTwins },
  playground: { file: 'dist/playground/index.html', build: buildPlayground },
  types: { file: 'dist/index.d.ts', build: buildTypes },
};

async function buildPrograms() {
  const [{ rolldown }, { esmExternalRequirePlugin }] = await Promise.all([
    import('rolldown'),
    import('rolldown/plugins'),
  ]);
  const bundle = await rolldown({
    ...SHARED_OPTIONS,
    input: { ...DOORS, cli: 'src/service/cli/main.ts' },
    external: [...EXTERNAL, NOBLE],
    transform: { target: 'es2022' },
    // pino and prom-client are CommonJS packages, which require modules of Node.
    plugins: [
      minifyStyles,
      assertExports,
      breakLines,
      esmExternalRequirePlugin({ external: [/^node:/, ...builtinModules] }),
    ],
  });
  await Promise.all([
    bundle.write({
      ...toOutput(),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name]-[hash].js',
      banner: ({ name }) => (name === 'cli' ? '#!/usr/bin/env node' : ''),
    }),
    writeHashWorker(),
  ]);
  chmodSync('dist/cli.js', 0o755);
  await joinHash();
  writeHashForWorkerd();
  const { createOpenApi } = await import('../dist/http.js');
  writeFileSync('dist/openapi.json', `${JSON.stringify(createOpenApi())}\n`);
}

async function buildTwins() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    ...SHARED_OPTIONS,
    input: TWINS,
    external: [/^node:/, ...EXTERNAL],
    plugins: [assertExports, shortenExports, breakLines],
    // CommonJS has no `import.meta`: core/hash/node-workers.ts reads `__filename` instead, and browser.ts needs
    // `workerUrl`.
    transform: { target: 'es2022', define: { 'import.meta.url': 'undefined' } },
  });
  await bundle.write({
    ...toOutput(),
    format: 'cjs',
    exports: 'named',
    esModule: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunk-[name]-[hash].cjs',
  });
}

/** Static files for browsers, without a source map. The scripts of workers share their code with the page. */
async function buildPlayground() {
  const { build } = await import('esbuild');
  const folder = 'dist/playground';
  const shared = { bundle: true, format: 'esm', charset: 'utf8', logLevel: 'warning', target: 'es2022' };
  const [{ outputFiles }] = await Promise.all([
    build({ ...shared, entryPoints: ['src/service/playground/document.ts'], write: false, platform: 'neutral' }),
    build({
      ...shared,
      entryPoints: {
        playground: 'src/service/playground/main.tsx',
        'hash-worker': 'src/hash-worker.ts',
        'world-worker': 'src/service/playground/world-worker.ts',
      },
      outdir: folder,
      chunkNames: 'part-[hash]',
      splitting: true,
      minify: true,
      platform: 'browser',
      external: ['node:*'],
    }),
  ]);
  const script = Buffer.from(outputFiles[0].contents).toString('base64');
  const { FILES } = await import(`data:text/javascript;base64,${script}`);
  // The module of the same version as the bundled code: the dependency of an installed package may be newer.
  const module = readFileSync('node_modules/sql.js/dist/sql-wasm-browser.wasm');
  // Not .gz: some servers would say that a browser must decode it.
  writeFileSync(`${folder}/sql-wasm.bin`, gzipSync(module, { level: 9 }));
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(`${folder}/${name}`, name.endsWith('.css') ? await toShortStyle(text) : text);
}

/**
 * Writes each declaration once, for `require`. An ES module may import the types of a CommonJS module, but not the
 * other way round. Uses tsup, because the other bundlers write no declarations.
 */
async function buildTypes() {
  const { build } = await import('tsup');
  await build({
    entry: entriesOf(doors.map(({ name }) => name)),
    format: ['cjs'],
    outDir: 'dist',
    config: false,
    silent: true,
    dts: { only: true },
  });
  // npm packs what is in dist, so four spaces of each level are one tab.
  for (const file of readdirSync('dist').filter((name) => name.endsWith('.d.cts')))
    writeFileSync(
      `dist/${file}`,
      readFileSync(`dist/${file}`, 'utf8').replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
    );
  for (const { name, isTwin } of doors)
    if (isTwin) writeFileSync(`dist/${name}.d.ts`, `export * from './${name}.cjs';\n`);
    else renameSync(`dist/${name}.d.cts`, `dist/${name}.d.ts`);
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
    `src/core/hash/${module}.generated.ts`,
    `/** build/${module}.wasm (${bytes.length} bytes), packed, as hex, written by scripts/build.mjs. */\n` +
      `export const ${constant} =\n  '${packAsHex(bytes)}';\n`,
  );
}

/** The scripts of the panel's pages. One person loads several of them, so they share their code. */
const PANEL_SCRIPTS = ['many', 'panel'];
/** The list of providers of mail is a file of its own, which these and those of the panel load for domains only. */
const LOADING_SCRIPTS = ['dispute'];

/**
 * Bundles the files of src/service/web/scripts/, and the script of workers, for browsers, into one module of texts. A
 * script that is not of the panel is one file, because each page would wait for a second one. The list of providers of
 * mail is one that a page loads later.
 */
async function buildScripts() {
  const { build } = await import('esbuild');
  const names = readdirSync('src/service/web/scripts').map((file) => parse(file).name);
  const toEntry = (name) => `src/service/web/scripts/${name}.ts`;
  const options = {
    outdir: 'build/scripts',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  };
  const alone = names.filter((name) => ![...PANEL_SCRIPTS, ...LOADING_SCRIPTS].includes(name)).map(toEntry);
  const bundles = [
    // The workers of pages are those of the package.
    await build({ ...options, entryPoints: [...alone, 'src/hash-worker.ts'] }),
    await build({ ...options, entryPoints: PANEL_SCRIPTS.map(toEntry), splitting: true }),
    await build({ ...options, entryPoints: LOADING_SCRIPTS.map(toEntry), splitting: true }),
  ];
  const entries = bundles
    .flatMap(({ outputFiles }) => outputFiles)
    // The list of providers of mail is in several bundles.
    .filter(({ path }, at, all) => all.findIndex((other) => other.path === path) === at)
    .map(({ path, contents }) => `  { file: '${basename(path)}', gzip: '${toPackedText(contents)}' },\n`)
    .sort();
  const opening = '/** The bundles of src/service/web/scripts/, written by scripts/build.mjs. */';
  writeFileSync(SCRIPTS, `${opening}\nexport const SCRIPTS = [\n${entries.join('')}];\n`);
}

/** Returns what src/service/web/packed.ts unpacks. */
function toPackedText(text) {
  return gzipSync(text, { level: 9 }).toString('base64');
}

const SCRIPTS = 'src/service/web/scripts.generated.ts';
const GUIDES = 'src/service/web/guides.generated.ts';
const SHARED = ['wasm', 'scripts'];

const asked = process.argv.slice(2).filter((name) => name !== '--clean');
const known = [...SHARED, ...Object.keys(PARTS)];
if (asked.some((name) => !known.includes(name)))
  throw new Error(`expected ${known.join(', ')} or --clean, got another word`);
if (process.argv.includes('--clean'))
  for (const folder of ['build', 'dist']) rmSync(folder, { recursive: true, force: true });

const record = readRecord();
mkdirSync('build', { recursive: true });

let isQuiet = true;
/** Prints one line before the first part that is built. With nothing to build, the build is silent. */
function announce() {
  if (isQuiet) console.error('Building redflag. The first build takes up to a minute.');
  isQuiet = false;
}

const wasm = digestOfWasmInputs();
const isEmbedded = ['scalar', 'simd'].every((module) => existsSync(`src/core/hash/${module}.generated.ts`));
if (record.wasm !== wasm || !isEmbedded) {
  announce();
  await buildWasm();
  record.wasm = wasm;
  writeRecord(record);
}

const guides = digestOfGuideInputs();
if (record.guides !== guides || !existsSync(GUIDES)) {
  announce();
  const { renderGuide } = await import('./guide-pages.mjs');
  const parts = ['protocol', 'points'].map((name) => {
    const { html, headings } = renderGuide(readFileSync(`docs/${name}.md`, 'utf8'), name === 'points');
    const guide = { gzip: toPackedText(html), headings };
    return `export const ${name.toUpperCase()} = ${JSON.stringify(guide, undefined, 2)};\n`;
  });
  writeFileSync(GUIDES, `/** Guides as packed HTML, written by scripts/build.mjs. */\n${parts.join('')}`);
  record.guides = guides;
  writeRecord(record);
}

const scripts = digestOfScriptInputs();
if (record.scripts !== scripts || !existsSync(SCRIPTS)) {
  announce();
  await buildScripts();
  record.scripts = scripts;
  writeRecord(record);
}

const parts = asked.length > 0 ? asked.filter((name) => !SHARED.includes(name)) : Object.keys(PARTS);
if (parts.length > 0) {
  const dist = digestOfDistInputs();
  // Chunk names depend on their content, so a build of changed sources leaves old files.
  if (record.dist !== dist) {
    rmSync('dist', { recursive: true, force: true });
    Object.assign(record, { dist, parts: [] });
  }
  const missing = parts.filter((name) => !record.parts.includes(name) || !existsSync(PARTS[name].file));
  if (missing.length > 0) announce();
  await Promise.all(missing.map((name) => PARTS[name].build()));
  record.parts = [...new Set([...record.parts, ...missing])];
  writeRecord(record);
}
