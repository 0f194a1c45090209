import { existsSync } from 'node:fs';
// @ts-expect-error: plain JavaScript
import { digestOfDistInputs, readRecord } from '../scripts/inputs.mjs';

/**
 * Runs once before all tests. Most tests need only src/; those of the program, the bench and the examples run dist/.
 */
export default function sayWhatIsNotBuilt(): void {
  const record = readRecord() as { dist?: string };
  if (!existsSync('src/core/hash/simd.generated.ts'))
    console.warn('The wasm is not built, so every test that hashes fails: run `npm run build:wasm`.');
  if (!existsSync('src/service/web/scripts.generated.ts'))
    console.warn('The scripts of pages are not built, so tests of src/service/web fail: run `npm run build:wasm`.');
  if (!existsSync('dist/cli.js') || !existsSync('dist/index.js'))
    console.warn('dist/ is not built, so tests of the program, bench/ and examples/ fail: run `npm run build`.');
  else if (record.dist !== digestOfDistInputs())
    console.warn('dist/ is older than src/, and tests of the program, bench/ and examples/ run it: `npm run build`.');
}
