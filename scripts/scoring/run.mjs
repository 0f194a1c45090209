// Bundles a script of this folder, because Node 20 cannot run TypeScript, and runs it: `node run.mjs select --quick`.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [name] = process.argv.splice(2, 1);
const root = fileURLToPath(new URL('../..', import.meta.url));
const outfile = `${root}build/scoring/${name}.mjs`;
await build({
  entryPoints: [`${root}scripts/scoring/${name}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
await import(pathToFileURL(outfile));
