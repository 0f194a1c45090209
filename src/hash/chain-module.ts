/** The exports of `assembly/chain.ts`, which says in which order they are called. */
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
}

/**
 * Compiles and instantiates a module from base64, at once: the 5 kB are far below what browsers refuse to compile on the
 * main thread. Throws what the platform throws where WebAssembly is missing or a content security policy forbids it.
 */
export function instantiateChain(base64: string): ChainModule {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return instance.exports as unknown as ChainModule;
}
