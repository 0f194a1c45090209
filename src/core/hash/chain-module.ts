/** The exports of `assembly/chain.ts`. That file documents the order of the calls. */
export interface ChainModule {
  readonly memory: WebAssembly.Memory;
  /** Address and size of the buffer that `absorb` reads. */
  readonly INPUT: WebAssembly.Global;
  readonly INPUT_BYTES: WebAssembly.Global;
  /** Address of the digest: five 32-bit words, little-endian. */
  readonly STATE: WebAssembly.Global;
  begin(): void;
  absorb(bytes: number): void;
  endPrefix(): void;
  finish(): void;
  advance(rounds: number): void;
  wipe(): void;
}

/** The exports of `assembly/simd.ts`. */
export interface VectorModule extends ChainModule {
  /** Address of the digests of four chains. Word k of chain l is word 4·k + l, counted from 0. */
  readonly LANES: WebAssembly.Global;
  /** Address of the digests of eight chains. Word k of chain l is word 8·k + l, counted from 0. */
  readonly WIDE: WebAssembly.Global;
  advanceFour(rounds: number): void;
  advanceEight(rounds: number): void;
}

/**
 * Instantiates a module, synchronously. Unpacks and compiles it first if it is given as hex. The build for workerd
 * passes a compiled module, because workerd compiles no bytes at run time. Current browsers allow modules of this size
 * on the main thread. Chrome before 115 throws, and `choose` then returns the plain hasher. V8 compiles each function
 * at its first call.
 *
 * The packed modules are hex, not base64, because gzip compresses hex better. Throws the platform's error if
 * WebAssembly is missing or a content security policy forbids it.
 */
export function instantiateChain(code: string | WebAssembly.Module): ChainModule | VectorModule {
  const module = typeof code === 'string' ? new WebAssembly.Module(unpack(bytesOfHex(code))) : code;
  return new WebAssembly.Instance(module).exports as unknown as ChainModule;
}

/**
 * Returns the bytes that `scripts/pack-module.mjs` has packed. Numbers of two bytes are big-endian:
 *
 * 1. number of unpacked bytes: two bytes; number of copies: two bytes
 * 2. for each copy: how many literals precede it: one byte; its length: one byte; how far back its source starts: two
 * 3. all literals, in order; those after the last copy come last
 *
 * A copy never overlaps its source. At the first call, each step costs ten times as much as later, so the packer avoids
 * short copies.
 */
export function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const twoBytes = (at: number): number => (packed[at]! << 8) | packed[at + 1]!;
  const bytes = new Uint8Array(twoBytes(0));
  const literals = 4 + 4 * twoBytes(2);
  let from = literals;
  let to = 0;
  for (let copy = 4; copy < literals; copy += 4) {
    for (const end = to + packed[copy]!; to < end;) bytes[to++] = packed[from++]!;
    const source = to - twoBytes(copy + 2);
    const length = packed[copy + 1]!;
    bytes.copyWithin(to, source, source + length);
    to += length;
  }
  bytes.set(packed.subarray(from), to);
  return bytes;
}

/**
 * Decoders that only some platforms have. At the first call they are faster than a loop, which is not optimised yet.
 */
interface NativeHex {
  readonly Uint8Array: Uint8ArrayConstructor & { fromHex?(hex: string): Uint8Array<ArrayBuffer> };
  readonly Buffer?: { from(hex: string, encoding: 'hex'): Uint8Array<ArrayBuffer> };
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const platform: NativeHex = globalThis;
  if (platform.Uint8Array.fromHex) return platform.Uint8Array.fromHex(hex);
  if (platform.Buffer) return platform.Buffer.from(hex, 'hex');
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = (digitOf(hex.charCodeAt(at * 2)) << 4) | digitOf(hex.charCodeAt(at * 2 + 1));
  return bytes;
}

/** Returns the value of a hex digit, given its character code. Accepts 0 to 9 and lowercase a to f. */
function digitOf(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
