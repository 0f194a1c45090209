/** Numbers of rows in a store. */
export interface StoreCounts {
  /** Live reports. */ readonly reports: number;
  /** Deleted reports, whose ids remain. */ readonly removed: number;
  /** Identifiers of live reports. */ readonly identifiers: number;
  /** Links. */ readonly links: number;
  /** Reporters, suspended ones included. */ readonly reporters: number;
}
