/**
 * An entry of the operator's allow-list, e.g. a payment provider's domain. While the entry applies, its hash matches no
 * report (protocol 2.3, our choice).
 */
export interface Protection {
  /** 40 lowercase hex characters. */
  readonly hash: string;
  /** The operator's note. Reporters and the public never see it. */
  readonly reason: string;
  /** Name of the person who added the entry for the operator. */
  readonly addedBy: string;
  /** Milliseconds since the epoch, UTC. */
  readonly addedAt: number;
  /** End of the protection (ms, UTC); null if it has no end. Removal from the list sets the end. */
  readonly endsAt: number | null;
  /** Name of the person who removed the entry for the operator; null if it was not removed. */
  readonly endedBy: string | null;
}

/**
 * Returns true if the protection applies now. Its addition and its removal count at once, whatever the clock of the
 * process that stored them. Only a planned end is compared with `nowMs`.
 */
export function protectsNow({ endsAt, endedBy }: Protection, nowMs: number): boolean {
  return endedBy === null && (endsAt === null || endsAt > nowMs);
}

/** Returns true if the protection applied at `atMs`, a past moment. */
export function protectsAt(protection: Protection, atMs: number): boolean {
  return protection.addedAt <= atMs && (protection.endsAt === null || protection.endsAt > atMs);
}
