/** An organisation that submits reports and queries (spec 1, 5). */
export interface Reporter {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Public name, shown with each report; 1 to 80 code points, unique. */
  readonly name: string;
  /** True if the operator knows the organisation. A verified reporter is established without a record. */
  readonly verified: boolean;
  /** True while the operator refuses all of its keys. */
  readonly suspended: boolean;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
}

/** An API key without its secret value (spec 5 is silent). */
export interface KeyInfo {
  /** 16 lowercase hex characters. Identifies the key without revealing its value. */
  readonly keyId: string;
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /**
   * From this time (ms, UTC) the key is refused; null if it has no end. Rotation sets it to the end of the grace time.
   * Revocation sets it to 0, which has passed on the clock of every process.
   */
  readonly endsAt: number | null;
}

/** A new key with its secret value, returned only when the key is created. */
export interface IssuedKey extends KeyInfo {
  /** 16 lowercase hex characters. Shown once, stored only as a digest. */
  readonly apiKey: string;
}
