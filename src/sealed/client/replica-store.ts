import { SIGNATURE_BYTES, type SignedManifest } from '../manifest.ts';

/**
 * Keeps what a client has downloaded: a signed manifest with its parts (snapshot, reporters' table) by their SHA-256 in
 * lowercase hex, and the signed manifest that was seen last. The client verifies everything that it reads. If a store
 * loses both manifests, an older one is not refused. Several processes may use one store. Use one store per operator.
 */
export interface ReplicaStore {
  /** Returns the manifest with the highest sequence; undefined if there is none. */
  readManifest(): Promise<SignedManifest | undefined>;
  /** Keeps a manifest, and removes those with lower sequences. A higher sequence that is there stays. */
  keepManifest(sequence: number, manifest: SignedManifest): Promise<void>;
  /** As {@link readManifest}, for the manifest that was seen last. */
  readSeen(): Promise<SignedManifest | undefined>;
  /** As {@link keepManifest}, for a manifest whose parts may not be there. Leaves those of `keepManifest` alone. */
  keepSeen(sequence: number, manifest: SignedManifest): Promise<void>;
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
  const ofRows = memorySlot();
  const seen = memorySlot();
  const parts = new Map<string, Uint8Array>();
  return {
    readManifest: ofRows.read,
    keepManifest: ofRows.keep,
    readSeen: seen.read,
    keepSeen: seen.keep,
    readPart: async (sha256) => parts.get(sha256),
    keepPart: async (sha256, bytes) => void parts.set(sha256, bytes),
    async retainParts(sha256s) {
      for (const sha256 of parts.keys()) if (!sha256s.includes(sha256)) parts.delete(sha256);
    },
    close: async () => undefined,
  };
}

function memorySlot() {
  let latest: { readonly sequence: number; readonly manifest: SignedManifest } | undefined;
  return {
    read: async () => latest?.manifest,
    async keep(sequence: number, manifest: SignedManifest) {
      if (latest === undefined || sequence >= latest.sequence) latest = { sequence, manifest };
    },
  };
}

/** Returns a signed manifest as one list of bytes: the signature, then the manifest. */
export function encodeSigned({ bytes, signature }: SignedManifest): Uint8Array {
  const joined = new Uint8Array(SIGNATURE_BYTES + bytes.length);
  joined.set(signature);
  joined.set(bytes, SIGNATURE_BYTES);
  return joined;
}

/** Returns the manifest of {@link encodeSigned}; undefined for bytes that are too short. Verifies nothing. */
export function decodeSigned(joined: Uint8Array | undefined): SignedManifest | undefined {
  if (joined === undefined || joined.length < SIGNATURE_BYTES) return undefined;
  return { signature: joined.slice(0, SIGNATURE_BYTES), bytes: joined.slice(SIGNATURE_BYTES) };
}
