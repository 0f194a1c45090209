import { requireChecksum, checksum } from '../byte-hashes.ts';
import { applyDelta } from '../delta.ts';
import type { Manifest } from '../manifest-format.ts';
import { ROW_BYTES, type RowContent, type RowKeys } from '../rows.ts';
import { lookUp, requireRows } from '../snapshot.ts';
import type { SealedAddresses, Requests } from './requests.ts';
import { SealedServiceError, SealedModelError } from './errors.ts';
import { configureLinkClaim } from '../../core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../core/scoring/link-claim-model.ts';
import type { ExplainingModel } from '../../core/scoring/model.ts';
import type { Standing } from '../../core/scoring/evidence.ts';
import { SealedError, SealedFormatError } from '../errors.ts';
import type { SignedManifest } from '../manifest.ts';
import { parseReporters } from '../reporters.ts';
import { toStandings } from './local-evidence.ts';
import type { ReplicaStore } from './replica-store.ts';

/** One published state: what all parts of an answer are taken from. It never changes. */
export interface Publication {
  readonly manifest: Manifest;
  readonly model: ExplainingModel;
  /** By the reporter's number as text. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Returns the rows of an identifier. */
  rowsOf(keys: RowKeys): readonly RowContent[];
}

/** How a {@link Replica} came to its state. */
export type UpdateKind = 'unchanged' | 'delta' | 'snapshot';

/** All rows of one publication: in memory, and in a store for the next process. */
export interface Replica {
  /** Undefined until the first update or load. */
  readonly current: Publication | undefined;
  /** Uses the kept parts of a verified manifest. Without all of them, `current` stays undefined. */
  load(manifest: Manifest): Promise<void>;
  /**
   * Downloads what a verified manifest states, verifies it and keeps it. If it rejects, `current` is as before, or was
   * moved and could not be kept.
   */
  update(manifest: Manifest, signed: SignedManifest): Promise<UpdateKind>;
}

interface Held extends Publication {
  readonly snapshot: Uint8Array;
  readonly reporters: Uint8Array;
}

/** What a {@link Replica} needs. */
export interface ReplicaParts {
  readonly requests: Requests;
  readonly addresses: SealedAddresses;
  readonly store: ReplicaStore;
  /** The operator's own model. */
  readonly model: ExplainingModel | undefined;
}

export function createReplica({ requests, addresses, store, model: given }: ReplicaParts): Replica {
  const downloads = createDownloads(requests, addresses);
  let current: Held | undefined;
  /** A delta did not give the snapshot of its manifest. The next update downloads the whole one. */
  let distrustsDelta = false;
  /** Parts that the store has, as far as this process knows. */
  let kept: ReadonlySet<string> = new Set();

  function hold(manifest: Manifest, snapshot: Uint8Array, reporters: Uint8Array): Held {
    /** What was opened for earlier queries. */
    const opened = new WeakMap<RowKeys, readonly RowContent[]>();
    return {
      manifest,
      snapshot,
      reporters,
      model: modelOf(manifest.model, given),
      standings: toStandings(parseReporters(reporters)),
      rowsOf(keys) {
        let rows = opened.get(keys);
        if (rows === undefined) opened.set(keys, (rows = lookUp(snapshot, keys)));
        return rows;
      },
    };
  }

  async function nextSnapshot(manifest: Manifest): Promise<{ readonly bytes: Uint8Array; readonly kind: UpdateKind }> {
    const old = current;
    if (old !== undefined && old.manifest.epoch.publicKey === manifest.epoch.publicKey) {
      if (old.manifest.snapshot === manifest.snapshot) return { bytes: old.snapshot, kind: 'unchanged' };
      if (!distrustsDelta) {
        const bytes = await downloads.byDelta(manifest, old).catch((error: unknown) => {
          distrustsDelta = error instanceof SealedFormatError;
          throw error;
        });
        if (bytes !== undefined) return { bytes, kind: 'delta' };
      }
    }
    return { bytes: await downloads.snapshot(manifest), kind: 'snapshot' };
  }

  /** Returns a kept part; undefined if it is missing or damaged. */
  async function partOf(sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await store.readPart(sha256);
    return bytes !== undefined && checksum(bytes) === sha256 ? bytes : undefined;
  }

  return {
    get current() {
      return current;
    },

    async load(manifest) {
      const [rows, reporters] = await Promise.all(
        [manifest.snapshot, manifest.reporters].map((sha256) => partOf(sha256)),
      );
      if (rows === undefined || reporters === undefined) return;
      try {
        requireRows(rows, 'snapshot');
        current = hold(manifest, rows, reporters);
        kept = new Set([manifest.snapshot, manifest.reporters]);
      } catch (error) {
        // The manifest of another version. The next update says so.
        if (!(error instanceof SealedError)) throw error;
      }
    },

    async update(manifest, signed) {
      // Without the model, the rows are of no use.
      modelOf(manifest.model, given);
      const { bytes, kind } = await nextSnapshot(manifest);
      const reporters =
        current?.manifest.reporters === manifest.reporters ? current.reporters : await downloads.reporters(manifest);
      current = hold(manifest, bytes, reporters);
      distrustsDelta = false;
      if (!kept.has(manifest.snapshot)) await store.keepPart(manifest.snapshot, bytes);
      if (!kept.has(manifest.reporters)) await store.keepPart(manifest.reporters, reporters);
      await store.keepManifest(manifest.sequence, signed);
      const parts = [manifest.snapshot, manifest.reporters];
      await store.retainParts(parts);
      kept = new Set(parts);
      return kind;
    },
  };
}

