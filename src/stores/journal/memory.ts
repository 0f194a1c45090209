import type { JournalMedium } from './medium.ts';

/** A medium in memory, for tests and for a browser without storage. Its bytes last as long as the object. */
export interface MemoryMedium extends JournalMedium {
  /** Returns a copy of all bytes. */
  bytes(): Uint8Array;
}

/** Creates a medium in memory that begins with a copy of `initial`. */
export function createMemoryMedium(initial: Uint8Array = new Uint8Array(0)): MemoryMedium {
  let buffer = initial.slice();
  let used = buffer.length;
  let open = true;

  function mustBeOpen(): void {
    if (!open) throw new Error('the memory medium is closed');
  }

  return {
    bytes: () => buffer.slice(0, used),
    async size() {
      mustBeOpen();
      return used;
    },
    async read(offset, length) {
      mustBeOpen();
      return buffer.slice(offset, Math.min(used, offset + length));
    },
    async append(bytes) {
      mustBeOpen();
      if (used + bytes.length > buffer.length) {
        // Doubling the size keeps the cost of many small appends linear.
        const larger = new Uint8Array(Math.max(2 * buffer.length, used + bytes.length));
        larger.set(buffer.subarray(0, used));
        buffer = larger;
      }
      buffer.set(bytes, used);
      used += bytes.length;
    },
    async truncate(size) {
      mustBeOpen();
      used = Math.min(used, size);
    },
    async replace(chunks) {
      mustBeOpen();
      const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.byteLength;
      }
      buffer = whole;
      used = at;
    },
    async close() {
      open = false;
    },
  };
}
