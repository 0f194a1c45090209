import { isKindList, isTypeList, type CodeLists } from './codes.ts';
import { isObject, isShape, parseJson, type Check, type JsonObject, type JsonValue } from './json.ts';
import { DAY_MS } from '../core/domain/day.ts';
import { fromBase64Url } from './encoding.ts';
import { MAX_LISTED, type Head, type History, type Mark } from './history.ts';

/** Days of an epoch. */
export const EPOCH_DAYS = 30;
/** Hours that a manifest is valid. */
export const MANIFEST_HOURS = 48;

/**
 * What an operator publishes and signs. Times are milliseconds since the epoch of Unix, UTC. Keys are base64url of 32
 * bytes (43 characters); checksums are SHA-256 in lowercase hex (64 characters).
 */
export interface Manifest extends CodeLists {
  /** Ed25519 public key of the operator. */
  readonly operatorKey: string;
  /** Who has the sealing key. */
  readonly evaluator: ManifestEvaluator;
  /** Rises with each manifest, over all epochs: minutes since 1970, or more. 0 to 2^32 - 1. */
  readonly sequence: number;
  /** Binds all clients to one history. */
  readonly history: History;
  readonly issuedAt: number;
  /** {@link MANIFEST_HOURS} after `issuedAt`. */
  readonly expiresAt: number;
  /** The epoch of the snapshot. */
  readonly epoch: ManifestEpoch;
  /** The epoch that follows. Evaluations under its key are answered from `startsAt`. Null until its key exists. */
  readonly next: ManifestNextEpoch | null;
  /** Numbers of the epochs whose keys were destroyed, ascending. */
  readonly destroyed: readonly number[];
  /** Number of rows in the snapshot. */
  readonly rows: number;
  /** Checksum of the snapshot of this sequence. */
  readonly snapshot: string;
  /** Salt of the rows: fresh in each publication. */
  readonly salt: string;
  /** The scoring model, e.g. `link-claim/7`, and its constants as the operator configured them. */
  readonly model: { readonly name: string; readonly constants: JsonObject };
  /** Whether a hash also matches under another kind than it was reported with. */
  readonly matchKinds: MatchKinds;
}

/** `any`: a hash matches under any kind. `exact`: only under the same kind. */
export type MatchKinds = 'any' | 'exact';

export interface ManifestEvaluator {
  /** Ed25519 public key, with which the evaluator signs each manifest once. Clients get it from the evaluator. */
  readonly key: string;
  /** pk0 = k0 · G. */
  readonly publicKey: string;
}

export interface ManifestEpoch {
  /** 0 to 2^32 - 1. */
  readonly number: number;
  /** K_e = k_e · G. */
  readonly publicKey: string;
  /** {@link EPOCH_DAYS} after its begin. */
  readonly endsAt: number;
}

export interface ManifestNextEpoch {
  /** Higher than the number of the current epoch. */
  readonly number: number;
  readonly publicKey: string;
  readonly startsAt: number;
}

const FORMAT = 'redflag-sealed/4';
const SHA256 = /^[0-9a-f]{64}$/;
const MAX_U32 = 0xffff_ffff;
const MAX_MODEL_CHARACTERS = 64;

/**
 * Returns the JSON of a manifest in UTF-8. Throws TypeError for one that {@link parseManifest} refuses.
 */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const text = JSON.stringify({ format: FORMAT, ...manifest });
  const bytes = new TextEncoder().encode(text);
  if (parseManifest(bytes) === undefined)
    throw new TypeError('the manifest expected fields in their ranges; see the fields of Manifest');
  return bytes;
}

/** Returns the manifest of JSON; undefined if a field is missing, unknown, out of range or inconsistent. */
export function parseManifest(bytes: Uint8Array): Manifest | undefined {
  const value = parseJson(bytes);
  if (!isShape(value, MANIFEST_FIELDS)) return undefined;
  // A name that is there twice would be another value to another client.
  if (!isTextOf(bytes, value)) return undefined;
  const { format: _, ...fields } = value;
  const manifest = fields as unknown as Manifest;
  return isConsistent(manifest) ? manifest : undefined;
}

function isTextOf(bytes: Uint8Array, value: JsonValue): boolean {
  try {
    return new TextDecoder().decode(bytes) === JSON.stringify(value);
  } catch {
    // A value that is nested too deeply.
    return false;
  }
}

export const isU32: Check = (value) => isWhole(value, MAX_U32);
/** True for milliseconds from 1970 to the last time of ECMAScript. */
export const isTime: Check = (value) => isWhole(value, 8.64e15);
const isKey: Check = (value) => fromBase64Url(value)?.length === 32;
const isChecksum: Check = (value) => typeof value === 'string' && SHA256.test(value);
const isList =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);

const EVALUATOR_FIELDS = { key: isKey, publicKey: isKey };
const EPOCH_FIELDS = { number: isU32, publicKey: isKey, endsAt: isTime };
const NEXT_FIELDS = { number: isU32, publicKey: isKey, startsAt: isTime };
const HISTORY_FIELDS = {
  link: isChecksum,
  manifests: (value: JsonValue) => isList(isChecksum)(value) && (value as unknown[]).length <= MAX_LISTED,
};
const isHistory: Check = (value) => isShape(value, HISTORY_FIELDS);
const MARK_FIELDS = { sequence: isU32, link: isChecksum };
const HEAD_FIELDS = { sequence: isU32, history: isHistory };
const MODEL_FIELDS = {
  name: (value: JsonValue) => typeof value === 'string' && value.length > 0 && value.length <= MAX_MODEL_CHARACTERS,
  constants: isObject,
};
const MANIFEST_FIELDS = {
  format: (value: JsonValue) => value === FORMAT,
  operatorKey: isKey,
  evaluator: (value: JsonValue) => isShape(value, EVALUATOR_FIELDS),
  sequence: isU32,
  history: isHistory,
  issuedAt: isTime,
  expiresAt: isTime,
  epoch: (value: JsonValue) => isShape(value, EPOCH_FIELDS),
  next: (value: JsonValue) => value === null || isShape(value, NEXT_FIELDS),
  destroyed: /* @__PURE__ */ isList(isU32),
  rows: isU32,
  snapshot: isChecksum,
  salt: isKey,
  model: (value: JsonValue) => isShape(value, MODEL_FIELDS),
  matchKinds: (value: JsonValue) => value === 'any' || value === 'exact',
  kinds: isKindList as Check,
  types: isTypeList as Check,
};

/** True for a {@link Mark}. */
export function isMark(value: unknown): value is Mark {
  return isShape(value, MARK_FIELDS);
}

/** True for a {@link Head}. */
export function isHead(value: unknown): value is Head {
  return isShape(value, HEAD_FIELDS);
}

/** What must hold between fields. */
function isConsistent({ issuedAt, expiresAt, epoch, next, destroyed }: Manifest): boolean {
  return (
    epoch.endsAt <= issuedAt + EPOCH_DAYS * DAY_MS &&
    expiresAt === issuedAt + MANIFEST_HOURS * 3_600_000 &&
    (next === null || (next.number > epoch.number && next.publicKey !== epoch.publicKey)) &&
    destroyed.every((number, at) => number !== epoch.number && (at === 0 || number > destroyed[at - 1]!))
  );
}

function isWhole(value: JsonValue, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most;
}
