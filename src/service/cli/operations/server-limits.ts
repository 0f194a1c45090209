import { refuseUnknown, requireWhole } from '../../../core/domain/options.ts';

/** What the open connections of a server use. */
export interface ServerUsage {
  /** Number of open connections. */
  readonly connections: number;
  /** Number of client addresses with an open connection; 0 behind a proxy. */
  readonly addresses: number;
  /** Bytes of replies that wait for their clients. Measured when a reply is written or taken, and each second. */
  readonly replyBytes: number;
}

/** Connections that a server closed because of a bound. */
export interface ClosedConnections {
  /** Not taken at all: there were too many, in all or of one address. */
  readonly refused: number;
  /** Cut: the client was too slow, took too much, or had to make room for another one. */
  readonly cut: number;
}

/** Bounds of {@link createGuardedServer}. Every bound has a default. Times are in milliseconds. */
export interface ServerLimits {
  /** Most open connections. Default: 4,096. */
  readonly connections?: number | undefined;
  /**
   * Most open connections of one client address; IPv6 counts by its /64 network. Default: 256. Does not apply if
   * `trustProxies` is above 0, because all connections then come from the proxy.
   */
  readonly connectionsPerAddress?: number | undefined;
  /** Number of the operator's proxies in front of the server, as in `createListener`. Default: 0. */
  readonly trustProxies?: number | undefined;
  /**
   * Most bytes of replies that wait for their clients, over all connections, and of bodies that wait for their rest.
   * Default: 33,554,432 (32 MiB).
   */
  readonly replyBytes?: number | undefined;
  /** Most bytes that wait on one connection. Default: 16,777,216 (16 MiB). */
  readonly replyBytesPerConnection?: number | undefined;
  /** Time in which a client must take the bytes that wait for it. Default: 30,000. */
  readonly replyTimeout?: number | undefined;
  /** Time in which a client must send the headers of a request. Default: 10,000. */
  readonly headersTimeout?: number | undefined;
  /** Time in which a client must send a whole request. At least `headersTimeout`. Default: 30,000. */
  readonly requestTimeout?: number | undefined;
  /** Time that a connection may wait for its next request. Default: 5,000. */
  readonly keepAliveTimeout?: number | undefined;
}

/** The validated bounds, with defaults filled in. */
export type ServerSettings = ReturnType<typeof toServerSettings>;

const DEFAULTS = {
  connections: 4096,
  connectionsPerAddress: 256,
  trustProxies: 0,
  replyBytes: 33_554_432,
  replyBytesPerConnection: 16_777_216,
  replyTimeout: 30_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
} as const satisfies Required<ServerLimits>;
/** The longest time of Node's timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** How often times are checked, in milliseconds. Node's default of 30 s makes a bound of 10 s up to 40 s. */
const CHECK_MS = 1_000;

/** Validates the bounds. Throws TypeError or RangeError for an invalid bound. */
export function toServerSettings(limits: ServerLimits) {
  const names = Object.keys(DEFAULTS) as (keyof ServerLimits)[];
  refuseUnknown(limits, names);
  const settings: Record<keyof ServerLimits, number> = { ...DEFAULTS };
  for (const name of names) {
    const value = limits[name];
    if (value === undefined) continue;
    requireWhole(name, value, name === 'trustProxies' ? 0 : 1, name.endsWith('Timeout') ? MAX_TIMER_MS : undefined);
    settings[name] = value;
  }
  const { headersTimeout, requestTimeout, replyTimeout } = settings;
  if (requestTimeout < headersTimeout)
    throw new RangeError(
      `"requestTimeout" expected at least the headersTimeout ${headersTimeout}, got ${requestTimeout}`,
    );
  return { ...settings, checkMs: Math.min(CHECK_MS, headersTimeout, replyTimeout) };
}
