// Bundles for the benchmark of the sealed look-up. No door exports the operator's half.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const SHARED = { bundle: true, format: 'esm', logLevel: 'error' };

/** Writes `build/bench/sealed-parts.mjs`. */
export async function bundleParts() {
  await build({
    ...SHARED,
    entryPoints: [at('../scripts/bench/sealed-parts.ts')],
    outfile: at('../build/bench/sealed-parts.mjs'),
    platform: 'node',
    packages: 'external',
  });
}

/** Returns a script for a page, with `timeSteps` and our VOPRF as globals. */
export async function bundlePage() {
  const { outputFiles } = await build({
    ...SHARED,
    stdin: {
      contents: `import { timeSteps } from './sealed-steps.mjs';
        await globalThis.voprfReady;
        Object.assign(globalThis, { timeSteps });`,
      resolveDir: at('.'),
    },
    inject: [at('../scripts/bench/sealed-page.ts')],
    write: false,
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0].text;
}
