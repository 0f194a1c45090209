import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { hash, id } from '../contract/stored.ts';

/** Makes a program of `children` into `folder` and answers its path. */
export async function buildWriter(
  folder: string,
  name: 'write-for-ever' | 'write-to-postgres' = 'write-for-ever',
): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  // By its place: from the folder of the program the package cannot be found.
  const wasm = createRequire(import.meta.url).resolve('node-sqlite3-wasm');
  await build({
    entryPoints: [fileURLToPath(new URL(`children/${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { 'node-sqlite3-wasm': wasm },
    external: [wasm, 'pg-native', 'pg-cloudflare'],
    logLevel: 'silent',
    // `pg` is CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return outfile;
}

/** A running writer: what it has said, and its end. */
export interface Writer {
  readonly process: ChildProcess;
  said(): string[];
  ready(): Promise<void>;
  kill(): Promise<void>;
}

/** `where` is what the program takes: a file, or a connection and schema as JSON. */
export function startWriter(program: string, where: string, first: number): Writer {
  const child = spawn(process.execPath, [program, where, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const state = { out: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (state.out += text));
  const closed = once(child, 'close');
  return {
    process: child,
    // What stands behind the last line end was not said whole.
    said: () =>
      state.out
        .slice(0, state.out.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line !== ''),
    async ready() {
      while (!state.out.startsWith('ready\n'))
        await Promise.race([
          once(child.stdout, 'data'),
          closed.then(() => Promise.reject(new Error('the writer ended'))),
        ]);
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/**
 * Kills a writer at random moments, `rounds` times on one file, every third time while it starts. Asserts each time
 * that every acknowledged write exists and no write is partial.
 */
export async function killOftenAndLook(
  program: string,
  file: string,
  rounds: number,
): Promise<{ readonly reports: number; readonly removals: number }> {
  const total = { reports: 0, removals: 0 };
  for (let round = 0; round < rounds; round++) {
    const first = round * 100_003;
    const writer = startWriter(program, file, first);
    if (round % 3 < 2) await writer.ready();
    // On a busy machine, a writer could be killed before its first report each time.
    while (round % 3 === 0 && !writer.said().some((line) => line.startsWith('+')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
    await writer.kill();
    const said = writer.said();
    const [added, removed] = ['+', '-'].map(
      (sign) => new Set(said.filter((line) => line[0] === sign).map((line) => Number(line.slice(1)))),
    );

    const store = await openSqliteFile(file);
    // The last ones may have been written and not yet said.
    for (let n = first; n <= Math.max(first, ...added!) + 20; n++) {
      const found = (await store.findMatches([0, 1, 2].map((k) => hash(3 * n + k)))).length;
      const texts = await store.findReports([id(n)]);
      expect(texts.length * 3, `report ${n}`).toBe(found);
      if (texts[0]) expect(texts[0].text).toBe(`text ${n} `.repeat(n % 300));
      if (removed!.has(n)) expect(found, `report ${n}, removed`).toBe(0);
      else if (added!.has(n) && n % 3 > 0) expect(found, `report ${n}`).toBe(3);
    }
    if (round % 20 === 0 || round === rounds - 1) expect(await store.check()).toEqual([]);
    await store.close();
    total.reports += added!.size;
    total.removals += removed!.size;
  }
  return total;
}
