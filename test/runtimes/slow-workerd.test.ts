import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The built package in workerd: hashing, and a service in a Durable Object.
const HERE = fileURLToPath(new URL('.', import.meta.url));
const DIST = join(HERE, '../../dist');

/** The parts of miniflare that are used. */
interface Miniflare {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}

const isInstalled = existsSync(join(HERE, 'node_modules/miniflare/package.json'));
// In CI, a missing runtime is a failure and no reason to skip.
const skipped = !isInstalled && !process.env['CI'];
if (skipped)
  console.warn(
    'test/runtimes/slow-workerd.test.ts: skipped, miniflare is missing (npm install --prefix test/runtimes)',
  );

describe.skipIf(skipped)('the package in workerd', () => {
  let folder: string;
  const opened = new Set<Miniflare>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-workerd-'));
  });
  afterAll(async () => {
    for (const one of opened) await one.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function start({
    conditions = ['workerd'],
    compatibilityDate = '2026-04-01',
    persist,
  }: {
    readonly conditions?: readonly string[];
    readonly compatibilityDate?: string;
    readonly persist?: string;
  } = {}): Promise<Miniflare> {
    const bundle = await build({
      entryPoints: [join(HERE, '../consumer/worker.mjs')],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      conditions: [...conditions],
      external: ['*.wasm'],
      logLevel: 'silent',
    });
    const { Miniflare: Create } = createRequire(join(HERE, 'package.json'))('miniflare') as {
      Miniflare: new (options: object) => Miniflare;
    };
    const wasm = await Promise.all(
      ['hash-scalar.wasm', 'hash-simd.wasm'].map(async (name) => ({
        type: 'CompiledWasm',
        path: join(DIST, name),
        contents: await readFile(join(DIST, name)),
      })),
    );
    const miniflare = new Create({
      modulesRoot: DIST,
      modules: [{ type: 'ESModule', path: join(DIST, 'worker.mjs'), contents: bundle.outputFiles[0]!.text }, ...wasm],
      compatibilityDate,
      durableObjects: { REPORTS: { className: 'Reports', useSQLite: true } },
      ...(persist !== undefined && { durableObjectsPersist: persist }),
    });
    opened.add(miniflare);
    return miniflare;
  }
  const ask = async (miniflare: Miniflare, path: string): Promise<unknown> =>
    JSON.parse(await (await miniflare.dispatchFetch(`http://localhost${path}`)).text());
  const refusals = (miniflare: Miniflare, names: readonly string[]): Promise<unknown> =>
    ask(miniflare, `/refusals?${names.map((name) => `of=${encodeURIComponent(name)}`).join('&')}`);

  it('hashes with the imported module, and without the condition in TypeScript', async () => {
    const [known, bare] = [
      await start(),
      // From June 2025 on, workerd lets a script compile while it is loaded, as the door does. Before, it does not.
      await start({ conditions: ['worker'], compatibilityDate: '2025-05-01' }),
    ];
    for (const one of [known, bare])
      expect(await (await one.dispatchFetch('http://localhost/hash')).text()).toBe(
        'e6046ea1e61328d5ad100fdf7507b841b5112932',
      );
    expect(await refusals(known, ['hasher: simd'])).toEqual({ 'hasher: simd': 'works' });
    expect(await refusals(bare, ['hasher: simd'])).toEqual({
      'hasher: simd':
        'Error: "hasher": this platform forbids or lacks the WebAssembly of simd: leave the option out, or use plain; in workerd, set the export condition workerd',
    });
  });

  it('refuses what it cannot do, and says what to use', async () => {
    const other = (name: string): string =>
      `WrongRuntimeError: ${name} needs Node, Bun or Deno: in a browser use openBrowserStore of redflag/sqljs, in workerd createDurableObjectStore of redflag/durable-object`;
    const expected = {
      openFolderStore: other('openFolderStore'),
      openSqliteFile: other('openSqliteFile'),
      createSqliteStore: other('createSqliteStore'),
      createNodePool:
        'WrongRuntimeError: createHashPool of redflag/node needs Node, Bun or Deno: in a browser use createHashPool of redflag/browser, in workerd hashIdentifiers of redflag/hash',
      createListener:
        'WrongRuntimeError: createListener needs Node, Bun or Deno: use createFetchHandler of redflag/http',
      createGuardedServer:
        'WrongRuntimeError: createGuardedServer needs Node, Bun or Deno: use createFetchHandler of redflag/http',
      createHashPool:
        'HashPoolError: this runtime has no Web Workers: use hashIdentifiers of redflag/hash, or in Node createHashPool of redflag/node',
      createSqljsStore:
        'StoreUnavailableError: sql.js could not start; in a page, set "locateFile" to the address of its .wasm file; in a Durable Object, use createDurableObjectStore of redflag/durable-object',
      openBrowserStore:
        'StoreUnavailableError: a store in a browser needs IndexedDB, which is missing here; in Node, use openFolderStore of redflag/node, in workerd createDurableObjectStore of redflag/durable-object',
      createDurableObjectStore:
        'TypeError: "storage" expected ctx.storage of a Durable Object that uses SQLite (new_sqlite_classes), got undefined',
    };
    expect(await refusals(await start(), Object.keys(expected))).toEqual(expected);
  });

  it('keeps a service in a Durable Object across a restart', async () => {
    const kept = join(folder, 'kept');
    const first = await start({ persist: kept });
    const answer = await ask(first, '/shop?report');
    expect(answer).toMatchObject({ reported: 1 });
    await first.dispose();
    opened.delete(first);
    const second = await start({ persist: kept });
    expect(await ask(second, '/shop')).toEqual(answer);
    const viewed = (await ask(second, `/api/?showreport=${(answer as { link: string }).link.split('/').at(-1)!}`)) as {
      count: number;
    };
    expect(viewed.count).toBe(1);
    // Another object has another store.
    expect(await ask(second, '/shop?object=other')).toMatchObject({ reported: 0 });
  });

  it('rolls a failed write back, and accepts the next one', async () => {
    expect(await ask(await start(), '/rollback?object=rollback')).toEqual({
      outcomes: [
        expect.stringContaining('NOT NULL constraint failed') as string,
        expect.stringContaining('too big') as string,
      ],
      reports: 0,
      added: { outcome: 'added' },
      problems: [],
    });
  });

  it('rejects as unavailable if a write cannot be made durable, and after a close', async () => {
    expect(await ask(await start(), '/unavailable?object=unavailable')).toEqual({
      opening: 'StoreUnavailableError: the write could not be made durable; retry',
      reading: 'StoreUnavailableError: the database failed, and nothing was changed',
      closed: 'StoreUnavailableError: the store is closed',
    });
  });

  it('finds a row that was changed', async () => {
    expect(await ask(await start(), '/damaged?object=damaged')).toEqual({
      read: expect.stringMatching(/^StoreDamagedError: a row of report is damaged/) as string,
      problems: [{ problem: 'rows of report that do not match their checksum', count: 1 }],
    });
  });

  it('refuses an object with another program’s tables, or of a newer version, and changes nothing', async () => {
    expect(await ask(await start(), '/foreign?object=foreign')).toEqual({
      other: expect.stringMatching(/^StoreFormatError: the database belongs to another program/) as string,
      tables: 0,
      newer: expect.stringMatching(/^StoreFormatError: .*schema version 99.*newer redflag$/) as string,
    });
  });
});
