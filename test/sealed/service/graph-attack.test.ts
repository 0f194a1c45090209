import { beforeAll, describe, expect, it } from 'vitest';
import { fromBase64Url, toHex } from '../../../src/sealed/encoding.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { nextEpoch } from '../../../src/sealed/keys.ts';
import { createRowKeys, ROW_BYTES, TAG_BYTES } from '../../../src/sealed/rows.ts';
import type { Publication } from '../../../src/sealed/service/publications.ts';
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

const PERSONS = 160;
const DAYS = 8;

/** A row, with what the attacker does not know. */
interface Row {
  readonly bytes: Uint8Array;
  readonly place: number;
  /** Undefined: the row says nothing. */
  readonly person: number | undefined;
  readonly report: string | undefined;
}

const rowsIn = ({ snapshot }: Publication): Uint8Array[] =>
  Array.from({ length: snapshot.length / ROW_BYTES }, (_, n) => snapshot.subarray(n * ROW_BYTES, (n + 1) * ROW_BYTES));

/** Plays days of an epoch: reports about one to three persons, disputes, deletions and erasures. */
async function play(world: World, publish: () => Promise<unknown>, days: number): Promise<void> {
  const random = seededRandom(`days ${world.now}`);
  const below = (most: number): number => new DataView(random(4).slice().buffer).getUint32(0) % most;
  let id = world.reports.length;
  const report = (): void => {
    const persons = [...new Set(Array.from({ length: 1 + below(3) }, () => below(PERSONS)))];
    world.reports.push({ id: id++, reporter: below(20), persons, disputeOpen: false });
  };
  for (let first = 0; first < 200; first++) report();
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
      const erased = below(PERSONS);
      world.reports = world.reports.filter(({ persons }) => !persons.includes(erased));
    }
  }
}

