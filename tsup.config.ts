import { rmSync } from 'node:fs';
import { defineConfig } from 'tsup';

// Two builds run side by side, so the folder is cleaned here, once, before either starts.
rmSync('dist', { recursive: true, force: true });

/** Development dependencies whose code is in the package (`NOTICE`). */
const LAB_LIBRARIES = [/^d3-/, 'simple-statistics'];

const doors = [
  'index',
  'hash',
  'doctor',
  'scoring',
  'protocol',
  'client',
  'http',
  'sqljs',
  'sqlite',
  'postgres',
  'lab',
  'node',
  'browser',
];

export default defineConfig([
  {
    entry: Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
    format: ['esm', 'cjs'],
    platform: 'neutral',
    target: 'es2022',
    dts: true,
    // CommonJS doors share their classes too: an error that one door throws is the class that another one exports.
    splitting: true,
    // `buffer` without its prefix is a package to a bundler, and unknown to Deno.
    removeNodeProtocol: false,
    // An ESM bundle cannot hold a CommonJS package that requires Node's modules; they stay dependencies.
    external: [/^node:/, 'sql.js', 'node-sqlite3-wasm', /^@noble\/hashes/],
    // ES modules only, which CommonJS cannot require; what the lab uses of them is small.
    noExternal: LAB_LIBRARIES,
    // CommonJS has no `import.meta`: hash/node-workers.ts takes `__filename` there, and browser.ts must be told `workerUrl`.
    esbuildOptions(options, { format }) {
      if (format === 'cjs') options.define = { ...options.define, 'import.meta.url': 'undefined' };
    },
  },
  {
    // The scripts of workers: one file each, for wherever a bundler or a server puts it.
    entry: { 'hash-worker': 'src/hash-worker.ts', 'hash-worker-node': 'src/hash/node-worker.ts' },
    format: ['esm'],
    platform: 'neutral',
    target: 'es2022',
    splitting: false,
    removeNodeProtocol: false,
    external: [/^node:/],
  },
  {
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    splitting: true,
    platform: 'node',
    target: 'node20',
    removeNodeProtocol: false,
    banner: { js: '#!/usr/bin/env node' },
    external: ['sql.js', 'node-sqlite3-wasm', 'pg', /^@noble\/hashes/, 'csv-parse'],
    noExternal: LAB_LIBRARIES,
  },
]);
