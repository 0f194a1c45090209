import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a program of `children/` into one file that plain Node runs. Returns the path of this file. */
export async function buildChild(source: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    // The packages are found from here, not from the folder of the program.
    plugins: [
      {
        name: 'resolve',
        setup: (made) => {
          made.onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
            path.startsWith('node:') ? undefined : { path: import.meta.resolve(path), external: true },
          );
        },
      },
    ],
  });
  // A program in one file finds the WebAssembly of SQLite beside itself.
  const wasm = fileURLToPath(import.meta.resolve('sql.js/dist/sql-wasm.wasm'));
  await copyFile(wasm, join(dirname(outfile), 'sql-wasm.wasm'));
  return outfile;
}
