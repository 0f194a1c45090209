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
/** 5 vectors: the digests of four chains, vector k holding word k of all. */
export const LANES: usize = 2304;
/** 80 words: the schedule of one chain with the round constants added. */
export const WORDS: usize = 2432;
/** 10 vectors: the digests of eight chains, vectors 2k and 2k + 1 holding word k of all. */
export const WIDE: usize = 2752;
/** 32 vectors: what the kernels need of the prefix, each word four times over; `fillSlots` says which. */
export const SLOTS: usize = 3072;
/** 1 vector: W0 and W1, when the prefix has 8 bytes. */
export const PREFIX_WORDS: usize = 3584;
/** Where the host puts bytes to absorb. */
export const INPUT: usize = 4096;
export const INPUT_BYTES: u32 = 4096;
/** 2 × 80 vectors: `TAIL` for four chains, and behind each of its blocks room for the schedule. */
export const LANES_TAIL: usize = 8192;
export const LANES_TAIL_BLOCK: usize = 1280;
export const SECRETS_END: usize = 10752;

/** Constants of the vector code, from memory because V8 12 and later build a literal anew at each use. */
export const DIGITS: usize = 10752;
export const NIBBLES: usize = 10768;
export const PADDING: usize = 10784;
/** 32 vectors: the kernels' constants, each four times over; `fillNumbers` says which. */
export const NUMBERS: usize = 10880;
/** 6 words for `wideDigits`, each loaded four times over. */
export const WIDE_CONSTANTS: usize = 10816;
