// One process that holds every contender of this runtime. It prints the available names, one per line, and a reason for
// each missing one. Then it prints `ready`. It answers each line `NAME ROUNDS VALUE…` (separated by tabs) with
// `NANOSECONDS DIGEST…`. It measures its own time, so the pipe does not count.
import * as crypto from 'node:crypto';
import { createInterface } from 'node:readline';
import { sha1 as nobleSha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { createSHA1, sha1 as simpleHashWasm } from 'hash-wasm';
import { hashIdentifiers, hashIdentifierSync } from 'redflag/hash';

const PREFIX = 'service-';
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Returns a contender that hashes one value after another. `round` is one round on text. */
const byText = (round) => async (values, rounds) => {
  const hashes = [];
  for (let value of values) {
    for (let i = 0; i < rounds; i++) value = round(PREFIX + value);
    hashes.push(value);
  }
  return hashes;
};

/** Like `byText`, for an asynchronous round. */
const byAwaitedText = (round) => async (values, rounds) => {
  const hashes = [];
  for (let value of values) {
    for (let i = 0; i < rounds; i++) value = await round(PREFIX + value);
    hashes.push(value);
  }
  return hashes;
};

/** Our contender, through the public API, with all values of the case at once. */
const ours =
  (hasher, prefix = PREFIX) =>
  async (values, iterations) =>
    values.length === 1
      ? [hashIdentifierSync(values[0], { hasher, prefix, iterations })]
      : hashIdentifiers(values, { hasher, prefix, iterations });

/** The fastest use of hash-wasm: one instance, bytes in and out. Hex comes from a table and goes into one buffer. */
async function fastestHashWasm() {
  const hasher = await createSHA1();
  return async (values, rounds) =>
    values.map((value) => {
      let message = Buffer.from(PREFIX + value);
      const next = Buffer.from(PREFIX + '0'.repeat(40));
      for (let i = 0; i < rounds; i++) {
        const digest = hasher.init().update(message).digest('binary');
        for (let at = 0; at < 20; at++) {
          next[8 + 2 * at] = DIGITS[digest[at] >> 4];
          next[9 + 2 * at] = DIGITS[digest[at] & 15];
        }
        message = next;
      }
      return next.toString('latin1', 8);
    });
}

const MAKERS = {
  plain: () => ours('plain'),
  scalar: () => ours('scalar'),
  simd: () => ours('simd'),
  'simd fraudrecord-': () => ours('simd', 'fraudrecord-'),
  'simd fraudhosting-': () => ours('simd', 'fraudhosting-'),
  wide: () => {
    if (!process.execArgv.includes('--experimental-wasm-revectorize'))
      throw new Error('needs the V8 flag --experimental-wasm-revectorize');
    return ours('wide');
  },
  'hash-wasm simple': () => byAwaitedText(simpleHashWasm),
  'hash-wasm fastest': fastestHashWasm,
  createHash: () => byText((text) => crypto.createHash('sha1').update(text).digest('hex')),
  'crypto.hash': () => {
    if (!crypto.hash) throw new Error(`not in Node ${process.version}`);
    return byText((text) => crypto.hash('sha1', text));
  },
  WebCrypto: () =>
    byAwaitedText(async (text) =>
      Buffer.from(await crypto.webcrypto.subtle.digest('SHA-1', Buffer.from(text))).toString('hex'),
    ),
  '@noble/hashes': () => byText((text) => bytesToHex(nobleSha1(utf8ToBytes(text)))),
};

const contenders = new Map();
for (const [name, make] of Object.entries(MAKERS)) {
  try {
    contenders.set(name, await make());
    console.log(`there ${name}`);
  } catch (error) {
    console.log(`missing ${name}: ${error.message}`);
  }
}
console.log('ready');

for await (const line of createInterface({ input: process.stdin })) {
  const [name, rounds, ...values] = line.split('\t');
  const run = contenders.get(name);
  const start = process.hrtime.bigint();
  const hashes = await run(values, Number(rounds));
  const nanoseconds = process.hrtime.bigint() - start;
  console.log(`${nanoseconds} ${hashes.join(' ')}`);
}
