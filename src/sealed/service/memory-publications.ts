import { parseManifest } from '../manifest-format.ts';
import type { Publication, PublicationPart, PublicationReader, PublicationStore } from './publication.ts';

/** Returns publications in memory: where the publisher puts them, and where the endpoints read them. */
export function createMemoryPublications(): { readonly store: PublicationStore; readonly reader: PublicationReader } {
  /** Ascending by sequence. */
  let kept: readonly Publication[] = [];
  let used = -1;

  const store: PublicationStore = {
    reserve: async (minSequence) => (used = Math.max(used + 1, minSequence)),
    async readNewest() {
      const newest = kept.at(-1);
      return newest && { ...newest, manifest: parseManifest(newest.signed.bytes)! };
    },
    async add(publication) {
      kept = [...kept.slice(-1), publication];
    },
    async removeEpochs(epochs) {
      kept = kept.filter(({ epoch }) => !epochs.includes(epoch));
    },
  };
  const find = (epoch: number, sequence: number, part: PublicationPart): Uint8Array | undefined =>
    kept.find((one) => one.epoch === epoch && one.sequence === sequence)?.[part];
  const reader: PublicationReader = {
    async newest() {
      const newest = kept.at(-1);
      return newest && { ...newest.signed, epoch: newest.epoch, sequence: newest.sequence };
    },
    lengthOf: async (...file) => find(...file)?.length,
    read: async (...file) => find(...file),
  };
  return { store, reader };
}
