/** A hash on the operator's allow-list, e.g. a payment provider's domain: no report can make it risky (silent: 2.3). */
export interface Protection {
  /** 40 lowercase hex characters. */
  readonly hash: string;
  readonly reason: string;
  readonly addedBy: string;
  /** Milliseconds since the epoch, UTC. */
  readonly addedAt: number;
  /** From then on it protects no more; null without an end. Taking it off the list sets it. */
  readonly endsAt: number | null;
  /** Who took it off the list; null while nobody did. */
  readonly endedBy: string | null;
}

/** True when it protects at a moment. */
export function protectsAt(protection: Protection, atMs: number): boolean {
  return protection.addedAt <= atMs && (protection.endsAt === null || protection.endsAt > atMs);
}
