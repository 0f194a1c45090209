// Turns each compiled module of build/ into a TypeScript file that holds it as hex: an import works the same in Node
// (ESM and CommonJS), browsers, Bun, Deno and every bundler, where a file beside the script does not.
import { readFileSync, writeFileSync } from 'node:fs';

const modules = ['scalar', 'simd'];

for (const module of modules) {
  const source = new URL(`../build/${module}.wasm`, import.meta.url);
  const target = new URL(`../src/hash/${module}.generated.ts`, import.meta.url);
  const bytes = readFileSync(source);

  // asc adds an import as soon as the code can abort or needs the host; the hasher gives it none.
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  if (imports.length > 0) {
    const names = imports.map((entry) => `${entry.module}.${entry.name}`).join(', ');
    throw new Error(`build/${module}.wasm expected no imports, got ${names}`);
  }

  const name = `${module.toUpperCase()}_WASM`;
  writeFileSync(
    target,
    `/** build/${module}.wasm (${bytes.length} bytes) as hex, written by scripts/embed-wasm.mjs. */\n` +
      `export const ${name} =\n  '${bytes.toString('hex')}';\n`,
  );
}
