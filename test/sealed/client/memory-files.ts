import type { ClientFiles } from '../../../src/sealed/client/client-folder.ts';

/** The files of a client's folder in memory. A write fails while `control.isFull`. */
export function memoryFiles() {
  const contents = new Map<string, { readonly bytes: Uint8Array; readonly version: string }>();
  const control = { isFull: false, writes: 0 };
  const files: ClientFiles = {
    read: async (name) => contents.get(name)?.bytes.slice(),
    version: async (name) => contents.get(name)?.version,
    async write(name, bytes, isCurrent = async () => true) {
      if (control.isFull) throw new Error('the disk is full');
      if (!(await isCurrent())) return undefined;
      const version = String(++control.writes);
      contents.set(name, { bytes: bytes.slice(), version });
      return version;
    },
    async removeOthers(prefix, kept) {
      for (const name of contents.keys()) if (name.startsWith(prefix) && name !== kept) contents.delete(name);
    },
  };
  return { files, contents, control };
}

export const randomKey = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));
