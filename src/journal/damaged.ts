/**
 * The journal's bytes are not what was written: something other than a crash in the middle of a write happened to them.
 * Thrown while opening, before anything is written, so the bytes can be copied away and looked at.
 */
export class JournalDamagedError extends Error {
  override readonly name = 'JournalDamagedError';
  /** Byte where reading stopped making sense; everything before it is whole. */
  readonly offset: number;
  /** What should have been there. */
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(`the journal is damaged at byte ${offset}: expected ${expected}; nothing was changed`);
    this.offset = offset;
    this.expected = expected;
  }
}
