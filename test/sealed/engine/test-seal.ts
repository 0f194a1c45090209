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

/** A seal without curves: one-to-one, and elements of one key can be converted to those of another one. */
export function createTestSeal(key = 'key 1', previous?: string): Seal {
  if (previous === undefined) return { fingerprint: sealFingerprint(key), elementOf: (hash) => elementOf(hash, key) };
  const factor = Buffer.from(combined(bytesOf(key), bytesOf(previous)), 'hex');
  const convert = (element: string): string => combined(Buffer.from(element, 'hex'), factor);
  return {
    fingerprint: sealFingerprint(key),
    // The engine takes promises too.
    elementOf: async (hash) => elementOf(hash, key),
    previous: { fingerprint: sealFingerprint(previous), toPrevious: convert, fromPrevious: async (of) => convert(of) },
  };
}

/** How the first statement of each reading function of `stored.ts` looks. */
const READS = {
  findHashes: /^SELECT 1 AS found/,
  findSealed: /identifier_element/,
  readOldElements: /^SELECT DISTINCT hash, element/,
  countUnsealed: /FROM pepper/,
} as const;

/** Returns which function of `stored.ts` reads by this work; undefined for another one. */
export function readBy(work: () => SqlWork<unknown>): keyof typeof READS | undefined {
  const { value } = work().next([]);
  const sql = typeof value === 'object' && value !== null && 'sql' in value ? String(value.sql) : '';
  return (Object.keys(READS) as (keyof typeof READS)[]).find((name) => READS[name].test(sql));
}
