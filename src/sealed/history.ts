import { checksum } from './byte-hashes.ts';
import { fromHex } from './encoding.ts';
import { joinBytes } from './group/hash-to-group.ts';

/** Maximum manifests that a history lists. A client that missed more cannot verify that it is shown the same one. */
export const MAX_LISTED = 128;

/**
 * What comes before a manifest. The link of a manifest is SHA-256(link before it · SHA-256 of its bytes), so it stands
 * for all manifests up to this one. All values are SHA-256 in lowercase hex.
 */
export interface History {
  /** The link before the listed manifests. */
  readonly link: string;
  /** SHA-256 of the manifests before, oldest first: up to {@link MAX_LISTED}. */
  readonly manifests: readonly string[];
}

/** Names a manifest, and by its link all manifests before it. */
export interface Mark {
  /** 0 to 2^32 - 1. */
  readonly sequence: number;
  /** SHA-256 in lowercase hex. */
  readonly link: string;
}

/** The last manifest that was signed, and what the next one continues. */
export interface Head {
  readonly sequence: number;
  /** The history of the next manifest. */
  readonly history: History;
}

/** The history of the first manifest. */
export const NO_HISTORY: History = { link: '0'.repeat(64), manifests: [] };

/** The mark before the first manifest. */
export const NOTHING_SIGNED: Mark = { sequence: 0, link: NO_HISTORY.link };

/** Returns the links of a history: that before the listed manifests, then that of each. */
export function linksOf({ link, manifests }: History): readonly [string, ...string[]] {
  const links: [string, ...string[]] = [link];
  for (const sha256 of manifests) links.push((link = linkAfter(link, sha256)));
  return links;
}

/** Returns the link of a manifest from the link before it and its SHA-256. */
export function linkAfter(link: string, sha256: string): string {
  return checksum(joinBytes([fromHex(link)!, fromHex(sha256)!]));
}

/** Returns the mark of the manifest that a head is after. */
export function markOf({ sequence, history }: Head): Mark {
  return { sequence, link: linksOf(history).at(-1)! };
}

/**
 * Returns why a manifest does not continue the one of `last`; undefined if it does, and for the same one. `links` are
 * those of {@link linksOf} and its own. A sequence has one manifest.
 */
export function findBreak(manifest: Mark, links: readonly string[], last: Mark): 'rollback' | 'fork' | undefined {
  if (manifest.sequence < last.sequence) return 'rollback';
  if (manifest.sequence === last.sequence) return manifest.link === last.link ? undefined : 'fork';
  return links.includes(last.link) ? undefined : 'fork';
}

/** Returns the head after a signed manifest, whose `history` is that of the manifest itself. */
export function headAfter({ sequence, history: { link, manifests } }: Head, bytes: Uint8Array): Head {
  const listed = [...manifests, checksum(bytes)];
  if (listed.length > MAX_LISTED) link = linkAfter(link, listed.shift()!);
  return { sequence, history: { link, manifests: listed } };
}
