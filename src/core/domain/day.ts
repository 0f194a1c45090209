/** A day of UTC in milliseconds. UTC has no summer time, and a Unix time has no leap seconds. */
export const DAY_MS = 86_400_000;

/** Maximum difference between the clocks of processes on one store. More than NTP ever leaves. */
export const SKEW_MS = 600_000;

/** Returns the midnight UTC at which the day of this moment began (both in ms, UTC). */
export function startOfDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}
