/** Upper bounds of one request (protocol 2.1 and 8, our choice). The engine and the form reader share the defaults. */
export interface Bounds {
  /** Hashed identifiers in one report or query. */
  readonly identifiers: number;
  /** Unicode code points of a report's description. The lower bound is 1. */
  readonly textCharacters: number;
}

/** The bounds without options: 32 identifiers, 2,000 code points of text. */
export const DEFAULT_BOUNDS: Bounds = {
  // A person has few addresses and numbers. Each identifier costs one range read in the store.
  identifiers: 32,
  // About one page: enough to describe an offence.
  textCharacters: 2000,
};
