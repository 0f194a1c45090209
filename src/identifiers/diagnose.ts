import { runChains, type ChainParameters } from '../hash/chain.ts';
import { createTurns } from '../hash/event-loop.ts';
import type { Hasher, HasherName } from '../hash/hasher.ts';
import { findMistakes, type FoundClient } from './doctor/find-mistakes.ts';
import { describeMistake, type Mistake, type MistakeCode } from './doctor/mistakes.ts';
import { mistakeOfLength, readSentHash } from './doctor/sent-hash.ts';
import { DEFAULT_PREFIX, toChainParameters, type HashingOptions } from './hashing-options.ts';
import { assertListOptions } from './list-options.ts';
import { normaliseIdentifier } from './normalise.ts';

/**
 * What is wrong with a hash that a client sent. No text of it holds the value, the hash or the prefix.
 *
 * - `{ ok: true }`: nothing, it is the hash of the value.
 * - `determined: true`: a client that made all these mistakes, and no other, would have sent it.
 * - `determined: false`: `mistakes` are those that the hash shows by its form alone, often none; `tried` says what
 *   was computed in vain. The value may be another one than the client's.
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

/** Options of a diagnosis: those of hashing, and a signal that stops the work. */
export interface DiagnosisOptions extends HashingOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares a hash with those that the usual mistakes in clients lead to (spec 2.3), and names the fewest that explain
 * it, in the order in which the client made them. At 32,000 iterations a right hash or one mistake takes milliseconds
 * to half a second, a hash that nothing explains two to four seconds (without WebAssembly about ten); more iterations
 * take longer in proportion. The event loop has its turn every few milliseconds.
 *
 * @param value the identifier in clear, as it was typed.
 * @param hash the text that the client sent, right or not.
 *
 * Rejects with IdentifierError for a value that is nobody's identifier, with TypeError or RangeError for a hash that is
 * no string and for wrong options, and with the signal's reason; no message holds value or hash.
 */
export type DiagnoseHash = (value: string, hash: string, options?: DiagnosisOptions) => Promise<HashDiagnosis>;

/** Of a hash that was cut off, fewer digits could be right by chance. */
const LEAST_DIGITS_OF_A_PIECE = 8;

const TRIED: readonly string[] = [
  'the text: not trimmed, with spaces, in another case, encoding or Unicode form, quoted, escaped, with a line end, empty',
  'the rounds: one, one too few or too many, any number up to the default, the whole chain twice',
  'the prefix: none, in other spellings, with white space, the default one, behind the value, not in every round',
  'between the rounds: raw bytes, upper case, line ends, UTF-16',
  'a mistake in the text together with one in the chain, where they are common',
];
const TRIED_WITH_MD5: readonly string[] = [
  'MD5 of the value and of its careless forms, with and without the prefix, once and in the chain',
  'a right hash that was cut off',
];
const TRIED_PIECE: readonly string[] = ['a right hash that was cut off'];

/** @param choose the hasher for a name, or the fastest; throws for a name that it does not know. */
export function createDiagnoseHash(choose: (name?: HasherName) => Hasher): DiagnoseHash {
  return async (value, hash, options = {}) => {
    const parameters = toChainParameters(options);
    const hasher = choose(options.hasher);
    assertListOptions(options);
    const { signal } = options;
    if (typeof hash !== 'string')
      throw new TypeError(`"hash" expected a string, got ${hash === null ? 'null' : typeof hash}`);
    // Proves the value, so that the search need not.
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
      // A search that was left early still holds bytes of the value.
      search.return({ ok: true });
      turns.close();
    }
  };
}

/** Yields the rounds done since the last yield. */
function* diagnose(
  hasher: Hasher,
  value: string,
  sent: string,
  prefix: string,
  parameters: ChainParameters,
): Generator<number, HashDiagnosis> {
  const { rounds } = parameters;
  const explain = (codes: readonly MistakeCode[], ran?: number): Mistake[] =>
    codes.map((code) => describeMistake(code, rounds, ran));
  const determined = (codes: readonly MistakeCode[], ran?: number): HashDiagnosis => {
    const [first, ...others] = explain(codes, ran);
    return first === undefined ? { ok: true } : { ok: false, determined: true, mistakes: [first, ...others] };
  };
  const undetermined = (codes: readonly MistakeCode[], tried: readonly string[]): HashDiagnosis => ({
    ok: false,
    determined: false,
    mistakes: explain(codes),
    tried,
  });

  const { codes, hex } = readSentHash(sent);
  // Before anything else: this is the one mistake that gives a person away. An identifier may look like a hash; then
  // the search has the last word.
  const isClear = isValueItself(value, sent);
  if (isClear && hex?.length !== 40) return determined(['not-hashed']);
  if (hex === undefined) return codes[0] === 'hash-empty' ? determined(codes) : undetermined(codes, []);

  if (hex.length === 40 || hex.length === 32) {
    const found: FoundClient | undefined = yield* findMistakes({ hasher, value, prefix, rounds, digits: hex });
    if (found !== undefined) return determined([...found.codes, ...codes], found.ran);
    if (isClear) return determined(['not-hashed']);
    if (hex.length === 40) return undetermined(codes, TRIED);
  }
  if (hex.length >= LEAST_DIGITS_OF_A_PIECE && hex.length < 40) {
    const [right] = yield* runChains(hasher, [normaliseIdentifier(value)], parameters);
    if (right!.startsWith(hex)) return determined(['hash-cut-short', ...codes]);
  }
  return undetermined(
    [mistakeOfLength(hex.length), ...codes],
    hex.length === 32 ? TRIED_WITH_MD5 : hex.length < 40 ? TRIED_PIECE : [],
  );
}

/** True when what was sent is the value, however it was normalised. */
function isValueItself(value: string, sent: string): boolean {
  const squeezed = (text: string): string => text.replace(/\p{White_Space}/gu, '').toLowerCase();
  return squeezed(sent) !== '' && squeezed(sent) === squeezed(value);
}
