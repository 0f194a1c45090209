import { createLinkClaimModel } from '../../../src/core/scoring/link-claim-model.ts';
import { inSteps } from '../../../src/sealed/precision-steps.ts';
import { createHash } from 'node:crypto';
import type { Seal } from '../../../src/sealed.ts';
import type { SqlWork } from '../../../src/core/store/sql/statement.ts';

/** A store without elements answers as a sealed one if its model is this one. */
export const STEPS = inSteps(createLinkClaimModel());

const bytesOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const combined = (one: Buffer, other: Buffer): string =>
  Buffer.from(one.map((byte, at) => byte ^ other[at]!)).toString('hex');

/** The fingerprint of a key of {@link createTestSeal}. */
export const sealFingerprint = (key: string): string => bytesOf(`fingerprint ${key}`).toString('hex').slice(0, 16);

/** The element of a hash under a key of {@link createTestSeal}. */
export const elementOf = (hash: string, key = 'key 1'): string => combined(bytesOf(hash), bytesOf(key));

/** A seal without curves. The engine takes promises, too. */
export function createTestSeal(key = 'key 1'): Seal {
  return { fingerprint: sealFingerprint(key), elementOf: async (hash) => elementOf(hash, key) };
}

/** True if this work is {@link findSealed} of `stored.ts`. */
export function readsSealed(work: () => SqlWork<unknown>): boolean {
  const { value } = work().next([]);
  return typeof value === 'object' && value !== null && 'sql' in value && /identifier_element/.test(String(value.sql));
}
