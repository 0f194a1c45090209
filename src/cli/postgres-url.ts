import { UsageError } from './arguments.ts';
import { isPostgres } from './open-store.ts';

/**
 * Throws UsageError when the address of a server cannot be read as one: before anything is made, and instead of a server that cannot be reached. Does nothing for another address,
 * or where the package pg, which says how it is read, is missing.
 */
export async function provePostgresUrl(address: string | undefined): Promise<void> {
  if (address === undefined || !isPostgres(address)) return;
  const pg = await import('pg').catch(() => undefined);
  try {
    // Reads the address and connects nowhere.
    if (pg) void new pg.default.Client({ connectionString: address });
  } catch (error) {
    // A certificate that it names cannot be read.
    if (error instanceof Error && 'syscall' in error) return;
    // Not shown, nor what the reader says of it: it may hold a password.
    throw new UsageError(
      'the address postgres://… cannot be read: write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for an @ in one of these, %23 for #, %2F for /, and so on',
    );
  }
}
