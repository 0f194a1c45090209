import { describe, it } from 'vitest';
import { budget } from '../budget.ts';
import { findPostgres, startPostgres } from '../postgres-server.ts';
import { killRounds } from './kill-rounds.ts';

const programs = findPostgres();

describe.skipIf(!programs)('a PostgreSQL server that is killed again and again', () => {
  it('loses nothing that was acknowledged', async () => {
    const server = await startPostgres(programs!);
    try {
      // Then a new schema, for each round looks at everything that is there.
      for (let schema = 0; schema < 2; schema++) await killRounds(server, `killed_${schema}`, budget(3));
    } finally {
      await server.remove();
    }
  });
});
