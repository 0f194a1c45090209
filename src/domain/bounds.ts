/** What one request may hold at most (silent: 2.1, 8). The engine and the form's reader start from the same numbers. */
export interface Bounds {
  /** Hashed identifiers in one report or query. */
  readonly identifiers: number;
  /** Unicode code points of a report's description; the least is 1. */
  readonly textCharacters: number;
}

/** The bounds that hold unless an operator sets others. */
export const DEFAULT_BOUNDS: Bounds = {
  // A person has a handful of addresses and numbers; each identifier costs the store one range read, so a query stays cheap.
  identifiers: 32,
  // About a page: enough to say what happened, too little to paste a correspondence into a public record.
  textCharacters: 2000,
};
