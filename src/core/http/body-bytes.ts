/**
 * The bytes of a body that arrives in parts, in one buffer. The parts are copied: each kept one would cost memory of
 * its own, and a body may come byte by byte.
 */
export class BodyBytes {
  readonly #limit: number;
  #bytes = new Uint8Array();
  #length = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Adds a part. Returns false, and forgets all, if the body is above its limit. */
  add(part: Uint8Array): boolean {
    const length = this.#length + part.length;
    if (length > this.#limit) {
      this.#bytes = new Uint8Array();
      // So that no later part fits.
      this.#length = Number.POSITIVE_INFINITY;
      return false;
    }
    if (length > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(length, Math.min(2 * this.#bytes.length, this.#limit)));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
    return true;
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
