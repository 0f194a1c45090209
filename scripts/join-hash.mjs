// Joins dist/hash.js with its chunks. Node takes .6 ms for each imported file. Three files fewer save a tenth of the
// time that a fresh process takes for its first four identifiers. Chunks with error classes stay separate, because an
// error must have the same class in every entry. The other chunks also remain on disk for the other entries.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { breakLines, toShortLines } from './output-plugins.mjs';
import { packAsHex } from './pack-module.mjs';

const dist = new URL('../dist/', import.meta.url);
const holdsClasses = (chunk) => /= ?class extends /.test(readFileSync(new URL(chunk, dist), 'utf8'));

export async function joinHash() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: 'dist/hash.js',
    external: (id) => id.startsWith('./chunk-') && holdsClasses(id),
    plugins: [breakLines],
  });
  await bundle.write({
    file: 'dist/hash.js',
    format: 'esm',
    // The chunks are compressed already.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    comments: { annotation: true, legal: false, jsdoc: false },
  });
}

/** Writes dist/hash-worker.js: one file, because a bundler or a server may move it. */
export async function writeHashWorker() {
  const { outputFiles } = await build({
    entryPoints: ['src/hash-worker.ts'],
    outfile: 'dist/hash-worker.js',
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
    write: false,
  });
  mkdirSync(dist, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, await toShortLines(path, text));
}

/**
 * Writes dist/hash-workerd.js: dist/hash.js with its modules imported instead of embedded, because workerd compiles no
 * bytes at run time. Everything else, such as the chunks of error classes, stays the same.
 */
export function writeHashForWorkerd() {
  let script = readFileSync(new URL('hash.js', dist), 'utf8');
  for (const name of ['scalar', 'simd']) {
    const module = new URL(`../build/${name}.wasm`, import.meta.url);
    const [before, after, ...more] = script.split(packAsHex(readFileSync(module)));
    if (after === undefined || more.length > 0)
      throw new Error(`dist/hash.js expected build/${name}.wasm once, packed, got another number`);
    // Without the quotes.
    script = `import ${name}Module from './hash-${name}.wasm';\n${before.slice(0, -1)}${name}Module${after.slice(1)}`;
    copyFileSync(module, new URL(`hash-${name}.wasm`, dist));
  }
  writeFileSync(new URL('hash-workerd.js', dist), script);
}
