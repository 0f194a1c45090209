import type { Standing } from '../../core/scoring/evidence.ts';
import type { ExplainingModel } from '../../core/scoring/model.ts';
import type { Manifest } from '../manifest-format.ts';
import type { SignedManifest } from '../manifest.ts';
import type { RowContent, RowKeys } from '../rows.ts';

/** One published state: what all parts of an answer are taken from. It never changes. */
export interface Publication {
  readonly manifest: Manifest;
  /** What local answers need; undefined if the service answers (`replica: 'none'`). */
  readonly local: LocalRows | undefined;
}

/** What computes a local answer. */
export interface LocalRows {
  readonly model: ExplainingModel;
  /** By the reporter's number as text. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Returns the rows of an identifier. */
  rowsOf(keys: RowKeys): readonly RowContent[];
}

/** How a {@link PublicationSource} came to its state. */
export type UpdateKind = 'unchanged' | 'deltas' | 'snapshot' | 'manifest';

/** The manifests that an earlier process kept. Their signatures must be verified. Undefined if there is none. */
export interface StoredManifests {
  /** The manifest of the kept rows. */
  readonly rows: SignedManifest | undefined;
  /** The last one that was seen: at least as new, also if its rows were never there. */
  readonly seen: SignedManifest | undefined;
}

/** Follows the manifests: downloads what they state, verifies it and keeps it. */
export interface PublicationSource {
  /** Undefined until the first update or load. */
  readonly current: Publication | undefined;
  readKept(): Promise<StoredManifests>;
  /** Uses the kept parts of a verified manifest. Without all of them, `current` stays undefined. */
  load(manifest: Manifest): Promise<void>;
  /** Keeps a verified manifest, but not its rows, for the next process. */
  keepSeen(sequence: number, signed: SignedManifest): Promise<void>;
  /** Moves to a verified manifest. If it rejects, `current` is as before, or was moved and could not be kept. */
  update(manifest: Manifest, signed: SignedManifest): Promise<UpdateKind>;
  close(): Promise<void>;
}
