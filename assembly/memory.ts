/**
 * The memory map. One page, laid out by hand: nothing is allocated, so the module needs no runtime and never grows.
 * Words are u32 in the machine's order; where SHA-1 reads bytes as big-endian words, `block.ts` says so.
 */

/** 256 words: the two hex digits of a byte as ASCII, first digit in bits 8 to 15, second in bits 0 to 7. */
export const PAIR: usize = 0;
/** 256 words: the same two digits in bits 16 to 31. */
export const PAIR_HIGH: usize = 1024;

/** From here to `SECRETS_END` everything may tell something of the value; `wipe` zeroes it. */
export const SECRETS: usize = 2048;
/** 5 words: the chaining state, and the digest once a message is finished. */
export const STATE: usize = 2048;
/** 5 words: the state after the whole blocks of the prefix, where every later message starts. */
export const PREFIX_STATE: usize = 2080;
/** 32 words: what follows those whole blocks in every later message, padding included; one block of it is used, or both. */
export const TAIL: usize = 2112;
/** 64 bytes: the block being filled. */
export const BLOCK: usize = 2240;
/** Where the host puts bytes to absorb. */
export const INPUT: usize = 4096;
export const INPUT_BYTES: u32 = 4096;
export const SECRETS_END: usize = 8192;
