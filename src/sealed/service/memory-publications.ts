import { parseManifest } from '../manifest-format.ts';
import { joinBytes } from '../group/hash-to-group.ts';
import type { Head } from '../history.ts';
import {
  headOf,
  type Publication,
  type PublicationPart,
  type PublicationReader,
  type PublicationStore,
} from './publication.ts';

/** Returns publications in memory: where the publisher puts them, and where the endpoints read them. */
export function createMemoryPublications(): { readonly store: PublicationStore; readonly reader: PublicationReader } {
  /** Ascending by sequence. */
  let kept: readonly Publication[] = [];
  let head: Head | undefined;

  const store: PublicationStore = {
    readHead: async () => head,
    async readNewest() {
      const newest = kept.at(-1);
      return newest && { ...newest, manifest: parseManifest(newest.signed.bytes)! };
    },
    async add(publication, countersign) {
      const { bytes, signature } = publication.signed;
      head = headOf(bytes);
      const signed = { bytes, signature: joinBytes([signature, await countersign(head!)]) };
      kept = [...kept.slice(-1), { ...publication, signed }];
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
