/** Returns a text of which gzip and base64 are given. */
export function unpackText(gzip: string): Promise<string> {
  const bytes = Uint8Array.from(atob(gzip), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
