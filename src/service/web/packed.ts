/** Returns a function for a text of which gzip and base64 are given. The first call unpacks it. */
export function createUnpack(gzip: string): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => (text ??= unpack(gzip));
}

function unpack(gzip: string): Promise<string> {
  const bytes = Uint8Array.from(atob(gzip), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
