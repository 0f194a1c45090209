/**
 * The memory map: one page with fixed addresses. Nothing is allocated, so the module needs no runtime and never grows.
 * Words are u32 in the machine's byte order; `message.ts` converts the big-endian words of SHA-1.
 */

/** 256 words: the two hex digits of a byte as ASCII, first digit in bits 8 to 15, second in bits 0 to 7. */
export const PAIR: usize = 0;
/** 256 words: the same two digits in bits 16 to 31. */
export const PAIR_HIGH: usize = 1024;

/** Memory from here to `SECRETS_END` may depend on the value; `wipe` zeroes it. */
export const SECRETS: usize = 2048;
/** 5 words: the chaining state, and the digest once a message is finished. */
export const STATE: usize = 2048;
/** 5 words: the state after the whole blocks of the prefix, with which each later message starts. */
export const PREFIX_STATE: usize = 2080;
/** 32 words: the rest of each later message, padding included, in one block or two. */
export const TAIL: usize = 2112;
/** 64 bytes: the incomplete block of the message. */
export const BLOCK: usize = 2240;
/** 5 vectors: the digests of four chains; vector k holds word k of each. */
export const LANES: usize = 2304;
/** 80 words: the schedule of one chain with the round constants added. */
export const WORDS: usize = 2432;
/** 10 vectors: the digests of eight chains; vectors 2k and 2k + 1 hold word k of each. */
export const WIDE: usize = 2752;
/** 2 × 16 vectors: a `TAIL` of one block for eight chains; vectors 2t and 2t + 1 hold word t of each. */
export const WIDE_TAIL: usize = 3072;
/** What the kernels xor to the first and to the last word with digits, if the digits begin within a word. */
export const FIRST_FIX: usize = 3584;
export const LAST_FIX: usize = 3588;
/** The bytes that the host passes to `absorb`. */
export const INPUT: usize = 4096;
export const INPUT_BYTES: u32 = 4096;
/** 2 × 80 vectors: `TAIL` for four chains, with space for the schedule after each block. */
export const LANES_TAIL: usize = 8192;
export const LANES_TAIL_BLOCK: usize = 1280;
export const SECRETS_END: usize = 10752;

/** Constants of the vector code. They are in memory because V8 12 and later rebuild a literal at each use. */
export const DIGITS: usize = 10752;
export const NIBBLES: usize = 10768;
/** 6 words for `wideDigits`, each loaded into all four lanes. */
export const WIDE_CONSTANTS: usize = 10784;
/** 32 vectors: the constants of the kernels, each four times; `fillNumbers` writes them. */
export const NUMBERS: usize = 10816;
