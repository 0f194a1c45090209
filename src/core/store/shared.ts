import type { AskedTokens, TakenTokens } from './records.ts';

/** The right to a task. */
export interface Lease {
  /**
   * Asks whether the right still belongs to this holder. False after it was lost or given back, or if the store does
   * not answer. Never rejects.
   */
  isHeld(): Promise<boolean>;
  /** Gives the right back. */
  release(): Promise<void>;
}

/** Coordinates several processes on one store. */
export interface SharedStore {
  /**
   * Acquires the right to a task that only one process does at a time. Undefined while another holder has the right. A
   * crash releases it.
   */
  lease(name: string): Promise<Lease | undefined>;
  /** Takes tokens from buckets, without a key. */
  takeTokens(asked: AskedTokens): Promise<TakenTokens>;
  /** Returns the time of the clock that all processes share (ms, UTC). */
  nowMs(): Promise<number>;
}
