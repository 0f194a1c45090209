import { LINK_CLAIM_CONSTANTS, validateConstants, type LinkClaimConstants } from './constants.ts';

/** Objects whose keys the user chooses: kinds and offence types. */
const OPEN: ReadonlySet<string> = new Set(['kinds', 'typeWeights']);
/** Values that are replaced, not merged. */
const WHOLE: ReadonlySet<string> = new Set(['calibration', 'trust.weakKinds']);

/**
 * Returns the default constants with changes, e.g. from a configuration file. Examples: `{ precision: { newKey: 0.1 }
 * }` or `{ kinds: { passport: { weight: 0.9, halfLifeDays: 3650 } } }`. Throws TypeError for an unknown
 * name or a wrong type, and RangeError for a number out of range.
 */
export function configureLinkClaim(changes: unknown): LinkClaimConstants {
  const constants = merge('', LINK_CLAIM_CONSTANTS, changes) as LinkClaimConstants;
  validateConstants(constants);
  return constants;
}

function merge(path: string, base: unknown, changes: unknown): unknown {
  if (WHOLE.has(path)) return changes;
  if (!isPlain(base)) {
    if (typeof changes !== typeof base)
      throw new TypeError(`"${path}" expected a ${typeof base}, got ${changes === null ? 'null' : typeof changes}`);
    return changes;
  }
  if (!isPlain(changes)) throw new TypeError(`"${path === '' ? 'constants' : path}" expected an object`);
  const merged = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(changes)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (!merged.has(name) && !OPEN.has(path)) throw new TypeError(`"${at}" is not a constant`);
    // A new kind starts with the constants of `otherKinds`.
    merged.set(name, merge(at, merged.get(name) ?? (path === 'kinds' ? LINK_CLAIM_CONSTANTS.otherKinds : 0), value));
  }
  return Object.fromEntries(merged);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
