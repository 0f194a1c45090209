import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removes the clusters that workers of this run made (`postgres-server.ts`). A worker runs no code at its end. */
export function teardown(): void {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(`redflag-cluster-${process.pid}-`))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
}
