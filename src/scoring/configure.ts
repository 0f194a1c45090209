import { LINK_CLAIM_CONSTANTS, proveConstants, type LinkClaimConstants } from './constants.ts';

/** Objects whose names are the user's: kinds and offence types. */
const OPEN: ReadonlySet<string> = new Set(['kinds', 'typeWeights']);
/** What is taken as it is. */
const WHOLE: ReadonlySet<string> = new Set(['calibration', 'trust.weakKinds']);

/**
 * The default constants with some changed, e.g. `{ precision: { newKey: 0.1 }, kinds: { passport: { weight: 0.9, halfLifeDays: 3650, floor: 0.5 } } }`,
 * as they stand in a configuration file. Throws TypeError for a name that is none and for a value of another type, RangeError for one out of its range.
 */
export function configureLinkClaim(changes: unknown): LinkClaimConstants {
  const constants = merge('', LINK_CLAIM_CONSTANTS, changes) as LinkClaimConstants;
  proveConstants(constants);
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
    // A new kind starts from the constants of kinds that are not listed.
    merged.set(name, merge(at, merged.get(name) ?? (path === 'kinds' ? LINK_CLAIM_CONSTANTS.otherKinds : 0), value));
  }
  return Object.fromEntries(merged);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
