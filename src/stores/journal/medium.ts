/**
 * Storage for a journal's bytes: an append-only sequence that can be replaced as a whole. Examples are a file in Node,
 * an IndexedDB object store in a browser, and memory in tests. Only the journal interprets the bytes.
 *
 * One journal uses a medium at a time and never overlaps two calls. If a method fails, it rejects with the platform's
 * error. The previous bytes remain, possibly followed by a part of the appended bytes. A medium that cannot guarantee
 * this rejects every later call. `test/contract/journal-medium.ts` tests every implementation.
 */
export interface JournalMedium {
  /** Returns the current number of bytes. */
  size(): Promise<number>;
  /** Returns `length` bytes from `offset`; fewer only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Appends bytes. Resolves when they would survive a power loss. If it fails, the end is unknown: truncate before the
   * next append.
   */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts off the bytes after `size`, durably. Removes a torn last record, or the rest of a failed append. */
  truncate(size: number): Promise<void>;
  /** Replaces all bytes atomically and durably: a crash leaves either the old bytes or the new ones. */
  replace(chunks: readonly Uint8Array[]): Promise<void>;
  /** Releases the medium. Every later call except `close` rejects. */
  close(): Promise<void>;
}
