import { expect } from 'vitest';
import { fromBase64Url, toHex } from '../../../src/sealed/encoding.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { nextEpoch } from '../../../src/sealed/keys.ts';
import { createRowKeys, ROW_BYTES, TAG_BYTES } from '../../../src/sealed/rows.ts';
import type { Publication } from '../../../src/sealed/service/publications.ts';
import { createPace } from '../../../src/sealed/service/pace.ts';
import { findTag } from '../../../src/sealed/snapshot.ts';
import { seededRandom } from '../group-samples.ts';
import { memoryPublications } from './memory-publications.ts';
import { createWorld, DAY, type World } from './publishing.ts';

/*
 * The game of the leakage function (docs/private-lookup.md): an attacker has all that is published, and evaluates
 * nothing. It gets two rows, of one publication or of two, and guesses whether they are of one identifier or of one
 * report; or it gets one row and guesses whether it says anything. A guess is a number; an attacker that knows nothing
 * ranks right and wrong ones alike. Seeds are fixed.
 */

/** How large a world is. */
export interface GameSize {
  readonly persons: number;
  readonly reports: number;
  readonly reporters: number;
  /** Days of an epoch, each with a publication. */
  readonly days: number;
}

/** A row, with what the attacker does not know. */
export interface Row {
  readonly bytes: Uint8Array;
  readonly place: number;
  /** Undefined: the row says nothing. */
  readonly person: number | undefined;
  readonly report: string | undefined;
}

export const rowsIn = ({ snapshot }: Publication): Uint8Array[] =>
  Array.from({ length: snapshot.length / ROW_BYTES }, (_, n) => snapshot.subarray(n * ROW_BYTES, (n + 1) * ROW_BYTES));

/** Plays days of an epoch: reports about one to three persons, disputes, deletions and erasures. */
async function play(world: World, publish: () => Promise<unknown>, size: GameSize): Promise<void> {
  const { persons: all, reports, reporters, days } = size;
  const random = seededRandom(`days ${world.now}`);
  const below = (most: number): number => new DataView(random(4).slice().buffer).getUint32(0) % most;
  let id = (world.reports.at(-1)?.id ?? -1) + 1;
  const report = (): void => {
    const about = (person: number, at: number): number => (at === 0 ? person : below(all));
    const persons = [...new Set(Array.from({ length: 1 + below(3) }, (_, at) => about(id % all, at)))];
    world.reports.push({ id: id++, reporter: below(reporters), persons, disputeOpen: false });
  };
  while (world.reports.length < reports) report();
  for (let day = 0; day < days; day++) {
    await publish();
    world.now += DAY;
    for (let added = below(12); added > 0; added--) report();
    for (let disputed = below(4); disputed > 0; disputed--) {
      const one = world.reports[below(world.reports.length)]!;
      one.disputeOpen = !one.disputeOpen;
    }
    for (let removed = below(5); removed > 0; removed--) world.reports.splice(below(world.reports.length), 1);
    if (day % 4 === 0) {
      const erased = below(all);
      world.reports = world.reports.filter(({ persons }) => !persons.includes(erased));
    }
  }
}

/** Returns the rows of a publication with their meanings. `points` are N of all persons. */
function rowsOf(publication: Publication, points: readonly Uint8Array[]): Row[] {
  const { snapshot, signed } = publication;
  const salt = fromBase64Url(parseManifest(signed.bytes)!.salt)!;
  const meanings = new Map<number, { person: number; report: string }>();
  for (const [person, point] of points.entries()) {
    const keys = createRowKeys(salt, point);
    for (let index = 0, at: number; (at = findTag(snapshot, keys.tag(index))) !== -1; index++) {
      const content = keys.open(index, snapshot.subarray(at, at + ROW_BYTES));
      meanings.set(at / ROW_BYTES, { person, report: toHex(content.subarray(0, 6)) });
    }
  }
  return rowsIn(publication).map((bytes, place) => ({
    bytes,
    place,
    person: meanings.get(place)?.person,
    report: meanings.get(place)?.report,
  }));
}

