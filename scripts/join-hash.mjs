// Joins dist/hash.js with the chunks that tsup split it into. Node takes .6 ms for each file of an import: three files less are
// a tenth of what the first four identifiers of a process take. The classes of errors stay where they are: an error that one
// door throws is the class that another one exports. What has no identity is in the chunks once more, for the other doors.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = new URL('../dist/', import.meta.url);
const holdsClasses = (chunk) => /= class extends /.test(readFileSync(new URL(chunk, dist), 'utf8'));

await build({
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  entryPoints: ['dist/hash.js'],
  outfile: 'dist/hash.js',
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'warning',
  plugins: [
    {
      name: 'classes-stay',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/chunk-/ }, ({ path }) => (holdsClasses(path) ? { path, external: true } : undefined)),
    },
  ],
});
