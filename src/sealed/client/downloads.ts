import { requireChecksum } from '../checksum.ts';
import { applyDelta, parseDelta } from '../delta.ts';
import type { Manifest, ManifestDelta } from '../manifest-format.ts';
import { ROW_BYTES, TAG_BYTES } from '../rows.ts';
import { parseSnapshot, type Snapshot } from '../snapshot.ts';
import type { SealedAddresses } from './addresses.ts';
import { SealedServiceError } from './errors.ts';
import type { Requests } from './requests.ts';

const REPORTERS_BYTES = 8 * 1024 * 1024;
/** Room for the header of a delta, and for rows that were dropped meanwhile. */
const DELTA_SPARE_BYTES = 1024 * 1024;

/** Downloads the files of a manifest. Everything that it returns has the checksum that the manifest states. */
export interface Downloads {
  snapshot(manifest: Manifest): Promise<Uint8Array>;
  /**
   * Returns the snapshot of the manifest, made from an older one. Undefined if the manifest lists no chain of deltas
   * between them, or the service no longer keeps one. The older snapshot must be of the same epoch.
   */
  byDeltas(manifest: Manifest, old: Snapshot): Promise<Uint8Array | undefined>;
  reporters(manifest: Manifest): Promise<Uint8Array>;
}

export function createDownloads(requests: Requests, addresses: SealedAddresses): Downloads {
  return {
    async snapshot(manifest) {
      const { rows, epoch, sequence } = manifest;
      const url = addresses.snapshot(epoch.number, sequence);
      const { body } = await requests.get({ url, maxBytes: rows * ROW_BYTES, isLarge: true });
      requireChecksum(body, manifest.snapshot, 'snapshot');
      return parseSnapshot(epoch.number, sequence, body).bytes;
    },

    async byDeltas(manifest, old) {
      const { epoch, sequence, rows } = manifest;
      const chain = chainOf(manifest.deltas, old.sequence, sequence);
      if (chain === undefined) return undefined;
      const maxBytes = DELTA_SPARE_BYTES + rows * ROW_BYTES + (old.bytes.length / ROW_BYTES) * TAG_BYTES;
      let snapshot = old;
      for (const { from, to, sha256 } of chain) {
        const url = addresses.delta(epoch.number, from, to);
        const reply = await requests.get({ url, maxBytes, isLarge: true }).catch(undefinedIfMissing);
        if (reply === undefined) return undefined;
        requireChecksum(reply.body, sha256, 'delta');
        snapshot = applyDelta(snapshot, parseDelta(reply.body));
      }
      requireChecksum(snapshot.bytes, manifest.snapshot, 'snapshot');
      return snapshot.bytes;
    },

    async reporters(manifest) {
      const url = addresses.reporters(manifest.epoch.number, manifest.sequence);
      const { body } = await requests.get({ url, maxBytes: REPORTERS_BYTES });
      requireChecksum(body, manifest.reporters, 'reporters');
      return body;
    },
  };
}

/** Returns the shortest chain of deltas from one sequence to another; undefined if there is none. */
export function chainOf(
  deltas: readonly ManifestDelta[],
  from: number,
  to: number,
): readonly ManifestDelta[] | undefined {
  const chains = new Map<number, readonly ManifestDelta[]>([[from, []]]);
  // They ascend by `from`, so the chains to a sequence are complete before the deltas that begin there.
  for (const delta of deltas) {
    const chain = chains.get(delta.from);
    const known = chains.get(delta.to);
    if (chain !== undefined && (known === undefined || known.length > chain.length + 1))
      chains.set(delta.to, [...chain, delta]);
  }
  return chains.get(to);
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof SealedServiceError && error.code === 'not-found') return undefined;
  throw error;
}
