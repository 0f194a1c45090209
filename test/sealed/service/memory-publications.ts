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
    list: async () => byTime().map(({ epoch, sequence, issuedAt }) => ({ epoch, sequence, issuedAt })),
    async readNewest() {
      const newest = byTime().at(-1);
      if (newest === undefined) return undefined;
      return { manifest: parseManifest(newest.signed.bytes)!, snapshot: newest.snapshot, numbers: newest.numbers };
    },
    async add(publication) {
      const failing = fault.next;
      fault.next = undefined;
      if (failing === 'before') throw new Error('killed');
      kept.push(publication);
      all.push(publication);
      if (failing === 'after') throw new Error('killed');
    },
    async removeIssuedBefore(time) {
      const newest = byTime().at(-1);
      kept = kept.filter((one) => one === newest || one.issuedAt >= time);
    },
    async removeEpochs(epochs) {
      kept = kept.filter(({ epoch }) => !epochs.includes(epoch));
    },
  };
  return { store, all, fault, kept: byTime };
}
