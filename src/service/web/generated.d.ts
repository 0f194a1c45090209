// What every build writes beside this file (scripts/build.mjs). With this declaration, types are checked before any
// build.
declare module '*/scripts.generated.ts' {
  /**
   * The scripts of pages: minified modules that import only each other, as gzip in base64. Each name ends with a
   * hash of the content.
   */
  export const SCRIPTS: readonly { readonly file: string; readonly gzip: string }[];
}
declare module '*/guides.generated.ts' {
  /** A guide: its HTML without the title, as gzip in base64, and the headings of levels 2 and 3. */
  interface Guide {
    readonly gzip: string;
    readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  }
  /** docs/protocol.md. */
  export const PROTOCOL: Guide;
  /** docs/points.md. */
  export const POINTS: Guide;
}
