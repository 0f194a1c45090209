// What `npm run build:wasm` writes beside this file. With these declarations, types are checked before any build.
declare module '*/scalar.generated.ts' {
  /** The module without vectors, packed, as hex. */
  export const SCALAR_WASM: string;
}
declare module '*/simd.generated.ts' {
  /** The module with vectors, packed, as hex. */
  export const SIMD_WASM: string;
}
