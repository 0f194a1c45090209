import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { budget } from '../budget.ts';
import { keyFile } from './key-files.ts';
import { killStarting, post, runCli, startService } from './service.ts';

const KILLS = budget(4);

it.each(['journal', 'sqlite'] as const)(
  `a first start (%s) that is killed ${KILLS} times ends with one secret and one pepper`,
  async (kind) => {
    const root = await mkdtemp(join(tmpdir(), 'redflag-first-start-'));
    const folder = join(root, 'data');
    const options = ['--data', folder, '--store', kind];
    const seen = new Map<string, string>();
    try {
      for (let n = 0; n < KILLS; n++) {
        await killStarting(options, 150 + (450 / KILLS) * n);
        for (const name of ['secret', 'pepper'] as const) {
          if (!existsSync(keyFile(folder, name))) continue;
          const text = await readFile(keyFile(folder, name), 'utf8');
          expect(text).toMatch(/^[0-9a-f]{64}\n$/);
          expect(text).toBe(seen.get(name) ?? text);
          seen.set(name, text);
        }
      }
      const service = await startService(options);
      for (const [name, text] of seen) expect(await readFile(keyFile(folder, name as 'secret'), 'utf8')).toBe(text);
      // If the process was killed between the key and its file, the next start wrote the file with another key.
      const apiKey = (await readFile(keyFile(folder, 'first-key'), 'utf8')).trim();
      expect((await post(service, { _api: apiKey, _action: 'query', email: 'a1'.repeat(20) })).status).toBe(200);
      await service.stop('SIGTERM');
      expect((await runCli(['check', '--data', folder])).out).toBe('OK: no problems found.\n');
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
