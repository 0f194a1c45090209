// Turns each compiled module of build/ into a TypeScript file that holds it as base64: an import works the same in Node
// (ESM and CommonJS), browsers, Bun, Deno and every bundler, where a file beside the script does not.
import { readFileSync, writeFileSync } from 'node:fs';

const kernels = ['scalar'];

for (const kernel of kernels) {
  const source = new URL(`../build/${kernel}.wasm`, import.meta.url);
  const target = new URL(`../src/hash/${kernel}.generated.ts`, import.meta.url);
  const bytes = readFileSync(source);

  // asc adds an import as soon as the code can abort or needs the host; the hasher gives it none.
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  if (imports.length > 0) {
    const names = imports.map(({ module, name }) => `${module}.${name}`).join(', ');
    throw new Error(`build/${kernel}.wasm expected no imports, got ${names}`);
  }

  const name = `${kernel.toUpperCase()}_WASM`;
  writeFileSync(
    target,
    `/** build/${kernel}.wasm (${bytes.length} bytes) as base64, written by scripts/embed-wasm.mjs. */\n` +
      `export const ${name} =\n  '${bytes.toString('base64')}';\n`,
  );
}
