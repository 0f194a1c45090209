import { joinBytes } from '../group/hash-to-group.ts';
import type { SignedManifest } from '../manifest.ts';

/**
 * Keeps what a client has downloaded: a signed manifest, and its rows by their SHA-256 in lowercase hex. The client
 * verifies everything that it reads. If a store loses the manifest, a client accepts any other. Several processes may
 * use one store. Use one store per operator.
 */
export interface ReplicaStore {
  /** Returns the manifest with the highest sequence; undefined if there is none. */
  readManifest(): Promise<SignedManifest | undefined>;
  /** Keeps a manifest, and removes those with lower sequences. A higher sequence that is there stays. */
  keepManifest(sequence: number, manifest: SignedManifest): Promise<void>;
  /** Returns the bytes of a part; undefined if it is missing. */
  readPart(sha256: string): Promise<Uint8Array | undefined>;
  /** Keeps the bytes of a part, all of them or none. Does not change bytes that are given later. */
  keepPart(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Removes all parts but these. */
  retainParts(sha256s: readonly string[]): Promise<void>;
  /** Ends the use of the store. */
  close(): Promise<void>;
}

/** Returns a store that forgets everything when the process ends. */
export function createMemoryReplica(): ReplicaStore {
  let latest: { readonly sequence: number; readonly manifest: SignedManifest } | undefined;
  const parts = new Map<string, Uint8Array>();
  return {
    readManifest: async () => latest?.manifest,
    async keepManifest(sequence, manifest) {
      if (latest === undefined || sequence >= latest.sequence) latest = { sequence, manifest };
    },
    readPart: async (sha256) => parts.get(sha256),
    keepPart: async (sha256, bytes) => void parts.set(sha256, bytes),
    async retainParts(sha256s) {
      for (const sha256 of parts.keys()) if (!sha256s.includes(sha256)) parts.delete(sha256);
    },
    close: async () => undefined,
  };
}

/** Returns a signed manifest as one list of bytes: length of the signature (one byte), signature, manifest. */
export function encodeSigned({ bytes, signature }: SignedManifest): Uint8Array {
  return joinBytes([Uint8Array.of(signature.length), signature, bytes]);
}

/** Returns the manifest of {@link encodeSigned}; undefined for bytes that are too short. Verifies nothing. */
export function decodeSigned(joined: Uint8Array | undefined): SignedManifest | undefined {
  if (joined === undefined || joined.length <= joined[0]!) return undefined;
  const end = 1 + joined[0]!;
  return { signature: joined.slice(1, end), bytes: joined.slice(end) };
}
