/** What stands in a script for values of the service under test. Each has the length of its value. */
export const PLACES = {
  /** A valid API key. */
  key: 'KEYKEYKEYKEYKEY0',
  /** The code of a report that no other script deletes. */
  code: 'CODECODECODECOD0',
  /** A link to stored reports. */
  link: 'LINKLINKLINKLINKLINKLINKLINKLINKLINKLIN0',
} as const;

/** What a client does after its last step. */
export type Ending =
  /** It takes all replies, then closes its side. */
  | 'close'
  /** It closes its side at once: replies may be missing. */
  | 'half-close'
  /** It disconnects at once. */
  | 'destroy'
  /** It waits until the server closes the connection. */
  | 'wait';

/** The reply that a valid request gets: its status, and what the body is. */
export interface Expected {
  readonly status: number;
  readonly body:
    'stored' | 'OK' | 'line' | 'reports' | 'nothing' | 'anything' | `classic-${'stored' | 'line' | 'error'}`;
}

/** What one client does on one connection. */
export interface Script {
  /** Which generators and mutations made it. */
  readonly about: string;
  /** Bytes to send, one character per byte, or milliseconds to wait. */
  readonly steps: readonly (string | number)[];
  readonly ending: Ending;
  /** The replies in their order; absent if any well-formed replies of the closed list are right. */
  readonly replies?: readonly Expected[];
  /** True if no report of the script may be stored. */
  readonly isBad?: boolean;
}

/** Stands in the texts of a script's reports, so that a stored text shows which script it is of. */
export const tagOf = (name: string): string => `~${name}~`;
/** The name within a tag. */
export const TAG = /~([a-z0-9-]+)~/;

/** Returns the line with which a failure can be reproduced: `base64 -d` makes it a file of the corpus. */
export const printScript = (script: Script): string =>
  Buffer.from(`${JSON.stringify(script, null, 2)}\n`).toString('base64');
