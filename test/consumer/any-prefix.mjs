// Hashes with prefixes of 0 to 80 bytes, one value and several together, with every implementation. Compares the hashes
// with those of node:crypto.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hashIdentifiers } from 'redflag/hash';

const iterations = 5;
const values = Array.from({ length: 9 }, (_, at) => `client${at}@example.com`);

for (let bytes = 0; bytes <= 80; bytes++) {
  const prefix = 'é'.repeat(bytes >> 1) + '-'.repeat(bytes & 1);
  const expected = values.map((value) => {
    for (let round = 0; round < iterations; round++)
      value = createHash('sha1')
        .update(prefix + value)
        .digest('hex');
    return value;
  });
  for (const hasher of ['plain', 'scalar', 'simd', 'wide']) {
    for (const count of [1, 4, 9])
      assert.deepEqual(
        await hashIdentifiers(values.slice(0, count), { prefix, iterations, hasher }),
        expected.slice(0, count),
        `${hasher}, ${count} values, prefix of ${bytes} bytes`,
      );
  }
}
console.log('every prefix works');
