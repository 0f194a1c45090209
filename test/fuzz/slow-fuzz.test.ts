import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { budget } from '../budget.ts';
import { fuzz } from './fuzz.ts';
import type { Script } from './script.ts';

// `npm run fuzz -- --minutes 10 --seed 7` runs this file with another time and seed.
const SEED = process.env['FUZZ_SEED'] ?? '20261123';
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? budget(6));
const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url));

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-fuzz-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it(
  'broken requests neither crash nor stop the service, and store nothing',
  async () => {
    const names = (await readdir(CORPUS)).filter((name) => name.endsWith('.json')).sort();
    const corpus = await Promise.all(
      names.map(async (name) => [name, JSON.parse(await readFile(CORPUS + name, 'utf8')) as Script] as const),
    );
    console.log(`seed ${SEED}, ${SECONDS} seconds, ${corpus.length} scripts of the corpus`);
    const { findings, ...figures } = await fuzz({ folder: join(root, 'data'), seed: SEED, seconds: SECONDS, corpus });
    console.log(figures);
    for (const { problem, name, about, base64 } of findings)
      console.log(`${problem}: script ${name} (${about})\n  echo ${base64} | base64 -d > test/fuzz/corpus/NAME.json`);
    expect(findings.map(({ problem, name, about }) => `${problem}: ${name} (${about})`)).toEqual([]);
    expect(figures.scripts).toBeGreaterThan(corpus.length + SECONDS);
    expect(figures.checks).toBeGreaterThan(0);
  },
  1_000 * SECONDS + 300_000,
);
