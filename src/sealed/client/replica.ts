import { requireChecksum } from '../byte-hashes.ts';
import { fromBase64Url } from '../encoding.ts';
import type { Manifest } from '../manifest-format.ts';
import { createRowKeys, ROW_BYTES, type RowContent } from '../rows.ts';
import { lookUp, requireRows } from '../snapshot.ts';
import type { SealedAddresses, Requests } from './requests.ts';
import { configureLinkClaim } from '../../core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../core/scoring/link-claim-model.ts';
import type { ExplainingModel } from '../../core/scoring/model.ts';
import { SealedError } from '../errors.ts';
import type { ClientFolder } from './client-folder.ts';

/** One published state: what all parts of an answer are taken from. It never changes. */
export interface Publication {
  readonly manifest: Manifest;
  readonly model: ExplainingModel;
  /** Returns the rows of an identifier by its element. */
  rowsOf(element: Uint8Array): readonly RowContent[];
}

/** How a {@link Replica} came to its state. */
export type UpdateKind = 'unchanged' | 'snapshot';

/** All rows of one publication: in memory, and in a folder for the next process. */
export interface Replica {
  /** Undefined until the first update or load. */
  readonly current: Publication | undefined;
  /** Uses the kept rows of a verified manifest. Without them, `current` stays undefined. */
  load(manifest: Manifest): Promise<void>;
  /**
   * Downloads what a verified manifest states, unless it is kept, verifies it and keeps it. If it rejects, `current` is
   * as before, or was moved and could not be kept. `isTold`: the manifest replaces a later one.
   */
  update(manifest: Manifest, isTold: boolean): Promise<UpdateKind>;
}

/** What a {@link Replica} needs. */
export interface ReplicaParts {
  readonly requests: Requests;
  readonly addresses: SealedAddresses;
  readonly folder: ClientFolder;
  /** The operator's own model. */
  readonly model: ExplainingModel | undefined;
}

export function createReplica({ requests, addresses, folder, model: given }: ReplicaParts): Replica {
  let current: Publication | undefined;

  function hold(manifest: Manifest, snapshot: Uint8Array): Publication {
    const salt = fromBase64Url(manifest.salt)!;
    /** What was opened for earlier queries. */
    const opened = new WeakMap<Uint8Array, readonly RowContent[]>();
    return {
      manifest,
      model: modelOf(manifest.model, given),
      rowsOf(element) {
        let rows = opened.get(element);
        if (rows === undefined) opened.set(element, (rows = lookUp(snapshot, createRowKeys(salt, element))));
        return rows;
      },
    };
  }

  return {
    get current() {
      return current;
    },

    async load(manifest) {
      const rows = await folder.readRows(manifest);
      if (rows === undefined) return;
      try {
        requireRows(rows);
        current = hold(manifest, rows);
      } catch (error) {
        // The manifest of another version. The next update says so.
        if (!(error instanceof SealedError)) throw error;
      }
    },

    async update(manifest, isTold) {
      // Without the model, the rows are of no use.
      modelOf(manifest.model, given);
      const isCurrent = (): boolean =>
        current?.manifest.snapshot === manifest.snapshot && current.manifest.salt === manifest.salt;
      // Another process may have fetched them.
      if (!isCurrent()) await this.load(manifest);
      if (isCurrent()) {
        await folder.keepRows(manifest, undefined, isTold);
        return 'unchanged';
      }
      const { rows, epoch, sequence, snapshot } = manifest;
      const url = addresses.snapshot(epoch.number, sequence);
      const { body } = await requests.get({ url, maxBytes: rows * ROW_BYTES, isLarge: true });
      requireChecksum(body, snapshot);
      requireRows(body);
      current = hold(manifest, body);
      await folder.keepRows(manifest, body, isTold);
      return 'snapshot';
    },
  };
}

/** `link-claim/7`, and with changed constants `link-claim/7+0123abcd`. */
const LINK_CLAIM = new RegExp(`^link-claim/${LINK_CLAIM_CONSTANTS.version}(?:\\+[0-9a-f]{8})?$`);

/**
 * Returns the model of a manifest with the constants of the manifest. `given` is used if the manifest names it. Throws
 * {@link SealedError}: `unknown-model` for any other name, `invalid-constants` for constants that the model
 * refuses or does not know.
 */
export function modelOf({ name, constants }: Manifest['model'], given?: ExplainingModel): ExplainingModel {
  if (name === given?.name) return given;
  if (!LINK_CLAIM.test(name))
    throw new SealedError('unknown-model', 'the manifest names a model that this version lacks; update the client');
  try {
    // Refuses names that this version does not know: they may change the score.
    configureLinkClaim(constants);
    return createLinkClaimModel(constants as unknown as LinkClaimConstants);
  } catch (cause) {
    const message = "the manifest's constants do not fit the model of this version; update the client";
    throw new SealedError('invalid-constants', message, { cause });
  }
}
