import type { ExplainingModel } from '../../core/scoring/model.ts';
import { checksum } from '../checksum.ts';
import { SealedError, SealedFormatError } from '../errors.ts';
import type { Manifest } from '../manifest-format.ts';
import { parseReporters } from '../reporters.ts';
import type { RowContent, RowKeys } from '../rows.ts';
import { lookUp, parseSnapshot, type Snapshot } from '../snapshot.ts';
import type { Downloads } from './downloads.ts';
import { toStandings } from './local-evidence.ts';
import { modelOf } from './manifest-model.ts';
import type { Publication, PublicationSource, UpdateKind } from './publication.ts';
import type { ReplicaStore } from './replica-store.ts';

/** A whole replica in memory. */
interface Replica extends Publication {
  readonly snapshot: Snapshot;
  readonly reporters: Uint8Array;
}

/** Returns a source that keeps the whole snapshot: in memory, and in a store for the next process. */
export function createReplicaSource(
  downloads: Downloads,
  store: ReplicaStore,
  model?: ExplainingModel,
): PublicationSource {
  let current: Replica | undefined;
  /** A delta did not give the snapshot of its manifest. The next update downloads the whole one. */
  let distrustsDeltas = false;
  /** Parts that the store has, as far as this process knows. */
  let kept: ReadonlySet<string> = new Set();

  function toReplica(manifest: Manifest, snapshot: Snapshot, reporters: Uint8Array): Replica {
    /** What was opened for earlier queries. */
    const opened = new WeakMap<RowKeys, readonly RowContent[]>();
    const rowsOf = (keys: RowKeys): readonly RowContent[] => {
      let rows = opened.get(keys);
      if (rows === undefined) opened.set(keys, (rows = lookUp(snapshot.bytes, keys)));
      return rows;
    };
    const local = { model: modelOf(manifest.model, model), standings: toStandings(parseReporters(reporters)), rowsOf };
    return { manifest, local, snapshot, reporters };
  }

  async function nextSnapshot(manifest: Manifest): Promise<{ readonly bytes: Uint8Array; readonly kind: UpdateKind }> {
    const old = current;
    if (old !== undefined && old.manifest.epoch.publicKey === manifest.epoch.publicKey) {
      if (old.manifest.snapshot === manifest.snapshot) return { bytes: old.snapshot.bytes, kind: 'unchanged' };
      if (!distrustsDeltas) {
        const bytes = await downloads.byDeltas(manifest, old.snapshot).catch((error: unknown) => {
          distrustsDeltas = error instanceof SealedFormatError;
          throw error;
        });
        if (bytes !== undefined) return { bytes, kind: 'deltas' };
      }
    }
    return { bytes: await downloads.snapshot(manifest), kind: 'snapshot' };
  }

  return {
    get current() {
      return current;
    },

    async readKept() {
      const [rows, seen] = await Promise.all([store.readManifest(), store.readSeen()]);
      return { rows, seen };
    },
    keepSeen: (sequence, signed) => store.keepSeen(sequence, signed),

    async load(manifest) {
      const [rows, reporters] = await Promise.all(
        [manifest.snapshot, manifest.reporters].map((sha256) => partOf(sha256)),
      );
      if (rows === undefined || reporters === undefined) return;
      try {
        current = toReplica(manifest, parseSnapshot(manifest.epoch.number, manifest.sequence, rows), reporters);
        kept = new Set([manifest.snapshot, manifest.reporters]);
      } catch (error) {
        // The manifest of another version. The next update says so.
        if (!(error instanceof SealedError)) throw error;
      }
    },

    async update(manifest, signed) {
      const { epoch, sequence } = manifest;
      // Without the model, the rows are of no use.
      modelOf(manifest.model, model);
      const { bytes, kind } = await nextSnapshot(manifest);
      const reporters =
        current?.manifest.reporters === manifest.reporters ? current.reporters : await downloads.reporters(manifest);
      current = toReplica(manifest, { epoch: epoch.number, sequence, bytes }, reporters);
      distrustsDeltas = false;
      if (!kept.has(manifest.snapshot)) await store.keepPart(manifest.snapshot, bytes);
      if (!kept.has(manifest.reporters)) await store.keepPart(manifest.reporters, reporters);
      await store.keepManifest(sequence, signed);
      const parts = [manifest.snapshot, manifest.reporters];
      await store.retainParts(parts);
      kept = new Set(parts);
      return kind;
    },

    close: () => store.close(),
  };

  /** Returns a kept part; undefined if it is missing or damaged. */
  async function partOf(sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await store.readPart(sha256);
    return bytes !== undefined && checksum(bytes) === sha256 ? bytes : undefined;
  }
}
