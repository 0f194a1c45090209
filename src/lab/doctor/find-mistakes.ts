import { toHex } from '../../core/hash/chain.ts';
import { DIGEST_WORDS, type Hasher } from '../../core/hash/hasher.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../../core/identifiers/hashing-options.ts';
import {
  chainsWithOtherPrefixes,
  chainWithPrefixes,
  md5,
  md5Chain,
  slowChains,
  type ClientChain,
  type Stop,
} from './client-chains.ts';
import { clientTexts, type ClientText } from './client-texts.ts';
import type { MistakeCode } from './mistakes.ts';

/** A simulated client that produces the digits. */
export interface FoundClient {
  /** Mistakes in the text, then in the chain; empty if the digits are right. */
  readonly codes: readonly MistakeCode[];
  /** Number of rounds that the client ran. */
  readonly ran: number;
  /** Names of the invisible characters in the text. */
  readonly characters: string | undefined;
}

/** The digits to explain, and the right value, prefix and rounds. */
export interface Search {
  readonly hasher: Hasher;
  readonly value: string;
  readonly prefix: string;
  readonly rounds: number;
  /** 40 lowercase hex digits, or 32 for MD5. */
  readonly digits: string;
}

/** Combinations to try: each text with each chain. The digest is compared at each stop. */
type Phase = readonly [texts: readonly ClientText[], chains: readonly ClientChain[], stops: readonly Stop[]];

/** Up to this number of rounds, the digest is compared after every round. Comparing takes about 50 ms. */
const MAX_ROUNDS_EACH = 100_000;
/** Maximum number of rounds for the mistake "ten times too many"; takes about 100 ms. */
const MAX_ROUNDS_TENFOLD = 1_000_000;
/**
 * The most common mistakes in the text. All rounds of slow chains are tried only on the right text and on texts with
 * these mistakes.
 */
const COMMON_TEXTS: readonly MistakeCode[] = [
  'not-normalised',
  'not-lower-cased',
  'inner-spaces-kept',
  'ends-not-trimmed',
  'newline-at-end',
];

/**
 * Finds the mistakes that produce the digits. Tries the right client first, then cheap combinations of mistakes before
 * expensive ones. Yields regularly, so that the caller can run the event loop. Each yield gives the rounds since the
 * last one.
 */
export function* findMistakes(search: Search): Generator<number, FoundClient | undefined> {
  const { hasher, value, prefix, rounds, digits } = search;
  const [right, ...wrong] = clientTexts(value, prefix);
  const texts = [right, ...wrong];
  const single = wrong.filter(
    ({ codes, isSpelling }) => codes.length === 1 && !isSpelling && !codes.includes('word-for-no-value'),
  );
  const common = single.filter(({ codes }) => codes.some((code) => COMMON_TEXTS.includes(code)));

  const once: readonly Stop[] = rounds === 1 ? [] : [{ rounds: 1, codes: ['single-round'] }];
  const whole = wholeChain(rounds);
  const rightChain = chainWithPrefixes([], prefix);
  const otherPrefixes = chainsWithOtherPrefixes(prefix, DEFAULT_PREFIX);
  const slow = slowChains(prefix);

  /** Makes each phase only if those before it have found nothing: some have a stop for each of many rounds. */
  function* phases(): Generator<Phase> {
    if (digits.length === 32) {
      yield [texts, md5Chains(prefix), once];
      yield [[right, ...common], md5Chains(prefix), whole];
      return;
    }
    yield [[right], [rightChain], [...once, ...whole]];
    yield [texts, [rightChain, ...otherPrefixes, ...slow], once];
    // Compare only after all rounds. One round fewer gives the digest of a client that omits the prefix in the first
    // round.
    yield [alreadyHashed(hasher, right), [rightChain], [{ rounds, codes: [] }]];
    yield [[right], otherPrefixes, whole];
    yield [wrong, [rightChain], whole];
    yield [[right], [rightChain, chainWithPrefixes(['no-prefix'], '')], otherRounds(rounds)];
    yield [[right], slow, whole];
    yield [single, otherPrefixes, whole];
    yield [common, slow, whole];
  }
  for (const [someTexts, chains, stops] of phases()) {
    if (stops.length === 0) continue;
    for (const text of someTexts) {
      for (const chain of chains) {
        const stop = yield* chain.run(hasher, text, stops, digits);
        if (stop !== undefined) {
          const codes = [...text.codes, ...chain.codes, ...stop.codes];
          return { codes, ran: stop.rounds, characters: text.characters };
        }
      }
    }
  }
  return undefined;
}

function md5Chains(prefix: string): ClientChain[] {
  return prefix === '' ? [md5Chain([], '')] : [md5Chain(['no-prefix'], ''), md5Chain([], prefix)];
}

/** Returns three stops: the right number of rounds, one fewer and one more. */
function wholeChain(rounds: number): Stop[] {
  const stops: Stop[] = [
    { rounds, codes: [] },
    { rounds: rounds + 1, codes: ['one-round-too-many'] },
  ];
  return rounds > 2 ? [{ rounds: rounds - 1, codes: ['one-round-too-few'] }, ...stops] : stops;
}

/**
 * Returns the wrong numbers of rounds to try, ascending. These are all numbers up to one above the larger of the right
 * number and the default, but at most 100,000. Also the double number, and the tenfold one up to 1,000,000.
 */
function otherRounds(rounds: number): Stop[] {
  const most = Math.min(Math.max(rounds, DEFAULT_ITERATIONS) + 1, MAX_ROUNDS_EACH);
  const each = Array.from({ length: most }, (_, at): Stop => ({
    rounds: at + 1,
    codes: [at + 1 < rounds ? 'too-few-rounds' : 'too-many-rounds'],
  }));
  const stops = new Map<number, Stop>(each.map((stop) => [stop.rounds, stop]));
  stops.delete(rounds);
  if (rounds * 10 > most && rounds * 10 <= MAX_ROUNDS_TENFOLD)
    stops.set(rounds * 10, { rounds: rounds * 10, codes: ['too-many-rounds'] });
  stops.set(rounds * 2, { rounds: rounds * 2, codes: ['hashed-twice'] });
  return [...stops.values()].sort((one, other) => one.rounds - other.rounds);
}

/** Returns texts of clients that hash the value before the chain: once, without the prefix, with MD5 or SHA-1. */
function alreadyHashed(hasher: Hasher, { text, encode }: ClientText): ClientText[] {
  const bytes = encode(text);
  const digest = new Uint32Array(DIGEST_WORDS);
  hasher.digest(new Uint8Array(), bytes, digest, 0);
  const hashes = [md5(bytes), toHex(digest, 0)];
  bytes.fill(0);
  digest.fill(0);
  return hashes.map((hash) => ({ codes: ['hashed-before-chain'], text: hash, encode }));
}
