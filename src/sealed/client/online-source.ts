import type { Publication, PublicationSource } from './publication.ts';

/** Returns a source without rows: the service answers each query. */
export function createOnlineSource(): PublicationSource {
  let current: Publication | undefined;
  return {
    get current() {
      return current;
    },
    readKept: async () => ({ rows: undefined, seen: undefined }),
    load: async () => undefined,
    keepSeen: async () => undefined,
    close: async () => undefined,
    async update(manifest) {
      const isSame = current?.manifest.sequence === manifest.sequence;
      current = { manifest, local: undefined };
      return isSame ? 'unchanged' : 'manifest';
    },
  };
}
