/** Throws a RangeError unless `rounds` is an integer of at least 1: a chain of no rounds would hand the value itself back. */
export function assertRounds(rounds: number): void {
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    throw new RangeError(`"rounds" expected an integer of at least 1, got ${String(rounds)}`);
  }
}
