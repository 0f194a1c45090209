// One process that holds every contender of this runtime. Prints the names that are there, one a line with why not for the
// others, then `ready`. Answers each line `NAME ROUNDS VALUE…` (tabs between) with `NANOSECONDS DIGEST…`, and times itself, so that no
// pipe is in the figure.
import * as crypto from 'node:crypto';
import { createInterface } from 'node:readline';
import { sha1 as nobleSha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { createSHA1, sha1 as simpleHashWasm } from 'hash-wasm';
import { hashIdentifiers, hashIdentifierSync } from 'redflag/hash';

const PREFIX = 'service-';
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** A contender that hashes one value after the other, given one round on text. */
const byText = (round) => async (values, rounds) => {
  const hashes = [];
  for (let value of values) {
    for (let i = 0; i < rounds; i++) value = round(PREFIX + value);
    hashes.push(value);
  }
  return hashes;
};

/** The same for a round that has to be awaited. */
const byAwaitedText = (round) => async (values, rounds) => {
  const hashes = [];
  for (let value of values) {
    for (let i = 0; i < rounds; i++) value = await round(PREFIX + value);
    hashes.push(value);
  }
  return hashes;
};

/** Ours, by the door, with as many values as the case has. */
const ours = (hasher) => async (values, iterations) =>
  values.length === 1
    ? [hashIdentifierSync(values[0], { hasher, iterations })]
    : hashIdentifiers(values, { hasher, iterations });

/** hash-wasm as fast as it goes: one instance, bytes in and out, hex by table into one buffer. */
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
  wide: () => {
    if (!process.execArgv.includes('--experimental-wasm-revectorize')) throw new Error("only with V8's flag");
    return ours('wide');
  },
  'hash-wasm simple': () => byAwaitedText(simpleHashWasm),
  'hash-wasm fastest': fastestHashWasm,
  createHash: () => byText((text) => crypto.createHash('sha1').update(text).digest('hex')),
  'crypto.hash': () => {
    if (!crypto.hash) throw new Error(`Node ${process.version} has none`);
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