/** `link-claim/7`, and with changed constants `link-claim/7+0123abcd`. */
const LINK_CLAIM = new RegExp(`^link-claim/${LINK_CLAIM_CONSTANTS.version}(?:\\+[0-9a-f]{8})?$`);

/**
 * Returns the model of a manifest with the constants of the manifest. `given` is used if the manifest names it. Throws
 * {@link SealedModelError}: `unknown-model` for any other name, `invalid-constants` for constants that the model
 * refuses or does not know.
 */
export function modelOf({ name, constants }: Manifest['model'], given?: ExplainingModel): ExplainingModel {
  if (name === given?.name) return given;
  if (!LINK_CLAIM.test(name))
    throw new SealedModelError(
      'unknown-model',
      'the manifest names a model that this version lacks; update the client',
    );
  try {
    // Refuses names that this version does not know: they may change the score.
    configureLinkClaim(constants);
    return createLinkClaimModel(constants as unknown as LinkClaimConstants);
  } catch (cause) {
    const message = "the manifest's constants do not fit the model of this version; update the client";
    throw new SealedModelError('invalid-constants', message, { cause });
  }
}

const REPORTERS_BYTES = 8 * 1024 * 1024;

/** Returns what downloads the files of a manifest. All that it returns has the checksum that the manifest states. */
function createDownloads(requests: Requests, addresses: SealedAddresses) {
  return {
    async snapshot(manifest: Manifest): Promise<Uint8Array> {
      const { rows, epoch, sequence } = manifest;
      const url = addresses.snapshot(epoch.number, sequence);
      const { body } = await requests.get({ url, maxBytes: rows * ROW_BYTES, isLarge: true });
      requireChecksum(body, manifest.snapshot, 'snapshot');
      requireRows(body, 'snapshot');
      return body;
    },

    /**
     * Returns the snapshot of the manifest, made from an older one of the same epoch. Undefined if the manifest has no
     * delta from it, or the service no longer keeps it.
     */
    async byDelta(manifest: Manifest, old: Held): Promise<Uint8Array | undefined> {
      const { epoch, sequence, rows, delta } = manifest;
      if (delta?.from !== old.manifest.sequence) return undefined;
      const url = addresses.delta(epoch.number, sequence);
      const reply = await requests.get({ url, maxBytes: rows * ROW_BYTES, isLarge: true }).catch(undefinedIfMissing);
      if (reply === undefined) return undefined;
      requireChecksum(reply.body, delta.sha256, 'delta');
      const bytes = applyDelta(old.snapshot, reply.body);
      requireChecksum(bytes, manifest.snapshot, 'snapshot');
      return bytes;
    },

    async reporters(manifest: Manifest): Promise<Uint8Array> {
      const url = addresses.reporters(manifest.epoch.number, manifest.sequence);
      const { body } = await requests.get({ url, maxBytes: REPORTERS_BYTES });
      requireChecksum(body, manifest.reporters, 'reporters');
      return body;
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof SealedServiceError && error.code === 'not-found') return undefined;
  throw error;
}
