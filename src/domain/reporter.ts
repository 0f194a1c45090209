/** An organisation that reports and queries (spec 1, 5). */
export interface Reporter {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Public name, shown with each report; 1 to 80 code points, unique. */
  readonly name: string;
  /** True when the operator knows who this is: its word counts as that of an established reporter. */
  readonly verified: boolean;
  /** True while the operator lets none of its keys in. */
  readonly suspended: boolean;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
}

/** An API key without the key: what a list may show (silent: 5). */
export interface KeyInfo {
  /** 16 lowercase hex characters; names the key and says nothing about it. */
  readonly keyId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  /** From this moment (ms, UTC) the key is refused; null while no end is set. Rotation sets it to the end of the grace time, revocation to now. */
  readonly endsAt: number | null;
}

/** A key at the one moment when it can be seen. */
export interface IssuedKey extends KeyInfo {
  /** 16 lowercase hex characters. Shown once, stored only as a digest. */
  readonly apiKey: string;
}
