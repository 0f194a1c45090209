import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACKAGES, reasonToSkip } from './installed/install.ts';

// What a user gets: the tarball of the built package, installed into an empty project.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSUMER = join(ROOT, 'test/consumer');
const DOORS = [
  'redflag',
  'redflag/browser',
  'redflag/canonical',
  'redflag/client',
  'redflag/doctor',
  'redflag/durable-object',
  'redflag/hash',
  'redflag/http',
  'redflag/lab',
  'redflag/node',
  'redflag/operator',
  'redflag/pages',
  'redflag/postgres',
  'redflag/protocol',
  'redflag/scoring',
  'redflag/sealed',
  'redflag/sqlite',
  'redflag/sqljs',
  'redflag/store',
];
/** Doors without a twin for require. */
const MODULES_ONLY = ['redflag/lab', 'redflag/pages', 'redflag/sealed'];
const DOCUMENTS = ['dist/openapi.json', 'LICENSE', 'NOTICE', 'README.md', 'docs/protocol.md'];
const KNOWN_HASH = 'e6046ea1e61328d5ad100fdf7507b841b5112932';

let folder: string;
let project: string;
let files: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redflag-package-'));
  project = join(folder, 'project');
  await mkdir(project);
  // Without scripts: prepack would build dist anew under the feet of the other tests.
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT);
  const [{ filename, files: listed }] = JSON.parse(packed.out) as [{ filename: string; files: { path: string }[] }];
  files = listed.map(({ path }) => path);
  await writeFile(join(project, 'package.json'), '{ "name": "empty-project", "private": true }\n');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename)], project);
  await cp(CONSUMER, project, { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  it('holds the build, the examples, the documents and nothing else', async () => {
    const tracked = (await run('git', ['ls-files', 'examples'], ROOT)).out.trim().split('\n');
    // npm packs no file of this name.
    const packed = tracked.filter((file) => !file.endsWith('.gitignore')).sort();
    expect(files.filter((file) => file.startsWith('examples/')).sort()).toEqual(packed);
    const other = files.filter(
      (file) =>
        !/^(dist\/[a-zA-Z0-9_-]+\.(js|cjs|d\.ts|d\.cts|wasm)|dist\/playground\/[\w-]+\.(js|css|html|bin)|examples\/.+)$/.test(
          file,
        ) && file !== 'package.json',
    );
    expect(DOCUMENTS).toEqual(expect.arrayContaining(other));
    expect(other).toEqual(expect.arrayContaining(['dist/openapi.json', 'LICENSE', 'docs/protocol.md']));
    for (const door of DOORS) {
      const name = door === 'redflag' ? 'index' : door.slice('redflag/'.length);
      const endings = MODULES_ONLY.includes(door) ? ['js', 'd.ts'] : ['js', 'cjs', 'd.ts', 'd.cts'];
      const own = files.filter((file) => file.startsWith(`dist/${name}.`)).map((file) => file.slice(name.length + 6));
      expect(own.sort(), door).toEqual(endings.sort());
    }
  });

  it('names no place of the machine that made it, and no map that would', async () => {
    for (const file of files) {
      // The playground includes sql.js, which names the home folder of its virtual file system.
      const text = (await readFile(join(project, 'node_modules/redflag', file), 'utf8')).replaceAll(
        '/home/web_user',
        '',
      );
      expect(text.includes(ROOT), file).toBe(false);
      // A document or the file of a service may show such a path.
      if (!/\.md$|^examples\/deploy\//.test(file))
        expect(text, file).not.toMatch(/file:\/\/\/|sourceMappingURL|\/(home|root|work|Users)\//);
    }
  });

  it('may be published, says what it needs and asks for ranges that move', async () => {
    const manifest = JSON.parse(await readFile(join(project, 'node_modules/redflag/package.json'), 'utf8')) as {
      private?: boolean;
      license: string;
      engines: { node: string };
      dependencies: Record<string, string>;
      peerDependencies?: unknown;
      peerDependenciesMeta?: unknown;
    };
    expect(manifest.private).toBeUndefined();
    expect(manifest.license).toBe('MIT');
    expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0');
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@noble/hashes',
      'libsodium-wrappers-sumo',
      'node-sqlite3-wasm',
      'sql.js',
    ]);
    // Of node-sqlite3-wasm the lock and the texts of errors are relied on, so another version is a change of this
    // package.
    for (const [name, range] of Object.entries(manifest.dependencies))
      expect(range, name).toMatch(name === 'node-sqlite3-wasm' ? /^\d+\.\d+\.\d+$/ : /^\^\d+\.\d+\.\d+$/);
    // Named so that a version that does not fit is noticed; who does not use them installs nothing.
    expect(manifest.peerDependencies).toEqual({ 'libphonenumber-js': '^1.11.0', pg: '^8.11.0' });
    expect(manifest.peerDependenciesMeta).toEqual({ 'libphonenumber-js': { optional: true }, pg: { optional: true } });
  });

  it('brings its four dependencies and no more', async () => {
    const names = (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(names.sort()).toEqual([
      '@noble',
      'libsodium-sumo',
      'libsodium-wrappers-sumo',
      'node-sqlite3-wasm',
      'redflag',
      'sql.js',
    ]);
    expect((await readdir(join(project, 'node_modules/@noble'))).sort()).toEqual(['hashes']);
  });
});

describe('the installed package', () => {
  it.each(['from-esm.mjs', 'from-cjs.cjs'])('every door does its work %s', async (script) => {
    expect(await run(process.execPath, [script, join(folder, `data-${script}`)], project)).toEqual({
      out: 'every door works\n',
      err: '',
    });
  });

  it('runs as a program', async () => {
    const npx = (...args: string[]) => run('npx', ['--no', 'redflag', ...args], project);
    expect((await npx('hash', 'client@example.com', 'Client @ Example.com')).out).toBe(
      `${KNOWN_HASH}\n${KNOWN_HASH}\n`,
    );
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect((await npx('--', '--version')).out).toBe(`${version}\n`);
    expect((await npx('--', '--help')).out).toMatch(/redflag serve[^]+redflag hash[^]+redflag doctor[^]+redflag keys/);
  });
});

describe('the script of workers', () => {
  it('dist/hash-worker.js is one file', async () => {
    const text = await readFile(join(project, 'node_modules/redflag/dist/hash-worker.js'), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map((match) => match[1]);
    expect(imports).toEqual([]);
  });

  it('has a name, and a bundler keeps what it does', async () => {
    const resolved = await run(process.execPath, ['-p', `require.resolve('redflag/hash-worker')`], project);
    expect(resolved.out.trim()).toBe(join(await realpath(project), 'node_modules/redflag/dist/hash-worker.js'));
    const { outputFiles } = await build({
      stdin: { contents: `import 'redflag/hash-worker'`, resolveDir: project },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    expect(outputFiles[0]!.text).toContain('globalThis.addEventListener("message"');
  });

  it('serves a program that was bundled into one file and says where the script is', async () => {
    const code = `import { createRequire } from 'node:module'; import { createHashPool } from 'redflag/node';
      const workerUrl = createRequire(import.meta.url).resolve('redflag/hash-worker');
      for (const options of [{ workerUrl }, {}]) await createHashPool({ size: 1, ...options }).hashIdentifiers(['client@example.com']).then(console.log, ({ message }) => console.log(message));`;
    await build({
      stdin: { contents: code, resolveDir: project },
      bundle: true,
      outfile: join(project, 'bundled.mjs'),
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      external: ['sql.js'],
    });
    const { out } = await run(process.execPath, ['bundled.mjs'], project);
    expect(out).toContain(`[ '${KNOWN_HASH}' ]`);
    expect(out).toMatch(
      /a hash worker ended before [^]+Cannot find module[^]+pass the script redflag\/hash-worker as workerUrl\n$/,
    );
  });
});

describe('a program in one file for Node', () => {
  it.each(['cjs', 'mjs'])('finds the file of sql.js, or says what to copy (%s)', async (ending) => {
    await build({
      entryPoints: [join(project, 'one-file.mjs')],
      bundle: true,
      outfile: join(project, `out/app.${ending}`),
      format: ending === 'cjs' ? 'cjs' : 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    const alone = await mkdtemp(join(folder, 'alone-'));
    const start = (cwd: string) => run(process.execPath, [`app.${ending}`, join(alone, 'data')], cwd);
    expect(await start(join(project, 'out'))).toEqual({ out: 'opened\nopened\nalive redflag.journal\n', err: '' });

    await cp(join(project, `out/app.${ending}`), join(alone, `app.${ending}`));
    const refusal = `StoreUnavailableError: sql.js could not start; its file sql-wasm.wasm is not at ${await realpath(alone)}/sql-wasm.wasm; copy node_modules/sql.js/dist/sql-wasm.wasm beside your program, or set "locateFile" to return its path\n`;
    expect(await start(alone)).toEqual({ out: `${refusal}${refusal}alive redflag.journal\n`, err: '' });

    await cp(join(project, 'node_modules/sql.js/dist/sql-wasm.wasm'), join(alone, 'sql-wasm.wasm'));
    expect(await start(alone)).toEqual({ out: 'opened\nopened\nalive redflag.journal\n', err: '' });
  });
});

const noJest = reasonToSkip(join(PACKAGES, 'jest'), join(PACKAGES, 'jest-environment-jsdom'));
if (noJest !== undefined) console.warn(`test/slow-package.test.ts, test runners: skipped: ${noJest}`);

describe.skipIf(noJest !== undefined)('a test runner without configuration', () => {
  const jest = join(PACKAGES, 'jest/bin/jest.js');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  it.each([
    ['Jest in Node', jest, ['--env=node', 'doors.test.cjs']],
    ['Jest in jsdom', jest, ['--env=jsdom', 'doors.test.cjs']],
    ['Jest in Node, modules', '--experimental-vm-modules', [jest, '--env=node', 'doors.test.mjs']],
    ['Jest in jsdom, modules', '--experimental-vm-modules', [jest, '--env=jsdom', 'doors.test.mjs']],
    ['Vitest', vitest, ['run', '--globals', 'doors.test']],
  ])('loads every door (%s)', async (_, first, more) => {
    // A failed test, or none, is another exit code.
    const { out, err } = await run(process.execPath, [first, ...more], project);
    expect(`${out}${err}`).toContain(' passed');
  });
});

describe('what a bundler makes of a door', () => {
  /** The packages and Node modules that end up in a page's script. */
  async function importsOf(statement: string): Promise<string[]> {
    const { metafile } = await build({
      stdin: { contents: statement, resolveDir: project },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      external: ['node:*', 'fs', 'path', 'crypto'],
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs).flatMap(
      (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    );
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    return [...new Set([...inputs, ...outside])].filter((name) => name !== 'redflag').sort();
  }

  it.each([
    ['redflag/hash', []],
    ['redflag/canonical', []],
    ['redflag/doctor', ['@noble/hashes']],
    ['redflag/scoring', []],
    ['redflag/protocol', []],
    ['redflag/client', []],
    // On demand. libsodium asks for Node's crypto only in Node.
    ['redflag/sealed', ['@noble/hashes', 'crypto', 'libsodium-sumo', 'libsodium-wrappers-sumo']],
    ['redflag/browser', []],
    ['redflag', ['@noble/hashes']],
    ['redflag/operator', ['@noble/hashes']],
    ['redflag/store', ['@noble/hashes']],
    ['redflag/http', ['@noble/hashes']],
    ['redflag/lab', ['@noble/hashes']],
    ['redflag/postgres', ['@noble/hashes']],
    ['redflag/durable-object', ['@noble/hashes']],
    ['redflag/pages', ['@noble/hashes']],
  ])('%s brings nothing but %j', async (door, expected) => {
    expect(await importsOf(`export * from '${door}'`)).toEqual(expected);
  });

  it('redflag/sqljs names Node only where sql.js does', async () => {
    expect(await importsOf(`export * from 'redflag/sqljs'`)).toEqual(expect.arrayContaining(['sql.js']));
    const portable = [
      ...DOORS.map((door) => door.split('/')[1] ?? 'index'),
      'hash-worker',
      'hash-workerd',
      'elsewhere',
    ].flatMap((name) => (name === 'node' || name === 'sqlite' ? [] : [`dist/${name}.js`, `dist/${name}.cjs`]));
    for (const file of files.filter((name) => portable.includes(name))) {
      for (const text of await graphOf(file))
        // The page of the protocol has samples in it, such as a call of require that is followed by another.
        expect(text, file).not.toMatch(
          /(from|import\(|require\()\s*['"](node:|fs|path|net|buffer|crypto|http|util)\w*['"](?!\)\.createHash)/,
        );
    }
  });

  it.each(DOORS)('%s leaves nothing behind when nothing of it is used', async (door) => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import '${door}'; import * as all from '${door}'; export const one = 1;`,
        resolveDir: project,
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    expect(
      outputFiles[0]!.text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('//'))
        .join(' '),
    ).toMatch(/^var one = 1; export \{ +one \};$/);
  });

  it('no door but redflag/hash compiles a hasher when it is loaded', async () => {
    // redflag/sqlite compiles SQLite.
    const others = DOORS.filter((door) => door !== 'redflag/hash' && door !== 'redflag/sqlite');
    const program = `
      let compiled = 0;
      WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (...made) => (compiled++, Reflect.construct(...made)) });
      for (const door of ${JSON.stringify(others)}) await import(door);
      const others = compiled;
      await import('redflag/hash');
      console.log(others, compiled);`;
    expect(await run(process.execPath, ['--input-type=module', '-e', program], project)).toEqual({
      out: '0 1\n',
      err: '',
    });
  });

  it('redflag/hash is one file, and another that holds the class that a pool throws', async () => {
    const [door, ...others] = await graphOf('dist/hash.js');
    expect(others).toHaveLength(1);
    expect(others[0]).toMatch(/IdentifierError ?= ?class extends/);
    expect(door).not.toContain('class extends');
    const program = `
      import { hashIdentifier, IdentifierError } from 'redflag/hash';
      import { createHashPool } from 'redflag/node';
      const pool = createHashPool({ size: 1 });
      for (const failing of [hashIdentifier(' '), pool.hashIdentifiers([' '])]) console.log(await failing.catch((error) => error instanceof IdentifierError));
      await pool.close();`;
    expect(await run(process.execPath, ['--input-type=module', '-e', program], project)).toEqual({
      out: 'true\ntrue\n',
      err: '',
    });
  });

  it('redflag/hash compiles nothing for who only normalises', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `export { normaliseIdentifier, IdentifierError, DEFAULT_PREFIX } from 'redflag/hash';`,
        resolveDir: project,
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      logLevel: 'silent',
    });
    expect(outputFiles[0]!.text).toContain('normaliseIdentifier');
    expect(outputFiles[0]!.text).not.toContain('WebAssembly');
  });
});

/** The texts of a built file and of the chunks that it is made of. */
async function graphOf(file: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = await readFile(join(project, 'node_modules/redflag', file), 'utf8');
  const chunks = [...text.matchAll(/['"]\.\/(chunk-[\w-]+\.c?js)['"]/g)].map((match) => `dist/${match[1]!}`);
  return [text, ...(await Promise.all(chunks.map((chunk) => graphOf(chunk, seen)))).flat()];
}

/** Runs a program to its end; throws with what it said when that is a failure. */
async function run(program: string, args: readonly string[], cwd: string): Promise<{ out: string; err: string }> {
  // `npm test` tells its children where it runs, which another npm would take for its own folder.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|config_(local_)?prefix|config_dry_run)/i.test(name),
    ),
  );
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1e8 });
    return { out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    throw new Error(`${program} ${args[0]} ended with ${code}: ${stderr}${stdout}`, { cause: error });
  }
}