/** Returns the rows of a publication with their meanings. */
function rowsOf(world: World, publication: Publication): Row[] {
  const { snapshot, epoch, signed } = publication;
  const salt = fromBase64Url(parseManifest(signed.bytes)!.salt)!;
  const meanings = new Map<number, { person: number; report: string }>();
  for (let person = 0; person < PERSONS; person++) {
    const keys = createRowKeys(salt, world.pointOf(person, epoch));
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

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
const onesIn = (bytes: Uint8Array): number => {
  let sum = 0;
  for (const byte of bytes) sum += ONES[byte]!;
  return sum;
};
const xor = (left: Uint8Array, right: Uint8Array): Uint8Array => left.map((byte, at) => byte ^ right[at]!);
const number = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** What an attacker may rank two rows by. */
const OF_TWO: Record<string, (one: Row, other: Row) => number> = {
  'first two bytes': (one, other) => -number(xor(one.bytes, other.bytes).subarray(0, 2)),
  neighbourhood: (one, other) => -Math.abs(one.place - other.place),
  'bits of the tag': (one, other) => -onesIn(xor(one.bytes, other.bytes).subarray(0, TAG_BYTES)),
  'bits of the content': (one, other) => -onesIn(xor(one.bytes, other.bytes).subarray(TAG_BYTES)),
  'equal bytes': (one, other) => xor(one.bytes, other.bytes).filter((byte) => byte === 0).length,
};
const OF_ONE: Record<string, (one: Row) => number> = {
  'the place': ({ place }) => place,
  bits: ({ bytes }) => onesIn(bytes),
  'the first byte of the content': ({ bytes }) => bytes[TAG_BYTES]!,
  'the last byte': ({ bytes }) => bytes.at(-1)!,
};

/** Returns by how many standard deviations right guesses rank above wrong ones (Mann-Whitney). */
function advantageOf(right: readonly number[], wrong: readonly number[]): number {
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

/** Returns pairs of rows: those for which `isRight` holds, and others. */
function pairsOf(rows: readonly Row[], others: readonly Row[], isRight: (one: Row, other: Row) => boolean) {
  const random = seededRandom('pairs');
  let bytes: number[] = [];
  const chosen = (): boolean => {
    if (bytes.length === 0) bytes = [...random(4096)];
    return bytes.pop()! < 8;
  };
  const [right, wrong]: [[Row, Row][], [Row, Row][]] = [[], []];
  for (const [at, one] of rows.entries())
    for (const other of rows === others ? rows.slice(at + 1) : others)
      if (isRight(one, other)) right.push([one, other]);
      else if (chosen()) wrong.push([one, other]);
  return { right, wrong };
}

/** Chance of a false alarm: below 10^-5 for each statistic, over all of them below 1 in 1,000. The seeds are fixed. */
const MOST = 4.5;

describe('a key holder that evaluates nothing', () => {
  const { store, all } = memoryPublications();
  const world = createWorld(store, 'graph');
  /** Rows of the last two publications of two epochs. */
  const seen: Row[][] = [];

  beforeAll(async () => {
    const publisher = world.start();
    for (let epoch = 1; epoch <= 2; epoch++) {
      await play(world, () => publisher.publish(), DAYS);
      seen.push(...all.slice(-2).map((publication) => rowsOf(world, publication)));
      const { endsAt } = world.keys.epochs.at(-1)!;
      world.keys = nextEpoch(world.keys, endsAt - 7 * DAY, world.random);
      world.now = endsAt;
    }
  });

  const isOfOne = (one: Row, other: Row): boolean => one.person !== undefined && one.person === other.person;

  it.each<[string, (one: Row, other: Row) => boolean]>([
    ['are of one identifier', isOfOne],
    ['are of one report', (one, other) => one.report !== undefined && one.report === other.report],
  ])('guesses no better than chance which rows of a publication %s', (_, isRight) => {
    for (const rows of seen) {
      const { right, wrong } = pairsOf(rows, rows, isRight);
      expect(right.length).toBeGreaterThan(100);
      expectChance(right, wrong);
    }
  });

  it('guesses no better than chance which rows of two publications are of one identifier', () => {
    for (const [one, other] of [
      [0, 1],
      [2, 3],
      [1, 3],
    ] as const) {
      const { right, wrong } = pairsOf(seen[one]!, seen[other]!, isOfOne);
      expect(right.length).toBeGreaterThan(100);
      expectChance(right, wrong);
    }
  });

  function expectChance(right: readonly [Row, Row][], wrong: readonly [Row, Row][]): void {
    for (const [name, rank] of Object.entries(OF_TWO)) {
      const [ranked, others] = [right, wrong].map((pairs) => pairs.map(([one, other]) => rank(one, other)));
      expect(Math.abs(advantageOf(ranked!, others!)), name).toBeLessThan(MOST);
    }
  }

  it('would guess if the rows of an identifier had an address, as those of the first format', () => {
    const [rows = []] = seen;
    const addressed = rows.map((row) => {
      const address = seededRandom(`address ${row.person ?? row.place}`)(2);
      return { ...row, bytes: new Uint8Array([...address, ...row.bytes.subarray(2)]) };
    });
    const { right, wrong } = pairsOf(addressed, addressed, isOfOne);
    const rank = OF_TWO['first two bytes']!;
    const [ranked, others] = [right, wrong].map((pairs) => pairs.map(([one, other]) => rank(one, other)));
    expect(advantageOf(ranked!, others!)).toBeGreaterThan(20);
  });

  it('guesses no better than chance which rows say something', () => {
    for (const rows of seen) {
      const right = rows.filter(({ person }) => person !== undefined);
      const wrong = rows.filter(({ person }) => person === undefined);
      expect(Math.min(right.length, wrong.length)).toBeGreaterThan(50);
      for (const [name, rank] of Object.entries(OF_ONE))
        expect(Math.abs(advantageOf(right.map(rank), wrong.map(rank))), name).toBeLessThan(MOST);
    }
  });

  it('finds no tag, report or content in one publication that another one has', () => {
    const tags = all.flatMap((publication) => rowsIn(publication).map((row) => toHex(row.subarray(0, TAG_BYTES))));
    expect(new Set(tags).size).toBe(tags.length);
    const reports = seen.map((rows) => [...new Set(rows.flatMap(({ report }) => report ?? []))]);
    expect(new Set(reports.flat()).size).toBe(reports.flat().length);
  });

  it('sees the same of two stores with as many reported identifiers: one person 40 times, or 40 persons', async () => {
    const sizes = await Promise.all(
      [() => 0, (n: number) => n].map(async (personOf, at) => {
        const made = memoryPublications();
        const other = createWorld(made.store, `same leakage ${at}`);
        const publisher = other.start();
        for (let id = 0; id < 40; id++)
          other.reports.push({ id, reporter: at * id, persons: [personOf(id)], disputeOpen: false });
        await publisher.publish();
        other.reports.splice(0, at === 0 ? 30 : 31);
        await publisher.publish();
        return made.all.map(({ snapshot, signed }) => [snapshot.length, signed.bytes.length]);
      }),
    );
    expect(sizes[1]).toEqual(sizes[0]);
  });
});
