import { rmSync } from 'node:fs';
import { defineConfig } from 'tsup';

// Two builds run side by side, so the folder is cleaned here, once, before either starts.
rmSync('dist', { recursive: true, force: true });

const doors = ['index', 'hash', 'doctor', 'scoring', 'protocol', 'client', 'http', 'sqljs', 'node'];

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
    // An ESM bundle cannot hold a CommonJS package that requires Node's modules; both stay dependencies.
    external: [/^node:/, 'sql.js', /^@noble\/hashes/],
  },
  {
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    removeNodeProtocol: false,
    banner: { js: '#!/usr/bin/env node' },
    external: ['sql.js', /^@noble\/hashes/, 'csv-parse'],
  },
]);
