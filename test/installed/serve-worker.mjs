// node serve-worker.mjs FOLDER: serves the worker of FOLDER with its wrangler.jsonc, as `npx wrangler dev` does, on the
// port PORT of the loopback address, with the secret SECRET. Objects stay in the folder PERSIST, if it is set.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

const { Miniflare } = createRequire(new URL('../runtimes/', import.meta.url))('miniflare');
const folder = process.argv[2];
const text = await readFile(join(folder, 'wrangler.jsonc'), 'utf8');
// The format of tsconfig.json: with comments and trailing commas.
const { config } = ts.parseConfigFileTextToJson('wrangler.jsonc', text);

const { outputFiles } = await build({
  entryPoints: [join(folder, config.main)],
  bundle: true,
  write: false,
  format: 'esm',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['*.wasm'],
});
const kept = new Set(config.migrations.flatMap((migration) => migration.new_sqlite_classes));
const worker = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  compatibilityDate: config.compatibility_date,
  bindings: { ...config.vars, SECRET: process.env.SECRET ?? 'a secret of the test, at least sixteen bytes' },
  ...(process.env.PERSIST && { durableObjectsPersist: process.env.PERSIST }),
  durableObjects: Object.fromEntries(
    config.durable_objects.bindings.map(({ name, class_name: className }) => [
      name,
      { className, useSQLite: kept.has(className) },
    ]),
  ),
});
await worker.ready;
