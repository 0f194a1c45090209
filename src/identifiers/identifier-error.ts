/** Why an identifier cannot be hashed. */
export type IdentifierProblem = 'empty' | 'lone-surrogate' | 'not-a-string';

const WORDING: Readonly<Record<IdentifierProblem, string>> = {
  empty: 'is empty after normalisation',
  'lone-surrogate': 'holds a lone surrogate, which UTF-8 cannot express',
  'not-a-string': 'expected a string',
};

/**
 * Thrown for a value that is nobody's identifier (silent: 2.3). The message says what is wrong and, in a list, where;
 * it never holds the value, which may be a person's address.
 */
export class IdentifierError extends Error {
  override readonly name = 'IdentifierError';
  readonly reason: IdentifierProblem;
  /** Position in the list, from 0; undefined for a single value. */
  readonly index: number | undefined;

  constructor(reason: IdentifierProblem, index?: number) {
    super(`${index === undefined ? 'the identifier' : `the identifier at index ${index}`} ${WORDING[reason]}`);
    this.reason = reason;
    this.index = index;
  }
}
