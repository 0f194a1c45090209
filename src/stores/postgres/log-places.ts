/** Maximum number of noted places within `maxAgeMs`. */
const NOTED = 32;

/** Places (byte positions) in the primary's log, with times by one clock. They give the age of a replica's data. */
export interface LogPlaces {
  /** Notes that the primary's log ended at `place`, in bytes, at a moment not before `atMs`. */
  note(place: number, atMs: number): void;
  /** Returns the maximum lag of a replica at `place`, in milliseconds; Infinity if unknown. */
  ageOf(place: number, nowMs: number): number;
  /**
   * Returns the known lag of a replica at `place`, in milliseconds: the age of the first noted place after it, or 0.
   */
  lacksFor(place: number, nowMs: number): number;
}

/** Of the places older than `maxAgeMs`, only the last one is kept. */
export function createLogPlaces(maxAgeMs: number): LogPlaces {
  const noted: { place: number; atMs: number }[] = [];
  return {
    note(place, atMs) {
      const last = noted.at(-1);
      if (last && atMs - last.atMs < maxAgeMs / NOTED) return;
      // A lower place belongs to another server, which has replaced the primary.
      if (last && place < last.place) noted.length = 0;
      noted.push({ place, atMs });
      while (atMs - (noted.at(1)?.atMs ?? atMs) > maxAgeMs) noted.shift();
    },
    ageOf(place, nowMs) {
      const reached = noted.filter((one) => one.place <= place).at(-1);
      return reached === undefined ? Infinity : nowMs - reached.atMs;
    },
    lacksFor(place, nowMs) {
      const lacking = noted.find((one) => one.place > place);
      return lacking === undefined ? 0 : nowMs - lacking.atMs;
    },
  };
}
