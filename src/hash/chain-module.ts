/** The exports of `assembly/chain.ts` and, from `LANES` on, of `assembly/simd.ts`, which say in which order they are called. */
export interface ChainModule {
  readonly memory: WebAssembly.Memory;
  /** Address and size of the buffer that `absorb` reads. */
  readonly INPUT: WebAssembly.Global;
  readonly INPUT_BYTES: WebAssembly.Global;
  /** Address of the digest: five 32-bit words, little-endian as WebAssembly's memory is. */
  readonly STATE: WebAssembly.Global;
  begin(): void;
  absorb(bytes: number): void;
  endPrefix(): void;
  finish(): void;
  advance(rounds: number): void;
  wipe(): void;

  /** Addresses of four and of eight digests: word k of chain l is the (4k + l)th and the (8k + l)th word. */
  readonly LANES?: WebAssembly.Global;
  readonly WIDE?: WebAssembly.Global;
  advanceFour?(rounds: number): void;
  advanceEight?(rounds: number): void;
}

/**
 * Compiles and instantiates a module from hex, at once: browsers compile so much on the main thread (Chrome since 115; an
 * older one refuses, and the plain definition takes over), and V8 compiles a function when it is first called. Hex, because a package that is sent compressed is a quarter smaller with
 * it than with base64, which hides repetitions. Throws what the platform throws where WebAssembly is missing or a content
 * security policy forbids it.
 */
export function instantiateChain(hex: string): ChainModule {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytesOfHex(hex)));
  return instance.exports as unknown as ChainModule;
}

/** What the platform may have of its own: a loop that has not been optimised yet takes longer than the first identifier. */
interface NativeHex {
  readonly Uint8Array: { fromHex?(hex: string): Uint8Array<ArrayBuffer> };
  readonly Buffer?: { from(hex: string, encoding: 'hex'): Uint8Array<ArrayBuffer> };
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const platform = globalThis as unknown as NativeHex;
  if (platform.Uint8Array.fromHex) return platform.Uint8Array.fromHex(hex);
  if (platform.Buffer) return platform.Buffer.from(hex, 'hex');
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = (valueOf(hex.charCodeAt(at * 2)) << 4) | valueOf(hex.charCodeAt(at * 2 + 1));
  return bytes;
}

/** Of the digit with this code: 0 to 9, or a lowercase a to f. */
function valueOf(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
