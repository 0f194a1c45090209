// Records the inputs of each build. A part is rebuilt only if the content of its inputs has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORD = join(ROOT, 'build/record.json');
const SCRIPTS = join('src', 'service', 'web', 'scripts.generated.ts');

/**
 * Modules that the build replaces by nothing, because the program runs none of their code. prom-client requires the
 * first four for exemplars, summaries, clusters and its gateway, pino the others for redaction and transports.
 */
export const LEFT_OUT = [
  '@opentelemetry/api',
  'tdigest',
  './lib/cluster',
  './lib/pushgateway',
  '@pinojs/redact',
  'thread-stream',
];

/**
 * The digests `wasm`, `guides`, `scripts` and `dist` of the last build, and `parts`: names of the parts in dist.
 * Empty if there was none.
 */
export function readRecord() {
  return existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
}

export function writeRecord(record) {
  writeFileSync(RECORD, JSON.stringify(record));
}

export function digestOfWasmInputs() {
  return digestOf([
    'asconfig.json',
    'scripts/pack-module.mjs',
    'scripts/unroll-kernels.mjs',
    ...filesUnder('assembly').filter((file) => !file.includes('.generated.')),
  ]);
}

/** The guides that are pages of a service. */
export function digestOfGuideInputs() {
  return digestOf(['docs/protocol.md', 'docs/points.md', 'scripts/guide-pages.mjs']);
}

/** Scripts of pages may import any room that runs in browsers. */
export function digestOfScriptInputs() {
  return digestOf(['package.json', 'tsconfig.json', ...filesUnder('src').filter((file) => file !== SCRIPTS)]);
}

export function digestOfDistInputs() {
  return digestOf([
    'package.json',
    'tsconfig.json',
    'scripts/join-hash.mjs',
    'scripts/output-plugins.mjs',
    ...filesUnder('src'),
  ]);
}

function filesUnder(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

/** Digest of names and contents. The lock file represents the versions of the compilers. */
function digestOf(files) {
  const digest = createHash('sha256');
  for (const file of ['package-lock.json', 'scripts/build.mjs', ...files])
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return digest.digest('hex');
}
