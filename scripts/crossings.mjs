// Prints how many files and functions of src/ one warm query and one warm report run through, on a store in a folder.
// Each source file is compiled by itself, so V8's coverage counts the project's own functions:
// node scripts/crossings.mjs [--list]
import { build } from 'esbuild';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'redflag-crossings-'));
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
await build({
  entryPoints: sources.map((name) => join(root, 'src', name)),
  outdir: join(out, 'src'),
  outbase: join(root, 'src'),
  format: 'esm',
  target: 'es2022',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  plugins: [
    {
      // Keep every import as an import, but of the compiled file.
      name: 'unbundled',
      setup: (builder) =>
        builder.onResolve({ filter: /^\./ }, ({ path, kind }) =>
          kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.mjs'), external: true },
        ),
    },
  ],
});
symlinkSync(resolve(root, 'node_modules'), join(out, 'node_modules'));
const load = (name) => import(pathToFileURL(join(out, 'src', name)).href);
const { createEngine, unwrap } = await load('index.mjs');
const { openFolderStore } = await load('node.mjs');
const { createFetchHandler } = await load('http.mjs');

const folder = join(out, 'data');
const engine = createEngine({
  store: await openFolderStore(folder),
  secret: 'a secret of sixteen bytes or more',
  publicUrl: 'https://reports.example',
  limits: { query: { requests: 1e6, windowSeconds: 60 }, report: { requests: 1e6, windowSeconds: 60 } },
  budgets: { identifiers: { verified: 1e9, new: 1e9 } },
});
const { reporterId } = unwrap(await engine.createReporter({ name: 'Corner Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
const hash = (n) => n.toString(16).padStart(40, '0');
const identifiers = (n) => ['email', 'ip', 'phone'].map((kind, at) => ({ kind, hash: hash(3 * n + at + 1) }));
const report = async (n) =>
  unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: `Text ${n}`, identifiers: identifiers(n) }));
const query = async (n) => unwrap(await engine.query({ apiKey, identifiers: identifiers(n) }));
const handle = createFetchHandler(engine);
const post = async (fields, n) => {
  for (const { kind, hash } of identifiers(n)) fields[kind] = hash;
  const request = new Request('http://localhost/api/', {
    method: 'POST',
    body: new URLSearchParams({ _api: apiKey, ...fields }),
  });
  return (await handle(request, { address: '127.0.0.1' })).text();
};
const postReport = (n) => post({ _action: 'report', _type: 'fraud', _value: '6', _text: `Text ${n}` }, n);
const postQuery = (n) => post({ _action: 'query' }, n);
for (let n = 0; n < 20; n++) {
  await report(n);
  await query(n);
  await postReport(100 + n);
  await postQuery(100 + n);
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
const crossed = async (work) => {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const base = pathToFileURL(join(out, 'src')).href;
  return result
    .filter(({ url }) => url.startsWith(base))
    .map(({ url, functions }) => ({
      file: relative(join(out, 'src'), fileURLToPath(url)).replace(/\.mjs$/, '.ts'),
      names: functions
        .filter(({ ranges }) => ranges[0].count > 0)
        .map(({ functionName }) => functionName || '(anonymous)'),
    }))
    .filter(({ names }) => names.length > 0);
};
for (const [name, work] of [
  ['query', () => query(3)],
  ['report', () => report(1000)],
  ['query over HTTP', () => postQuery(103)],
  ['report over HTTP', () => postReport(1001)],
]) {
  const files = await crossed(work);
  console.log(`${name}: ${files.length} files, ${files.reduce((sum, { names }) => sum + names.length, 0)} functions`);
  if (process.argv.includes('--list'))
    for (const { file, names } of files) console.log(`  ${file}: ${names.join(', ')}`);
}
await engine.close();
rmSync(out, { recursive: true, force: true });
