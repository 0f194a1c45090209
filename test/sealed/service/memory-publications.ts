import { joinBytes } from '../../../src/sealed/group/hash-to-group.ts';
import type { Head } from '../../../src/sealed/history.ts';
import {
  headOf,
  type Publication,
  type PublicationReader,
  type PublicationStore,
} from '../../../src/sealed/service/publications.ts';

/** Publications in memory, with all that were ever visible. */
export function memoryPublications() {
  let head: Head | undefined;
  let kept: Publication[] = [];
  const all: Publication[] = [];
  /** What the next `add` does: `before` fails and adds nothing, `after` adds and then fails. */
  const fault: { next?: 'before' | 'after' | undefined } = {};
  const byTime = (): Publication[] => kept.sort((left, right) => left.sequence - right.sequence);
  const store: PublicationStore = {
    readHead: async () => head,
    async add(added, countersign) {
      const failing = fault.next;
      fault.next = undefined;
      if (failing === 'before') throw new Error('killed');
      const { bytes, signature } = added.signed;
      head = headOf(bytes)!;
      const signed = { bytes, signature: joinBytes([signature, await countersign(head)]) };
      const publication = { ...added, signed };
      kept = [...byTime().slice(-1), publication];
      all.push(publication);
      if (failing === 'after') throw new Error('killed');
    },
    async removeEpochs(epochs) {
      kept = kept.filter(({ epoch }) => !epochs.includes(epoch));
    },
  };
  const find = (epoch: number, sequence: number): Uint8Array | undefined =>
    kept.find((one) => one.epoch === epoch && one.sequence === sequence)?.snapshot;
  const reader: PublicationReader = {
    async newest() {
      const newest = byTime().at(-1);
      return newest && { ...newest.signed, epoch: newest.epoch, sequence: newest.sequence };
    },
    lengthOf: async (...which) => find(...which)?.length,
    read: async (...which) => find(...which),
  };
  return { store, reader, all, fault, kept: byTime };
}
