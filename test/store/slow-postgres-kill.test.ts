import { describe, it } from 'vitest';
import { findPostgres, startPostgres } from '../postgres-server.ts';
import { killRounds } from './kill-rounds.ts';

const programs = findPostgres();

describe.skipIf(!programs)('a PostgreSQL server that is killed again and again', () => {
  it('loses nothing that was acknowledged', async () => {
    const server = await startPostgres(programs!);
    try {
      await killRounds(server, 'killed', 40);
    } finally {
      await server.remove();
    }
  }, 600_000);
});
