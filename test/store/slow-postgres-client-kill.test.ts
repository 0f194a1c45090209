import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPostgres, HASTY, startPostgres } from '../postgres-server.ts';
import { killClientsAndLook } from './postgres-child.ts';
import { buildWriter } from './sqlite-child.ts';

const programs = findPostgres();

describe.skipIf(!programs)('a process that writes into a PostgreSQL store', () => {
  it('killed at a random moment, 60 times, loses nothing that was acknowledged and leaves nothing half done and no lock', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redflag-client-kill-'));
    const server = await startPostgres(programs!, { settings: HASTY });
    try {
      const { reports, removals, unknown } = await killClientsAndLook(
        server,
        await buildWriter(folder, 'write-to-postgres'),
        60,
      );
      expect(reports).toBeGreaterThan(60);
      console.log(
        `${reports} acknowledged reports and ${removals} acknowledged removals in 60 rounds; ${unknown} more reports were stored and not told`,
      );
    } finally {
      await server.remove();
      await rm(folder, { recursive: true });
    }
  });
});
