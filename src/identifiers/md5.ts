/** The shifts of the four groups of sixteen steps (RFC 1321, 3.4). */
const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
/** The whole part of 2^32 × |sin(step + 1)| (RFC 1321, 3.4). */
const CONSTANTS = /* @__PURE__ */ Int32Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));
const BLOCK_BYTES = 64;
/** The 0x80 that ends a message and the 64-bit length at the end of its last block. */
const LEAST_PADDING_BYTES = 9;

/**
 * MD5 (RFC 1321) as 32 lowercase hex characters, only to recognise what a client computed by mistake.
 *
 * Written here, although a dependency has it: the hash door works in a page as it stands, without a bundler, so it
 * imports no package.
 */
export function md5(message: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil((message.length + LEAST_PADDING_BYTES) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n, true);

  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let block = 0; block < padded.length; block += BLOCK_BYTES) compress(state, view, block);
  padded.fill(0);

  // A word is written from its lowest byte on.
  let hex = '';
  for (const word of state) for (let shift = 0; shift < 32; shift += 8) hex += ((word >>> shift) & 255).toString(16).padStart(2, '0');
  return hex;
}

function compress(state: Int32Array, view: DataView, block: number): void {
  let [a, b, c, d] = state as unknown as [number, number, number, number];
  for (let step = 0; step < 64; step++) {
    const group = step >> 4;
    let mixed: number;
    let word: number;
    if (group === 0) [mixed, word] = [(b & c) | (~b & d), step];
    else if (group === 1) [mixed, word] = [(d & b) | (~d & c), (5 * step + 1) & 15];
    else if (group === 2) [mixed, word] = [b ^ c ^ d, (3 * step + 5) & 15];
    else [mixed, word] = [c ^ (b | ~d), (7 * step) & 15];
    const sum = (a + mixed + CONSTANTS[step]! + view.getInt32(block + word * 4, true)) | 0;
    const shift = SHIFTS[group * 4 + (step & 3)]!;
    a = d; d = c; c = b;
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
}
