import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pepperFingerprint } from '../engine/peppers.ts';
import { secretFingerprint } from '../engine/secrets.ts';
import { unwrap, type Engine } from '../index.ts';
import { JOURNAL_NAME } from '../journal/file.ts';
import { syncFolder } from '../journal/folder.ts';
import { encodeSnapshotFile } from '../journal/format.ts';
import { copyRows } from '../transfer/copy-rows.ts';
import { readExport } from '../transfer/read-export.ts';
import { readSnapshot } from '../transfer/row-source.ts';
import { writeExport } from '../transfer/write-export.ts';
import { CommandError } from './arguments.ts';
import { SQLITE_NAME, type OpenStore } from './open-store.ts';
import { readPeppers } from './pepper-file.ts';
import { writeReceipt } from './receipt.ts';
import { SECRET_NAME } from './secret.ts';
import { rethrow } from './transfer-refusals.ts';
import { asCommandError, createWholeFile, refuseTaken, writeWholeFile } from './whole-file.ts';

/** What a call needs besides the engine. */
export interface Place {
  readonly store: OpenStore;
  readonly folder: string;
  readonly secret: string;
  readonly pepperFile: string;
  /** Others wait for answers meanwhile. */
  readonly serves: boolean;
  /** Aborted when whoever asked has gone away. */
  readonly signal: AbortSignal;
}

/** What an operator asks of a whole data folder. Whoever serves the folder does it, so paths are absolute. */
export const UPKEEP_CALLS = {
  export: async (_: Engine, { path }: { readonly path: string }, { store, secret, signal }: Place) =>
    writeWholeFile(path, async (file) => {
      const snapshot = await store.snapshot();
      try {
        const source = readSnapshot(snapshot, { secret: secretFingerprint(secret), at: new Date().toISOString() });
        const written = { lines: 0 };
        for await (const line of writeExport(source)) {
          signal.throwIfAborted();
          await file.append(line);
          written.lines++;
        }
        // All but the first and the last.
        return { rows: written.lines - 2 };
      } finally {
        await snapshot.close();
      }
    }),

  import: async (engine: Engine, { path }: { readonly path: string }, { store, secret, pepperFile }: Place) => {
    const peppers = (await readPeppers(pepperFile)).map((pepper) => pepperFingerprint(pepper));
    const { rows, added } = await asCommandError(
      copyRows(
        readExport(() => createReadStream(path)),
        store,
        { secret: secretFingerprint(secret), peppers },
      ),
    ).catch(rethrow);
    // A service that runs has learnt from what was there before.
    if (added > 0) await engine.recomputeTrust();
    return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), added };
  },

  // Beside a service on a SQLite file whoever asks looks at a copy: a single statement there may read for a minute, and nobody would be answered.
  check: async (_: Engine, { copy }: { readonly copy: string }, { store, serves, signal }: Place) => {
    if (!serves || !store.copy) return { problems: await store.check() };
    await writeParts(copy, store.copy(), signal);
    // Nobody would take it away.
    if (signal.aborted) await rm(copy, { force: true });
    return { copy };
  },

  erase: async (
    engine: Engine,
    { hashes, by, path }: { readonly hashes: readonly string[]; readonly by: string; readonly path: string },
    { store, secret }: Place,
  ) => {
    // Begun first: what is erased cannot be erased again for a receipt that found no place.
    const file = await createWholeFile(path);
    try {
      const { erasedAt, reports, links, protections, ...erased } = unwrap(
        await engine.eraseIdentifiers({ hashes, by }),
      );
      await file.append(
        writeReceipt(secret, {
          hashes,
          erasedAt: new Date(erasedAt).toISOString(),
          by: erased.by,
          reports,
          links,
          protections,
        }),
      );
      await file.keep().catch((error: Error) => {
        throw new CommandError(
          `all was erased, but the receipt could not be written: ${error.message}; the same command gives one that says that nothing is left`,
        );
      });
      return { reports, links, protections, onServer: store.lock === undefined };
    } catch (error) {
      await file.drop();
      throw error;
    }
  },

  backup: async (
    _: Engine,
    { path }: { readonly path: string },
    { store, folder, secret, pepperFile, signal }: Place,
  ) => {
    if (!store.exportDurable && !store.copy)
      throw new CommandError(
        'reports are kept on a server, which has its own tools, as pg_dump; redflag export writes a file that any store takes',
      );
    await refuseTaken(path);
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    await asCommandError(mkdir(draft, { mode: 0o700 }));
    try {
      const [name, parts] = store.exportDurable
        ? [JOURNAL_NAME, encodeSnapshotFile([await store.exportDurable()]).chunks]
        : [SQLITE_NAME, store.copy!()];
      const bytes = await writeParts(join(draft, name), parts, signal);
      await writeWholeFile(join(draft, SECRET_NAME), (file) => file.append(`${secret}\n`));
      // After the data: a pepper that is put on meanwhile is in the file first. One that is kept elsewhere is kept there for a reason.
      const peppers = resolve(dirname(pepperFile)) === resolve(folder) ? await readIfThere(pepperFile) : undefined;
      if (peppers) await writeWholeFile(join(draft, 'pepper'), (file) => file.append(peppers));
      await asCommandError(rename(draft, path));
      await asCommandError(syncFolder(dirname(path)));
      return { bytes, name };
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  },
};

/** Writes a whole file and answers how many bytes it has. */
async function writeParts(
  path: string,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  return writeWholeFile(path, async (file) => {
    const written = { bytes: 0 };
    for await (const part of parts) {
      signal.throwIfAborted();
      await file.append(part);
      written.bytes += part.byteLength;
    }
    return written.bytes;
  });
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  return asCommandError(
    readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }),
  );
}
