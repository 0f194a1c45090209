/** Throws a RangeError unless `rounds` is an integer of at least 1: a chain of no rounds would hand the value itself back. */
export function assertRounds(rounds: number): void {
  assertWhole(rounds, 1);
}

/** Throws a RangeError unless `rounds` is an integer of at least 0. */
export function assertMoreRounds(rounds: number): void {
  assertWhole(rounds, 0);
}

function assertWhole(rounds: number, least: number): void {
  if (!Number.isSafeInteger(rounds) || rounds < least) {
    throw new RangeError(`"rounds" expected an integer of at least ${least}, got ${rounds}`);
  }
}
