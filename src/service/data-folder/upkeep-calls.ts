import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pepperFingerprint } from '../../core/engine/peppers.ts';
import { secretFingerprint } from '../../core/engine/secrets.ts';
import { syncFolder } from '../../stores/holds/folder.ts';
import { unwrap } from '../../index.ts';
import type { ProgramEngine } from './program-engine.ts';
import { JOURNAL_NAME } from '../../stores/journal/file.ts';
import { encodeSnapshotFile } from '../../stores/journal/format.ts';
import { copyRows } from '../../stores/transfer/copy-rows.ts';
import { readExport } from '../../stores/transfer/read-export.ts';
import { serialiseKeys } from '../../sealed/key-file.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import { readSnapshot } from '../../stores/transfer/row-source.ts';
import { writeExport } from '../../stores/transfer/write-export.ts';
import { SQLITE_NAME } from './address.ts';
import { DataFolderError } from './errors.ts';
import { findKeyFiles, isInside } from './key-files.ts';
import { createNewFile, refuseTaken, writeNewFile } from './new-file.ts';
import type { OpenStore } from './open-store.ts';
import { readPeppersOf } from './pepper-file.ts';
import { writeReceipt } from './receipt.ts';
import { readSealedKeys, sealedKeysPath } from './sealed/keys-file.ts';
import { sealFingerprint } from './sealed/seal.ts';
import { GIVEN_SECRET, SECRET_TEXT_VARIABLE } from './secret-variable.ts';

/** Context of the calls on a folder. */
export interface Place {
  readonly engine: ProgramEngine;
  readonly store: OpenStore;
  readonly folder: string;
  readonly secret: string;
  /** True in a service. A long statement of a call would make the service's clients wait. */
  readonly serves: boolean;
}

/** What a call gets for a file of its own. */
interface PathRequest {
  readonly path: string;
  /** The operator's name; missing from commands of older versions. */
  readonly by?: string | undefined;
}

/**
 * Records a copy before it is made: the copy then contains its entry. Returns false if the store accepts no writes. The
 * copy is made all the same, because it may be what saves the data.
 */
async function recordCopy(
  engine: ProgramEngine,
  action: 'exported' | 'backed-up',
  by: string | undefined,
): Promise<boolean> {
  try {
    unwrap(await engine.recordAction({ action, by }));
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return false;
    throw error;
  }
}

