import { bytesToHex } from '@noble/hashes/utils.js';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../src/index.ts';

describe('the seeded source of bytes', () => {
  it('returns the known bytes of a seed', () => {
    const random = createSeededRandom('seed');
    expect([8, 40, 0, 32].map((count) => bytesToHex(random(count)))).toEqual([
      '03c52f9668ff1b27',
      '615083988aa1b4fb2fc6f4f679261468e3640e6aacdb936308ad03f28d75bdbb51058b4e7c63beec',
      '',
      '58199d4c83fce5bf11c6df7ce9dfc4f37f125ed26bd5ee6c87da120a37375158',
    ]);
    expect(bytesToHex(createSeededRandom('')(8))).toBe('9979e4c3ee19965f');
  });

  it('takes whole blocks of HMAC-SHA-256 under the seed, numbered from 0', () => {
    const seed = 'é€ '.repeat(40);
    const random = createSeededRandom(seed);
    const block = (number: number): Buffer => createHmac('sha256', seed).update(String(number)).digest();
    expect([...random(1)]).toEqual([...block(0).subarray(0, 1)]);
    expect([...random(33)]).toEqual([...block(1), ...block(2).subarray(0, 1)]);
    expect([...random(32)]).toEqual([...block(3)]);
  });
});
