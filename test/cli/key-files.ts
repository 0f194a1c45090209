import { join } from 'node:path';

/** The file of a key as the service creates it: beside the data folder. */
export function keyFile(folder: string, name: 'secret' | 'pepper' | 'first-key'): string {
  return join(`${folder}-keys`, name);
}