/** The calls that concern a whole data folder. Paths are absolute: the service may have another working directory. */
export function createUpkeepCalls({ engine, store, folder, secret, serves }: Place) {
  return {
    exportData: ({ path, by }: PathRequest, signal?: AbortSignal) =>
      writeNewFile(path, async (file) => {
        const isRecorded = await recordCopy(engine, 'exported', by);
        const snapshot = await store.snapshot();
        try {
          const source = readSnapshot(snapshot, { secret: secretFingerprint(secret), at: new Date().toISOString() });
          const written = { lines: 0 };
          for await (const line of writeExport(source)) {
            signal?.throwIfAborted();
            await file.append(line);
            written.lines++;
          }
          // The first and the last line are not rows.
          return { rows: written.lines - 2, isRecorded };
        } finally {
          await snapshot.close();
        }
      }),

    async importData({ path, by }: PathRequest) {
      const peppers = (await readPeppersOf(folder)).map((pepper) => pepperFingerprint(pepper));
      const source = readExport(() => createReadStream(path));
      const sealed = await readSealedKeys(await sealedKeysPath(folder));
      const seal = sealed ? sealFingerprint(sealed) : null;
      const { rows, added } = await copyRows(source, store, { secret: secretFingerprint(secret), peppers, seal });
      // The standings of a running service do not include the import yet.
      if (added > 0) await engine.recomputeTrust();
      unwrap(await engine.recordAction({ action: 'imported', amount: added, by }));
      return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), added };
    },

    // While a service has a SQLite file open, the caller checks a copy. One statement may read for a minute, and
    // clients of the service would wait.
    async check({ copy }: { readonly copy: string }, signal?: AbortSignal) {
      if (!serves || !store.copy) return { problems: await store.check() };
      await writeParts(copy, store.copy(), signal);
      // The caller has disconnected and will not remove the copy.
      if (signal?.aborted) await rm(copy, { force: true });
      return { copy };
    },

    async erase({
      hashes,
      by,
      path,
    }: {
      readonly hashes: readonly string[];
      readonly by: string;
      readonly path: string;
    }) {
      // Create the receipt's file before the erasure. An erasure cannot be repeated to get its receipt.
      const file = await createNewFile(path);
      try {
        const erased = unwrap(await engine.eraseIdentifiers({ hashes, by }));
        const { reports, links, protections } = erased;
        const erasedAt = new Date(erased.erasedAt).toISOString();
        await file.append(writeReceipt(secret, { hashes, erasedAt, by: erased.by, reports, links, protections }));
        await file.keep().catch((error: Error) => {
          throw new DataFolderError(
            `everything was erased, but the receipt could not be written: ${error.message}. Run the same command again: the new receipt states that nothing is left`,
          );
        });
        return { reports, links, protections, onServer: store.lock === undefined };
      } catch (error) {
        await file.drop();
        throw error;
      }
    },

    async backUp({ path, by }: PathRequest, signal?: AbortSignal) {
      const { exportDurable, copy } = store;
      const read = copy ?? (exportDurable && (async () => encodeSnapshotFile([await exportDurable()]).chunks));
      if (!read)
        throw new DataFolderError(
          'redflag backup cannot copy a PostgreSQL server: use its own tools, such as pg_dump, or redflag export',
        );
      await refuseTaken(path);
      const isRecorded = await recordCopy(engine, 'backed-up', by);
      const [newest] = await engine.listAudit({ limit: 1 });
      const draft = `${path}.${randomBytes(4).toString('hex')}`;
      await mkdir(draft, { mode: 0o700 });
      try {
        const name = copy ? SQLITE_NAME : JOURNAL_NAME;
        const bytes = await writeParts(join(draft, name), await read(), signal);
        // Copy only keys that an older version keeps in the folder. A backup without keys is useless to a thief.
        const files = await findKeyFiles(folder);
        const hasSecret = GIVEN_SECRET === undefined && isInside(folder, files.secret);
        const hasPepper = isInside(folder, files.pepper);
        if (hasSecret) await writeNewFile(join(draft, 'secret'), (file) => file.append(`${secret}\n`));
        // Read the peppers after the data: a new pepper is in the file before any hash is stored under this pepper.
        const peppers = await readIfThere(files.pepper);
        if (peppers && hasPepper) await writeNewFile(join(draft, 'pepper'), (file) => file.append(peppers));
        const sealedFile = await sealedKeysPath(folder);
        const sealed = await readSealedKeys(sealedFile);
        const hasSealed = isInside(folder, sealedFile);
        if (sealed && hasSealed)
          await writeNewFile(join(draft, basename(sealedFile)), (file) => file.append(serialiseKeys(sealed)));
        await rename(draft, path);
        await syncFolder(dirname(path));
        const secretPlace = GIVEN_SECRET === undefined ? resolve(files.secret) : SECRET_TEXT_VARIABLE;
        const notIncluded = [
          ...(hasSecret ? [] : [secretPlace]),
          ...(peppers && !hasPepper ? [resolve(files.pepper)] : []),
          ...(sealed && !hasSealed ? [resolve(sealedFile)] : []),
        ];
        return { bytes, name, isRecorded, head: newest && 'digest' in newest ? newest.digest : null, notIncluded };
      } catch (error) {
        await rm(draft, { recursive: true, force: true });
        throw error;
      }
    },
  };
}

/** Writes a new file from these parts. Returns its size in bytes. */
async function writeParts(
  path: string,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<number> {
  return writeNewFile(path, async (file) => {
    const written = { bytes: 0 };
    for await (const part of parts) {
      signal?.throwIfAborted();
      await file.append(part);
      written.bytes += part.byteLength;
    }
    return written.bytes;
  });
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
