/** How much one request may hold (silent: 8). */
export const DEFAULT_BOUNDS = {
  /** Identifiers in a report or query: a customer has a handful; each costs a range read. */
  identifiers: 32,
  /** Unicode code points of `_text`: a paragraph that people read. */
  textCharacters: 2000,
} as const;
