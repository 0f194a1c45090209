/** Who has reported which identifier, and until when the report stands: what a copying reporter looks at. Times as the caller's. */
export interface PublicRecord {
  add(hashes: readonly string[], reporter: string, until: number): void;
  /** True when somebody else's report on it stands. */
  hasAnother(hash: string, reporter: string, at: number): boolean;
  /** True when anybody ever reported it, withdrawn since or not. */
  has(hash: string): boolean;
}

export function createPublicRecord(): PublicRecord {
  const byHash = new Map<string, { reporter: string; until: number }[]>();
  return {
    add(hashes, reporter, until) {
      for (const hash of hashes) {
        const entries = byHash.get(hash);
        if (entries === undefined) byHash.set(hash, [{ reporter, until }]);
        else entries.push({ reporter, until });
      }
    },
    hasAnother: (hash, reporter, at) =>
      byHash.get(hash)?.some((entry) => entry.reporter !== reporter && entry.until > at) ?? false,
    has: (hash) => byHash.has(hash),
  };
}
