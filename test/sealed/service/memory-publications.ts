import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import type { Publication, PublicationStore } from '../../../src/sealed/service/publication.ts';

/** Publications in memory, with all that were ever visible. */
export function memoryPublications() {
  let used = -1;
  let kept: Publication[] = [];
  const all: Publication[] = [];
  /** What the next `add` does: `before` fails and adds nothing, `after` adds and then fails. */
  const fault: { next?: 'before' | 'after' | undefined } = {};
  const byTime = (): Publication[] => kept.sort((left, right) => left.sequence - right.sequence);
  const store: PublicationStore = {
    reserve: async (least) => (used = Math.max(used + 1, least)),
    async readNewest() {
      const newest = byTime().at(-1);
      if (newest === undefined) return undefined;
      return { manifest: parseManifest(newest.signed.bytes)!, snapshot: newest.snapshot };
    },
    async add(publication) {
      const failing = fault.next;
      fault.next = undefined;
      if (failing === 'before') throw new Error('killed');
      kept = [...byTime().slice(-1), publication];
      all.push(publication);
      if (failing === 'after') throw new Error('killed');
    },
    async removeEpochs(epochs) {
      kept = kept.filter(({ epoch }) => !epochs.includes(epoch));
    },
  };
  return { store, all, fault, kept: byTime };
}
