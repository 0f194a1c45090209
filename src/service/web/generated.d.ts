// What every build writes beside this file (scripts/build.mjs). With this declaration, types are checked before any
// build.
declare module '*/scripts.generated.ts' {
  /** The scripts of pages: minified modules that import only each other. Each name ends with a hash of the content. */
  export const SCRIPTS: readonly { readonly file: string; readonly text: string }[];
}
declare module '*/protocol.generated.ts' {
  /** docs/protocol.md: its HTML without the title, and the headings of levels 2 and 3. */
  export const PROTOCOL: {
    readonly html: string;
    readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  };
}
