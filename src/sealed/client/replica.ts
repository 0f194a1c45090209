import type { Standing } from '../../core/scoring/evidence.ts';
import type { ExplainingModel } from '../../core/scoring/model.ts';
import { checksum } from '../checksum.ts';
import { SealedError, SealedFormatError } from '../errors.ts';
import type { Manifest } from '../manifest-format.ts';
import type { SignedManifest } from '../manifest.ts';
import { parseReporters } from '../reporters.ts';
import type { RowContent, RowKeys } from '../rows.ts';
import { lookUp, parseSnapshot, type Snapshot } from '../snapshot.ts';
import type { Downloads } from './downloads.ts';
import { toStandings } from './local-evidence.ts';
import { modelOf } from './manifest-model.ts';
import type { ReplicaStore } from './replica-store.ts';

/** One published state: what all parts of an answer are taken from. It never changes. */
export interface Publication {
  readonly manifest: Manifest;
  readonly model: ExplainingModel;
  /** By the reporter's number as text. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Returns the rows of an identifier. */
  rowsOf(keys: RowKeys): readonly RowContent[];
}

/** How a {@link Replica} came to its state. */
export type UpdateKind = 'unchanged' | 'delta' | 'snapshot';

/** All rows of one publication: in memory, and in a store for the next process. */
export interface Replica {
  /** Undefined until the first update or load. */
  readonly current: Publication | undefined;
  /** Uses the kept parts of a verified manifest. Without all of them, `current` stays undefined. */
  load(manifest: Manifest): Promise<void>;
  /**
   * Downloads what a verified manifest states, verifies it and keeps it. If it rejects, `current` is as before, or was
   * moved and could not be kept.
   */
  update(manifest: Manifest, signed: SignedManifest): Promise<UpdateKind>;
}

interface Held extends Publication {
  readonly snapshot: Snapshot;
  readonly reporters: Uint8Array;
}

/** Returns the replica of a store. `given` is the operator's own model. */
export function createReplica(downloads: Downloads, store: ReplicaStore, given?: ExplainingModel): Replica {
  let current: Held | undefined;
  /** A delta did not give the snapshot of its manifest. The next update downloads the whole one. */
  let distrustsDelta = false;
  /** Parts that the store has, as far as this process knows. */
  let kept: ReadonlySet<string> = new Set();

  function hold(manifest: Manifest, snapshot: Snapshot, reporters: Uint8Array): Held {
    /** What was opened for earlier queries. */
    const opened = new WeakMap<RowKeys, readonly RowContent[]>();
    return {
      manifest,
      snapshot,
      reporters,
      model: modelOf(manifest.model, given),
      standings: toStandings(parseReporters(reporters)),
      rowsOf(keys) {
        let rows = opened.get(keys);
        if (rows === undefined) opened.set(keys, (rows = lookUp(snapshot.bytes, keys)));
        return rows;
      },
    };
  }

  async function nextSnapshot(manifest: Manifest): Promise<{ readonly bytes: Uint8Array; readonly kind: UpdateKind }> {
    const old = current;
    if (old !== undefined && old.manifest.epoch.publicKey === manifest.epoch.publicKey) {
      if (old.manifest.snapshot === manifest.snapshot) return { bytes: old.snapshot.bytes, kind: 'unchanged' };
      if (!distrustsDelta) {
        const bytes = await downloads.byDelta(manifest, old.snapshot).catch((error: unknown) => {
          distrustsDelta = error instanceof SealedFormatError;
          throw error;
        });
        if (bytes !== undefined) return { bytes, kind: 'delta' };
      }
    }
    return { bytes: await downloads.snapshot(manifest), kind: 'snapshot' };
  }

  /** Returns a kept part; undefined if it is missing or damaged. */
  async function partOf(sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await store.readPart(sha256);
    return bytes !== undefined && checksum(bytes) === sha256 ? bytes : undefined;
  }

  return {
    get current() {
      return current;
    },

    async load(manifest) {
      const [rows, reporters] = await Promise.all(
        [manifest.snapshot, manifest.reporters].map((sha256) => partOf(sha256)),
      );
      if (rows === undefined || reporters === undefined) return;
      try {
        current = hold(manifest, parseSnapshot(manifest.epoch.number, manifest.sequence, rows), reporters);
        kept = new Set([manifest.snapshot, manifest.reporters]);
      } catch (error) {
        // The manifest of another version. The next update says so.
        if (!(error instanceof SealedError)) throw error;
      }
    },

    async update(manifest, signed) {
      const { epoch, sequence } = manifest;
      // Without the model, the rows are of no use.
      modelOf(manifest.model, given);
      const { bytes, kind } = await nextSnapshot(manifest);
      const reporters =
        current?.manifest.reporters === manifest.reporters ? current.reporters : await downloads.reporters(manifest);
      current = hold(manifest, { epoch: epoch.number, sequence, bytes }, reporters);
      distrustsDelta = false;
      if (!kept.has(manifest.snapshot)) await store.keepPart(manifest.snapshot, bytes);
      if (!kept.has(manifest.reporters)) await store.keepPart(manifest.reporters, reporters);
      await store.keepManifest(sequence, signed);
      const parts = [manifest.snapshot, manifest.reporters];
      await store.retainParts(parts);
      kept = new Set(parts);
      return kind;
    },
  };
}
