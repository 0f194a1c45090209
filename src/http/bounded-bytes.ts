/** Collects the chunks of a body up to a limit, so that no request can make the process hold more. */
export interface BoundedBytes {
  /** Takes a chunk; false when the limit is passed, and then nothing is kept any more. */
  add(chunk: Uint8Array): boolean;
  /** What was taken, in one piece; nothing when the limit was passed. */
  bytes(): Uint8Array;
}

/** An empty collection for at most `limitBytes`. */
export function createBoundedBytes(limitBytes: number): BoundedBytes {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isOver = false;
  return {
    add(chunk) {
      if (isOver || length + chunk.length > limitBytes) {
        isOver = true;
        chunks.length = 0;
        length = 0;
        return false;
      }
      length += chunk.length;
      chunks.push(chunk);
      return true;
    },
    bytes() {
      const [first] = chunks;
      if (first !== undefined && chunks.length === 1) return first;
      const whole = new Uint8Array(length);
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      return whole;
    },
  };
}

/** True when a Content-Length header already says that the body is longer than the limit. */
export function declaresTooMuch(contentLength: string | undefined | null, limitBytes: number): boolean {
  return contentLength !== undefined && contentLength !== null && Number(contentLength) > limitBytes;
}
