import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { RedflagError } from '../../core/domain/redflag-error.ts';
import { errorCode, prepareFolder, syncFolder } from '../../stores/holds/folder.ts';
import { writeWholeFile } from '../../stores/holds/whole-file.ts';
import { joinBytes } from '../group/hash-to-group.ts';
import { headAfter, type Head } from '../history.ts';
import type { SealedKeys } from '../keys.ts';
import { parseManifest } from '../manifest-format.ts';
import type { SignedManifest } from '../manifest.ts';

/** A publication: `<epoch>-<sequence>`. */
const NAME = /^(0|[1-9]\d{0,9})-(0|[1-9]\d{0,9})$/;
/** An unfinished publication, or one that is being removed. */
const DRAFT = /^draft-[0-9a-f]{16}$/;
/** Publications that are kept: the newest, and the one before. */
const KEPT = 2;
/** Milliseconds for which a reader does not look for a newer publication. */
const LOOK_MS = 1_000;
/** Snapshots in memory: the newest, and that of a client whose manifest is a few minutes old. */
const MAX_SNAPSHOTS = 2;

/** No publication is possible now. The message is for the operator and contains no submitted value. */
export class SealedPublicationError extends RedflagError {
  /** @internal */
  static override readonly kind = 'SealedPublicationError';
}

/**
 * Returns the keys with the manifest that was signed last. Throws {@link SealedPublicationError} if one of its sequence
 * or a higher one was signed with these keys.
 */
export function withHead(keys: SealedKeys, head: Head): SealedKeys {
  if (head.sequence > (keys.head?.sequence ?? -1)) return { ...keys, head };
  throw new SealedPublicationError('another process publishes with the same sealed keys; stop it');
}

/** Names a publication. */
export interface PublicationName {
  readonly epoch: number;
  readonly sequence: number;
}

/** All that is published under one sequence. */
export interface Publication extends PublicationName {
  readonly signed: SignedManifest;
  readonly snapshot: Uint8Array;
}

/** Returns the head after a signed manifest; undefined for bytes that are none. */
export function headOf(bytes: Uint8Array): Head | undefined {
  const manifest = parseManifest(bytes);
  return manifest && headAfter(manifest, bytes);
}

/** Returns the evaluator's signature of the manifest of a head. */
export type Countersign = (head: Head) => Promise<Uint8Array>;

/** Where publications are kept, and which was signed last. One process writes at a time. */
export interface PublicationStore {
  /** Returns the head after the manifest that was added last, also if its publication was removed. */
  readHead(): Promise<Head | undefined>;
  /**
   * Adds a publication. It becomes visible as a whole, and only after it and its head are on disk. When its head is,
   * calls `countersign`, whose bytes are kept after the operator's signature. Keeps the one before, whose rows a client
   * may still fetch, and removes older ones.
   */
  add(publication: Publication, countersign: Countersign): Promise<void>;
  /** Removes all publications of these epochs. */
  removeEpochs(epochs: readonly number[]): Promise<void>;
}

/** Reads publications that any process has made. */
export interface PublicationReader {
  /** Returns the newest manifest. Undefined if there is no publication. */
  newest(): Promise<(SignedManifest & PublicationName) | undefined>;
  /** Returns the bytes of a snapshot. Undefined if the publication is not kept any more. */
  lengthOf(epoch: number, sequence: number): Promise<number | undefined>;
  /** Returns a snapshot. Undefined if the publication is not kept any more. */
  read(epoch: number, sequence: number): Promise<Uint8Array | undefined>;
}

/** Keeps the head at another place, too: the folder may be lost, and either may be restored from an older copy. */
export interface HeadKeeper {
  read(): Head | undefined;
  /** Resolves when the head is durable. Rejects if the place has a later one, or this one. */
  keep(head: Head): Promise<void>;
}

/**
 * Opens the folder of publications for the one process that writes it; creates it. Removes what a killed process left
 * unfinished.
 *
 * ```
 * <epoch>-<sequence>/             one publication: manifest, signature and snapshot
 * draft-<16 hex>/                 unfinished
 * ```
 *
 * A publication gets its name when all its files and its head are on disk. Rejects with the system's errors.
 */
