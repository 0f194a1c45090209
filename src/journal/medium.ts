/**
 * The bytes under a journal: one append-only sequence that can be replaced as a whole. A file in Node, an IndexedDB object store in a browser,
 * plain memory in tests. The journal alone knows what the bytes mean.
 *
 * One journal uses a medium at a time and never overlaps two calls. Every method rejects with the platform's error when it fails;
 * the bytes that were there before the call are then still there, possibly followed by a part of what was appended.
 * A medium that cannot keep that (it no longer knows which bytes would survive) rejects every later call too.
 * `test/contract/journal-medium.ts` holds every implementation to this.
 */
export interface JournalMedium {
  /** Bytes there now. */
  size(): Promise<number>;
  /** `length` bytes from `offset`; fewer only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Adds bytes at the end and resolves once they would survive a crash of the machine. After a failed append the end is not known: truncate first. */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts the end off, durably. Used for the torn last record and for what a failed append left behind. */
  truncate(size: number): Promise<void>;
  /** Replaces everything at once and durably: after a crash at any moment either the old bytes or the new ones are there. */
  replace(chunks: readonly Uint8Array[]): Promise<void>;
  /** Frees what the medium holds; every later call but this one rejects. */
  close(): Promise<void>;
}