/** Returns the rows of the last two publications of each of two epochs, and all publications. */
export async function playGame(size: GameSize) {
  const { store, all } = memoryPublications();
  const world = createWorld(store, 'graph');
  // Turns as in a service: each row would have one otherwise.
  const publisher = world.start({
    pace: createPace(
      async () => undefined,
      () => performance.now(),
    ),
  });
  const seen: Row[][] = [];
  for (let epoch = 1; epoch <= 2; epoch++) {
    await play(world, () => publisher.publish(), size);
    const points = Array.from({ length: size.persons }, (_, person) => world.pointOf(person, epoch));
    seen.push(...all.slice(-2).map((publication) => rowsOf(publication, points)));
    const { endsAt } = world.keys.epochs.at(-1)!;
    world.keys = nextEpoch(world.keys, endsAt - 7 * DAY, world.random);
    world.now = endsAt;
  }
  return { seen, all };
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
const onesIn = (bytes: Uint8Array): number => {
  let sum = 0;
  for (const byte of bytes) sum += ONES[byte]!;
  return sum;
};
const xor = (left: Uint8Array, right: Uint8Array): Uint8Array => left.map((byte, at) => byte ^ right[at]!);
const number = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** What an attacker may rank two rows by. */
export const OF_TWO: Record<string, (one: Row, other: Row) => number> = {
  'first two bytes': (one, other) => -number(xor(one.bytes, other.bytes).subarray(0, 2)),
  neighbourhood: (one, other) => -Math.abs(one.place - other.place),
  'bits of the tag': (one, other) => -onesIn(xor(one.bytes, other.bytes).subarray(0, TAG_BYTES)),
  'bits of the content': (one, other) => -onesIn(xor(one.bytes, other.bytes).subarray(TAG_BYTES)),
  'equal bytes': (one, other) => xor(one.bytes, other.bytes).filter((byte) => byte === 0).length,
};
export const OF_ONE: Record<string, (one: Row) => number> = {
  'the place': ({ place }) => place,
  bits: ({ bytes }) => onesIn(bytes),
  'the first byte of the content': ({ bytes }) => bytes[TAG_BYTES]!,
  'the last byte': ({ bytes }) => bytes.at(-1)!,
};

/** Returns by how many standard deviations right guesses rank above wrong ones (Mann-Whitney). */
export function advantageOf(right: readonly number[], wrong: readonly number[]): number {
  const sorted = [...right.map((value) => [value, 1] as const), ...wrong.map((value) => [value, 0] as const)];
  sorted.sort(([left], [other]) => left - other);
  let [ranks, ties] = [0, 0];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to]![0] === sorted[from]![0]) to++;
    for (let at = from; at < to; at++) ranks += sorted[at]![1] * ((from + to + 1) / 2);
    ties += (to - from) ** 3 - (to - from);
  }
  const [n, m, all] = [right.length, wrong.length, sorted.length];
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  return (ranks - (n * (n + 1)) / 2 - (n * m) / 2) / Math.sqrt(variance);
}

/** What two rows may have in common. */
export type Common = (row: Row) => number | string | undefined;

/** Pairs that an attacker gets of either sort. */
const MOST_PAIRS = 200_000;

/** Returns pairs of rows: those that have it in common, and as many others. */
export function pairsOf(rows: readonly Row[], others: readonly Row[], common: Common) {
  const random = seededRandom('pairs');
  let numbers = new Uint32Array();
  let drawn = 0;
  const any = (from: readonly Row[]): Row => {
    if (drawn === numbers.length) [numbers, drawn] = [new Uint32Array(random(4096).slice().buffer), 0];
    return from[numbers[drawn++]! % from.length]!;
  };
  const groups = new Map<number | string, Row[]>();
  for (const row of others) {
    const key = common(row);
    if (key === undefined) continue;
    if (groups.has(key)) groups.get(key)!.push(row);
    else groups.set(key, [row]);
  }
  const [all, wrong]: [[Row, Row][], [Row, Row][]] = [[], []];
  for (const row of rows)
    for (const other of groups.get(common(row) ?? '') ?? [])
      if (rows !== others || row.place < other.place) all.push([row, other]);
  // Evenly: rows are in the order of their tags, and the first pairs would be those of low tags.
  const each = Math.ceil(all.length / MOST_PAIRS);
  const right = all.filter((_, at) => at % each === 0);
  while (wrong.length < right.length) {
    const [one, other] = [any(rows), any(others)];
    if (one !== other && (common(one) ?? one) !== common(other))
      wrong.push(one.place < other.place || rows !== others ? [one, other] : [other, one]);
  }
  return { right, wrong };
}

/** Chance of a false alarm: below 10^-5 for each statistic, over all of them below 1 in 1,000. The seeds are fixed. */
const MOST = 4.5;

/** Returns the advantages of an attacker that tells right pairs from wrong ones, by what it ranks them by. */
export function advantagesOf({ right, wrong }: ReturnType<typeof pairsOf>): Record<string, number> {
  const advantage = (rank: (one: Row, other: Row) => number): number =>
    advantageOf(
      ...([right, wrong].map((pairs) => pairs.map(([one, other]) => rank(one, other))) as [number[], number[]]),
    );
  return Object.fromEntries(Object.entries(OF_TWO).map(([name, rank]) => [name, advantage(rank)]));
}

/** Returns the same of an attacker that tells rows that say something from others. */
export function advantagesOfOne(rows: readonly Row[]): Record<string, number> {
  const right = rows.filter(({ person }) => person !== undefined);
  const wrong = rows.filter(({ person }) => person === undefined);
  expect(Math.min(right.length, wrong.length)).toBeGreaterThan(50);
  return Object.fromEntries(
    Object.entries(OF_ONE).map(([name, rank]) => [name, advantageOf(right.map(rank), wrong.map(rank))]),
  );
}

export function expectChance(advantages: Record<string, number>): void {
  for (const [name, advantage] of Object.entries(advantages)) expect(Math.abs(advantage), name).toBeLessThan(MOST);
}
