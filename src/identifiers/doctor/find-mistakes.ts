import { DIGEST_WORDS, type Hasher } from '../../hash/hasher.ts';
import { toHex } from '../../hash/chain.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../hashing-options.ts';
import { md5 } from '../md5.ts';
import {
  chainsWithOtherPrefixes,
  chainWithPrefixes,
  md5Chain,
  slowChains,
  type ClientChain,
  type Stop,
} from './client-chains.ts';
import { clientTexts, type ClientText } from './client-texts.ts';
import type { MistakeCode } from './mistakes.ts';

/** A client that would have sent these digits. */
export interface FoundClient {
  /** Text first, then chain; none when the digits are right. */
  readonly codes: readonly MistakeCode[];
  /** Rounds that it ran. */
  readonly ran: number;
}

/** What is sought, and by what measure. */
export interface Search {
  readonly hasher: Hasher;
  readonly value: string;
  readonly prefix: string;
  readonly rounds: number;
  /** 40 lowercase hex digits; 32 of MD5. */
  readonly digits: string;
}

/** Each of these texts with each of these chains, to be looked at after each of these rounds. */
type Phase = readonly [texts: readonly ClientText[], chains: readonly ClientChain[], stops: readonly Stop[]];

/** Most rounds after each of which the digits are looked for: some 50 ms of looking. */
const MOST_ROUNDS_EACH = 100_000;
/** A slip of a digit is tried up to here: some 100 ms. */
const MOST_ROUNDS_TENFOLD = 1_000_000;
/** The texts that the slow chains are tried on, besides the right one: those that careless clients send most. */
const COMMON_TEXTS: readonly MistakeCode[] = [
  'not-normalised',
  'not-lower-cased',
  'inner-spaces-kept',
  'ends-not-trimmed',
  'newline-at-end',
];

/**
 * Looks for a client that would have sent the digits: the right one, then one mistake, then two, the cheap ones first.
 * Yields the rounds done since the last yield, so that others can have their turn.
 */
export function* findMistakes(search: Search): Generator<number, FoundClient | undefined> {
  const { hasher, value, prefix, rounds, digits } = search;
  const texts = clientTexts(value, prefix);
  const right = texts[0]!;
  const single = texts.filter(({ codes }) => codes.length === 1 && codes[0] !== 'word-for-no-value');
  const common = single.filter(({ codes }) => COMMON_TEXTS.includes(codes[0]!));

  const once: readonly Stop[] = rounds === 1 ? [] : [{ rounds: 1, codes: ['single-round'] }];
  const whole = wholeChain(rounds);
  const rightChain = chainWithPrefixes([], prefix);
  const otherPrefixes = chainsWithOtherPrefixes(prefix, DEFAULT_PREFIX);
  const slow = slowChains(prefix);

  const phases: readonly Phase[] =
    digits.length === 32
      ? [
          [texts, md5Chains(prefix), once],
          [[right, ...common], md5Chains(prefix), whole],
        ]
      : [
          [[right], [rightChain], [...once, ...whole]],
          [texts, [rightChain, ...otherPrefixes, ...slow], once],
          // With one round fewer it is a chain without the prefix in its first round.
          [alreadyHashed(hasher, right), [rightChain], [{ rounds, codes: [] }]],
          [[right], otherPrefixes, whole],
          [texts.slice(1), [rightChain], whole],
          [[right], [rightChain, chainWithPrefixes(['no-prefix'], '')], otherRounds(rounds)],
          [[right], slow, whole],
          [single, otherPrefixes, whole],
          [common, slow, whole],
        ];
  for (const [someTexts, chains, stops] of phases) {
    if (stops.length === 0) continue;
    for (const text of someTexts) {
      for (const chain of chains) {
        const stop = yield* chain.run(hasher, text, stops, digits);
        if (stop !== undefined) return { codes: [...text.codes, ...chain.codes, ...stop.codes], ran: stop.rounds };
      }
    }
  }
  return undefined;
}

function md5Chains(prefix: string): ClientChain[] {
  return prefix === '' ? [md5Chain([], '')] : [md5Chain(['no-prefix'], ''), md5Chain([], prefix)];
}

/** The whole chain, or all but one round of it, or one more. */
function wholeChain(rounds: number): Stop[] {
  const stops: Stop[] = [
    { rounds, codes: [] },
    { rounds: rounds + 1, codes: ['one-round-too-many'] },
  ];
  return rounds > 2 ? [{ rounds: rounds - 1, codes: ['one-round-too-few'] }, ...stops] : stops;
}

/** Every number of rounds up to the right one and the default, and the chain twice and ten times. */
function otherRounds(rounds: number): Stop[] {
  const most = Math.min(Math.max(rounds, DEFAULT_ITERATIONS) + 1, MOST_ROUNDS_EACH);
  const each = Array.from({ length: most }, (_, at): Stop => ({
    rounds: at + 1,
    codes: [at + 1 < rounds ? 'too-few-rounds' : 'too-many-rounds'],
  }));
  const stops = new Map<number, Stop>(each.map((stop) => [stop.rounds, stop]));
  stops.delete(rounds);
  if (rounds * 10 > most && rounds * 10 <= MOST_ROUNDS_TENFOLD)
    stops.set(rounds * 10, { rounds: rounds * 10, codes: ['too-many-rounds'] });
  stops.set(rounds * 2, { rounds: rounds * 2, codes: ['hashed-twice'] });
  return [...stops.values()].sort((one, other) => one.rounds - other.rounds);
}

/** The right text, hashed by the usual means before the chain gets it. With the prefix it would be one round too many. */
function alreadyHashed(hasher: Hasher, { text, encode }: ClientText): ClientText[] {
  const bytes = encode(text);
  const digest = new Uint32Array(DIGEST_WORDS);
  hasher.digest(new Uint8Array(), bytes, digest, 0);
  const hashes = [md5(bytes), toHex(digest, 0)];
  bytes.fill(0);
  digest.fill(0);
  return hashes.map((hash) => ({ codes: ['hashed-before-chain'], text: hash, encode }));
}
