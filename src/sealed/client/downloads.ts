import { requireChecksum } from '../checksum.ts';
import { applyDelta, parseDelta } from '../delta.ts';
import type { Manifest } from '../manifest-format.ts';
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
   * Returns the snapshot of the manifest, made from an older one of the same epoch. Undefined if the manifest has no
   * delta from it, or the service no longer keeps it.
   */
  byDelta(manifest: Manifest, old: Snapshot): Promise<Uint8Array | undefined>;
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

    async byDelta(manifest, old) {
      const { epoch, sequence, rows, delta } = manifest;
      if (delta?.from !== old.sequence) return undefined;
      const maxBytes = DELTA_SPARE_BYTES + rows * ROW_BYTES + (old.bytes.length / ROW_BYTES) * TAG_BYTES;
      const url = addresses.delta(epoch.number, sequence);
      const reply = await requests.get({ url, maxBytes, isLarge: true }).catch(undefinedIfMissing);
      if (reply === undefined) return undefined;
      requireChecksum(reply.body, delta.sha256, 'delta');
      const { bytes } = applyDelta(old, parseDelta(reply.body));
      requireChecksum(bytes, manifest.snapshot, 'snapshot');
      return bytes;
    },

    async reporters(manifest) {
      const url = addresses.reporters(manifest.epoch.number, manifest.sequence);
      const { body } = await requests.get({ url, maxBytes: REPORTERS_BYTES });
      requireChecksum(body, manifest.reporters, 'reporters');
      return body;
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof SealedServiceError && error.code === 'not-found') return undefined;
  throw error;
}
