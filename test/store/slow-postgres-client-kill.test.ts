import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { budget, isLong } from '../budget.ts';
import { findPostgres, HASTY, startPostgres } from '../postgres-server.ts';
import { killClientsAndLook } from './postgres-child.ts';
import { buildWriter } from './sqlite-child.ts';

const programs = findPostgres();

describe.skipIf(!programs)('a process that writes into a PostgreSQL store', () => {
  it('killed at random moments loses nothing that was acknowledged and leaves nothing half done and no lock', async () => {
    const rounds = budget(6);
    const folder = await mkdtemp(join(tmpdir(), 'redflag-client-kill-'));
    const server = await startPostgres(programs!, { settings: HASTY });
    try {
      const { reports, removals, unknown } = await killClientsAndLook(
        server,
        await buildWriter(folder, 'write-to-postgres'),
        rounds,
      );
      // A writer that was killed before it wrote shows nothing.
      expect(reports).toBeGreaterThan(isLong ? rounds : 0);
      console.log(
        `${reports} acknowledged reports and ${removals} acknowledged removals in ${rounds} rounds; ${unknown} more reports were stored and not told`,
      );
    } finally {
      await server.remove();
      await rm(folder, { recursive: true });
    }
  });
});
