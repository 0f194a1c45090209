// Packs a WebAssembly module for the text of a script. `unpack` of src/core/hash/chain-module.ts has the format.

/** The shortest copy, and the longest: its length is one byte. */
const SHORTEST = 4;
const LONGEST = 255;
/** Distances are two bytes. */
const FARTHEST = 65_535;
/**
 * What a copy counts, in bytes. A copy takes four. It counts more, because it takes time, and because gzip finds
 * repetitions itself.
 */
const COPY_COST = 5;

/** Returns the packed bytes as hex. */
export function packAsHex(bytes) {
  return Buffer.from(pack(bytes)).toString('hex');
}

function pack(bytes) {
  const copies = chooseCopies(bytes);
  const literals = [];
  const head = [];
  let at = 0;
  const take = (end) => {
    literals.push(...bytes.subarray(at, end));
    return end - at;
  };
  for (const { start, length, distance } of copies) {
    head.push(take(start), length, distance >> 8, distance & 255);
    at = start + length;
  }
  take(bytes.length);
  const counts = [bytes.length, head.length / 4].flatMap((count) => [count >> 8, count & 255]);
  return Uint8Array.from([...counts, ...head, ...literals]);
}

/** Returns the copies with which the packed bytes are the fewest, in order. */
function chooseCopies(bytes) {
  const costs = new Float64Array(bytes.length + 1);
  const chosen = [];
  const earlier = findRepetitions(bytes);
  for (let start = bytes.length - 1; start >= 0; start--) {
    costs[start] = costs[start + 1] + 1;
    for (const { longest, distance } of earlier[start])
      for (let length = SHORTEST; length <= longest; length++) {
        const cost = COPY_COST + costs[start + length];
        if (cost >= costs[start]) continue;
        costs[start] = cost;
        chosen[start] = { start, length, distance };
      }
  }
  const copies = [];
  let literals = 0;
  for (let at = 0; at < bytes.length;) {
    // The number of literals before a copy is one byte.
    const copy = literals === 255 ? { start: at, length: 0, distance: 0 } : chosen[at];
    literals = copy ? 0 : literals + 1;
    if (copy) copies.push(copy);
    at += copy ? copy.length : 1;
  }
  return copies;
}

/** For each place: the earlier places that have the same bytes. Of those of one length, the nearest. */
function findRepetitions(bytes) {
  const places = new Map();
  return Array.from(bytes, (_, start) => {
    const found = [];
    if (start + SHORTEST > bytes.length) return found;
    const key = bytes.subarray(start, start + SHORTEST).join();
    const earlier = places.get(key) ?? [];
    let most = 0;
    for (const place of earlier.toReversed()) {
      const distance = start - place;
      if (distance > FARTHEST || most === LONGEST) break;
      const bound = Math.min(LONGEST, distance, bytes.length - start);
      let longest = 0;
      while (longest < bound && bytes[place + longest] === bytes[start + longest]) longest++;
      if (longest < SHORTEST || longest <= most) continue;
      most = longest;
      found.push({ longest, distance });
    }
    earlier.push(start);
    places.set(key, earlier);
    return found;
  });
}
