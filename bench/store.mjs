// Durable stores, compared with the same transaction and the same select, written by hand on the same driver. Each
// store and size has its own process, so that none uses the memory of another. If this Node lacks node:sqlite, that
// store runs on a later Node.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL('store-process.mjs', import.meta.url));
const NAMES = [
  'file, node-sqlite3-wasm',
  'file, node:sqlite',
  'folder, journal and sql.js',
  'PostgreSQL, 16 connections',
];

const FULL = { sizes: [10_000, 1_000_000], crowds: [1_000, 10_000, 100_000], slices: 30 };

/**
 * With smaller sizes and fewer slices, the figures come sooner but are less exact. `later` is a Node with node:sqlite,
 * if this one lacks it.
 */
export async function benchStore(options = {}) {
  const { sizes, crowds, slices, names, later, say } = {
    ...FULL,
    names: NAMES,
    later: process.execPath,
    say: console.error,
    ...options,
  };
  const folder = mkdtempSync(join(tmpdir(), 'redflag-bench-store-'));
  const figures = { stores: [], crowds: [], missing: [] };
  try {
    for (const filling of [...sizes.map((size) => ({ size, crowds: [] })), { size: 0, crowds }]) {
      const file = join(folder, `${filling.size}.sqlite`);
      say(`filling a store with ${filling.size || crowds.join(' + ')} reports`);
      await ask(process.execPath, { fill: file, ...filling });
      for (const name of names) {
        say(`${name}: ${filling.size || crowds.join(' + ')} reports`);
        const answer = await ask(name.includes('node:') ? later : process.execPath, {
          name,
          file,
          folder,
          slices,
          ...filling,
        });
        if (answer.missing) {
          if (!figures.missing.includes(`${name}: ${answer.missing}`))
            figures.missing.push(`${name}: ${answer.missing}`);
          say(`skipped ${name}: ${answer.missing}`);
        } else if (filling.size > 0) figures.stores.push({ name, reports: filling.size, ...answer });
        else figures.crowds.push(...answer.map((row) => ({ name, ...row })));
      }
      rmSync(file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

/** Runs the process with these options. Resolves with its figures. */
async function ask(binary, options) {
  // While a database of a million reports is copied out, it is in memory twice.
  const child = spawn(binary, ['--max-old-space-size=8192', '--no-warnings', PROCESS, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`the process for ${options.name ?? 'the filling'} ended with exit code ${code}`);
  return JSON.parse(Buffer.concat(parts).toString().trim().split('\n').at(-1));
}
