import type { EngineContext } from '../core/engine/context.ts';
import { freshCode } from '../core/engine/secrets.ts';

// A case number has 20 characters: 4 for the hour in which it was made, 8 fresh ones, and 8 that only the operator's
// secret can compute. So the service verifies a number without the store, and nobody can guess one.

/** Crockford's alphabet: no letter looks like a digit or like another letter. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const WRITTEN_OTHERWISE: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };
const HOUR_MS = 3_600_000;
const HOUR_CHARACTERS = 4;
const CHARACTERS = 8;
/** A number with what people write between its groups. */
const MAX_WRITTEN = 60;
const NUMBER = /^[0-9a-hjkmnp-tv-z]{20}$/;

/** A number that this service made. */
export interface KnownNumber {
  /** As it is shown: five groups of four characters. */
  readonly number: string;
  /** Keyed digest of the number, 16 lowercase hex characters: what is stored. */
  readonly caseId: string;
  /** The beginning of the hour in which it was made (ms, UTC). */
  readonly madeAt: number;
}

/** Returns a fresh number. */
export function createCaseNumber({ secrets, effects }: EngineContext, nowMs: number): KnownNumber {
  const hour = encode(BigInt(Math.floor(nowMs / HOUR_MS)), HOUR_CHARACTERS);
  const content = hour + encode(BigInt(`0x${freshCode(effects.random)}`), CHARACTERS);
  return toKnown(secrets, content);
}

/** Returns what a number says, however people write it; undefined if this service did not make it. */
export function readCaseNumber({ secrets }: EngineContext, written: string): KnownNumber | undefined {
  if (typeof written !== 'string' || written.length > MAX_WRITTEN) return undefined;
  const plain = written.toLowerCase().replace(/[\s\p{Pd}.]/gu, '');
  const read = plain.replace(/[oil]/g, (letter) => WRITTEN_OTHERWISE[letter]!);
  if (!NUMBER.test(read)) return undefined;
  const known = toKnown(secrets, read.slice(0, -CHARACTERS));
  return known.number.replaceAll('-', '') === read ? known : undefined;
}

function toKnown({ linkOwner }: EngineContext['secrets'], content: string): KnownNumber {
  const plain = content + encode(BigInt(`0x${linkOwner('case number', content)}`), CHARACTERS);
  let hours = 0;
  for (const letter of content.slice(0, HOUR_CHARACTERS)) hours = hours * 32 + ALPHABET.indexOf(letter);
  return { number: plain.match(/.{4}/g)!.join('-'), caseId: linkOwner('case', content), madeAt: hours * HOUR_MS };
}

/** Writes the last bits of a number, 5 per character. */
function encode(value: bigint, characters: number): string {
  let text = '';
  for (let left = value; text.length < characters; left >>= 5n) text = ALPHABET[Number(left & 31n)]! + text;
  return text;
}
