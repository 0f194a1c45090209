import { runChains, type ChainParameters } from '../../core/hash/chain.ts';
import { createTurns } from '../../core/hash/event-loop.ts';
import type { Hasher, HasherName } from '../../core/hash/hasher.ts';
import { findMistakes, type FoundClient } from './find-mistakes.ts';
import { describeMistake, type Mistake, type MistakeCode } from './mistakes.ts';
import { mistakeOfLength, readSentHash } from './sent-hash.ts';
import { DEFAULT_PREFIX, toChainParameters, type HashingOptions } from '../../core/identifiers/hashing-options.ts';
import { normaliseIdentifier } from '../../core/identifiers/normalise.ts';

/**
 * What is wrong with a client's hash. The texts of a diagnosis never hold the value, the hash or the prefix.
 *
 * - `{ ok: true }`: the hash is right.
 * - `determined: true`: exactly these mistakes produce the client's hash.
 * - `determined: false`: no tried combination produces the client's hash, and `tried` lists the attempts. `mistakes`
 *   holds only errors in the form of the hash, often none. The client may have hashed another value.
 */
export type HashDiagnosis =
  | { readonly ok: true }
  | { readonly ok: false; readonly determined: true; readonly mistakes: readonly [Mistake, ...Mistake[]] }
  | {
      readonly ok: false;
      readonly determined: false;
      readonly mistakes: readonly Mistake[];
      readonly tried: readonly string[];
    };

/** Options of a diagnosis: those of hashing, and a signal to stop the work. */
export interface DiagnosisOptions extends HashingOptions {
  /** Stops the work. The diagnosis then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares a hash with those that common mistakes produce (protocol 2.3). Returns the fewest mistakes that explain the
 * hash, in the order in which the client makes them. At 32,000 iterations, a right hash or one mistake takes at most
 * half a second. An unexplained hash takes two to four seconds, or about ten without WebAssembly. The time is
 * proportional to the iterations. The event loop runs every few milliseconds.
 *
 * @param value the identifier in clear text, before normalisation.
 * @param hash the text that the client sent, right or wrong.
 *
 * Rejects with IdentifierError for an invalid identifier, with TypeError or RangeError for wrong arguments, or with the
 * signal's reason. No message holds the value or the hash.
 */
export type DiagnoseHash = (value: string, hash: string, options?: DiagnosisOptions) => Promise<HashDiagnosis>;

/** Minimum number of digits to recognise a truncated hash. Fewer digits could match by chance. */
const MIN_PIECE_DIGITS = 8;

const TRIED: readonly string[] = [
  'the text: not trimmed, with spaces, in another case, encoding, Unicode form or spelling, quoted, escaped, with a line end or invisible character, empty',
  'the rounds: one, one too few or too many, any number up to the default, the whole chain twice',
  'the prefix: none, in other spellings, with white space, the default one, after the value, not in every round',
  'between the rounds: raw bytes, upper case, line ends, UTF-16',
  'common combinations of a mistake in the text and a mistake in the chain',
];
const TRIED_WITH_MD5: readonly string[] = [
  'MD5 of the value, normalised or not, with and without the prefix, once and in the chain',
  'a right hash that was truncated',
];
const TRIED_PIECE: readonly string[] = ['a right hash that was truncated'];

/** Returns the diagnosis function. `choose` returns the named hasher, or by default the fastest. */
export function createDiagnoseHash(choose: (name?: HasherName) => Hasher): DiagnoseHash {
  return async (value, hash, options = {}) => {
    const parameters = toChainParameters(options, 'signal');
    const hasher = choose(options.hasher);
    const { signal } = options;
    if (typeof hash !== 'string')
      throw new TypeError(`"hash" expected a string, got ${hash === null ? 'null' : typeof hash}`);
    // Validate the value before the search.
    normaliseIdentifier(value);

    signal?.throwIfAborted();
    const turns = createTurns();
    const search = diagnose(hasher, value, hash, options.prefix ?? DEFAULT_PREFIX, parameters);
    try {
      for (;;) {
        const step = search.next();
        if (step.done) return step.value;
        const turn = turns.after(step.value);
        if (turn === undefined) continue;
        await turn;
        signal?.throwIfAborted();
      }
    } finally {
      // End an unfinished search, so that it erases bytes of the value.
      search.return({ ok: true });
      turns.close();
    }
  };
}

/** Yields the rounds since the last yield. */
function* diagnose(
  hasher: Hasher,
  value: string,
  sent: string,
  prefix: string,
  parameters: ChainParameters,
): Generator<number, HashDiagnosis> {
  const { rounds } = parameters;
  const explain = (codes: readonly MistakeCode[], ran?: number, characters?: string): Mistake[] =>
    codes.map((code) => describeMistake(code, rounds, ran, characters));
  const determined = (codes: readonly MistakeCode[], ran?: number, characters?: string): HashDiagnosis => {
    const [first, ...others] = explain(codes, ran, characters);
    return first === undefined ? { ok: true } : { ok: false, determined: true, mistakes: [first, ...others] };
  };
  const undetermined = (codes: readonly MistakeCode[], tried: readonly string[]): HashDiagnosis => ({
    ok: false,
    determined: false,
    mistakes: explain(codes),
    tried,
  });

  const { codes, hex } = readSentHash(sent);
  // Check this first, because a client that sends clear text discloses an identifier. If the identifier looks like a
  // hash, the search decides.
  const isClear = isValueItself(value, sent);
  if (isClear && hex?.length !== 40) return determined(['not-hashed']);
  if (hex === undefined) return codes[0] === 'hash-empty' ? determined(codes) : undetermined(codes, []);

  if (hex.length === 40 || hex.length === 32) {
    const found: FoundClient | undefined = yield* findMistakes({ hasher, value, prefix, rounds, digits: hex });
    if (found !== undefined) return determined([...found.codes, ...codes], found.ran, found.characters);
    if (isClear) return determined(['not-hashed']);
    if (hex.length === 40) return undetermined(codes, TRIED);
  }
  if (hex.length >= MIN_PIECE_DIGITS && hex.length < 40) {
    const [right] = yield* runChains(hasher, [normaliseIdentifier(value)], parameters);
    if (right?.startsWith(hex)) return determined(['hash-cut-short', ...codes]);
  }
  return undetermined(
    [mistakeOfLength(hex.length), ...codes],
    hex.length === 32 ? TRIED_WITH_MD5 : hex.length < 40 ? TRIED_PIECE : [],
  );
}

/** Returns true if the client sent the value itself, normalised or not. */
function isValueItself(value: string, sent: string): boolean {
  const squeezed = (text: string): string => text.replace(/\p{White_Space}/gu, '').toLowerCase();
  return squeezed(sent) !== '' && squeezed(sent) === squeezed(value);
}
