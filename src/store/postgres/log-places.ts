/** How often a place is noted within the time that matters. */
const NOTED = 32;

/** Where the primary's log had got at what time: tells how old what a replica shows is, by one clock. */
export interface LogPlaces {
  /** The primary's log had come to `place`, in bytes, at `atMs` or later. */
  note(place: number, atMs: number): void;
  /** What a replica shows that has got to `place` is at most so many milliseconds old; Infinity when that is not known. */
  ageOf(place: number, nowMs: number): number;
  /** For so long it has lacked something, as far as is known. */
  lacksFor(place: number, nowMs: number): number;
}

/** `maxAgeMs` is the age that matters: what was noted earlier is forgotten, but for the last of it. */
export function createLogPlaces(maxAgeMs: number): LogPlaces {
  const noted: { place: number; atMs: number }[] = [];
  return {
    note(place, atMs) {
      const last = noted.at(-1);
      if (last && atMs - last.atMs < maxAgeMs / NOTED) return;
      // The log of another server, which has taken the primary's place.
      if (last && place < last.place) noted.length = 0;
      noted.push({ place, atMs });
      while (noted.length > 1 && atMs - noted[1]!.atMs > maxAgeMs) noted.shift();
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
