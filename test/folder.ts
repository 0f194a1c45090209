import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Returns the path of a new folder, which exists while the tests of the file or group that calls this run. */
export function useFolder(name: string): string {
  // Short, because the path of a socket may have 100 characters.
  const folder = join(tmpdir(), `redflag-${name}-${randomBytes(4).toString('hex')}`);
  beforeAll(() => mkdir(folder));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