export async function openPublicationFiles(folder: string, heads: HeadKeeper): Promise<PublicationStore> {
  await prepareFolder(folder);
  for (const name of await readdir(folder)) if (DRAFT.test(name)) await removeFolder(path.join(folder, name));

  return {
    async readHead() {
      const name = (await namesIn(folder)).at(-1)?.name;
      const inFolder = name === undefined ? undefined : headOf(await readFile(path.join(folder, name, 'manifest')));
      const kept = heads.read();
      return (kept?.sequence ?? -1) < (inFolder?.sequence ?? -1) ? inFolder : kept;
    },

    async add(publication, countersign) {
      const { epoch, sequence, signed } = publication;
      const draft = path.join(folder, draftName());
      await mkdir(draft, { mode: 0o700 });
      try {
        const write = (name: string, content: Uint8Array): Promise<void> =>
          writeWholeFile(path.join(draft, name), (file) => file.append(content));
        await write('manifest', signed.bytes);
        await write('snapshot', publication.snapshot);
        // Another process may have become the publisher meanwhile: sequences only rise.
        if (((await namesIn(folder)).at(-1)?.sequence ?? -1) >= sequence)
          throw new SealedPublicationError('another process has published meanwhile; this publication is not kept');
        const head = headOf(signed.bytes)!;
        // Before the evaluator signs: it refuses what does not continue a manifest that it has signed.
        await heads.keep(head);
        await write('signature', joinBytes([signed.signature, await countersign(head)]));
        await rename(draft, path.join(folder, `${epoch}-${sequence}`));
      } catch (error) {
        await rm(draft, { recursive: true, force: true }).catch(() => undefined);
        throw error;
      }
      await syncFolder(folder);
      for (const old of (await namesIn(folder)).slice(0, -KEPT)) await remove(folder, old);
    },

    removeEpochs: (epochs) => removePublications(folder, epochs),
  };
}

/** Removes all publications of these epochs, also while another part of the process publishes. */
export async function removePublications(folder: string, epochs: readonly number[]): Promise<void> {
  for (const head of (await ifThere(namesIn(folder))) ?? [])
    if (epochs.includes(head.epoch)) await remove(folder, head);
}

/** First takes the name away: a reader never sees a part of a publication. */
async function remove(folder: string, { epoch, sequence }: PublicationName): Promise<void> {
  const draft = path.join(folder, draftName());
  if ((await ifThere(rename(path.join(folder, `${epoch}-${sequence}`), draft).then(() => true))) === true)
    await removeFolder(draft);
}

/** Reads the folder of publications, also while another process writes it. `clock` returns milliseconds. */
export function createPublicationReader(folder: string, clock: () => number): PublicationReader {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let found: Awaited<ReturnType<PublicationReader['newest']>>;
  /** The snapshots that were read last, by file. All downloads share the one copy in memory. */
  const snapshots = new Map<string, Promise<Uint8Array>>();

  const fileOf = (epoch: number, sequence: number): string => path.join(folder, `${epoch}-${sequence}`, 'snapshot');

  const newest: PublicationReader['newest'] = async () => {
    const now = clock();
    if (Math.abs(now - lookedAt) < LOOK_MS) return found;
    const last = (await ifThere(namesIn(folder)))?.at(-1);
    if (last === undefined) found = undefined;
    else if (last.epoch !== found?.epoch || last.sequence !== found.sequence)
      found = await ifThere(readSigned(path.join(folder, last.name), last));
    lookedAt = now;
    return found;
  };

  const readSnapshot = (file: string): Promise<Uint8Array> => {
    const reading = snapshots.get(file) ?? readFile(file);
    snapshots.delete(file);
    snapshots.set(file, reading);
    if (snapshots.size > MAX_SNAPSHOTS) snapshots.delete(snapshots.keys().next().value!);
    // If the file cannot be read now, or was removed, read it again next time.
    reading.catch(() => snapshots.get(file) === reading && snapshots.delete(file));
    return reading;
  };

  return {
    newest,

    async lengthOf(epoch, sequence) {
      return (await ifThere(stat(fileOf(epoch, sequence))))?.size;
    },

    read: (epoch, sequence) => ifThere(readSnapshot(fileOf(epoch, sequence))),
  };
}

async function readSigned(folder: string, { epoch, sequence }: PublicationName) {
  const names = ['manifest', 'signature'];
  const [bytes, signature] = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return { bytes: bytes!, signature: signature!, epoch, sequence };
}

/** Returns the publications, ascending by sequence. */
async function namesIn(folder: string) {
  const names = (await readdir(folder)).flatMap((name) => {
    const match = NAME.exec(name);
    return match ? [{ name, epoch: Number(match[1]), sequence: Number(match[2]) }] : [];
  });
  return names.sort((left, right) => left.sequence - right.sequence);
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

function draftName(): string {
  return `draft-${randomBytes(8).toString('hex')}`;
}

/** Returns undefined if a file or folder does not exist. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
