import { buildSnapshot } from '../row-samples.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksum } from '../../../src/sealed/byte-hashes.ts';
import { kindCode, typeCode } from '../../../src/sealed/codes.ts';
import { applyDelta } from '../../../src/sealed/delta.ts';
import { toHex } from '../../../src/sealed/encoding.ts';
import {
  destroyEpoch,
  forgetPreviousKey,
  nextEpoch,
  replaceSealingKey,
  scheduleOf,
  secretKeyOf,
} from '../../../src/sealed/keys.ts';
import { operatorPublicKey, verifyManifest, type LastSeen } from '../../../src/sealed/manifest.ts';
import { parseReporters } from '../../../src/sealed/reporters.ts';
import { createRowKeys, packContent, ROW_BYTES, TAG_BYTES } from '../../../src/sealed/rows.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { findTag, lookUp } from '../../../src/sealed/snapshot.ts';
import { createEpochNames, type EpochNames } from '../../../src/sealed/service/epoch-names.ts';
import type { Publication } from '../../../src/sealed/service/publication.ts';
import { budget } from '../../budget.ts';
import { memoryPublications } from './memory-publications.ts';
import { createWorld, DAY, group, HOUR, idOf, rules, START, type World } from './publishing.ts';

/** The contents of a person's rows that the source has, packed, sorted. */
function expectedOf(world: World, person: number, names: EpochNames): string[] {
  return world.reports
    .flatMap((report) => world.rowsOf(report))
    .filter((row) => row.person === person)
    .map((row) =>
      toHex(
        packContent({
          report: names.tagOf(row.reportId)!,
          reporter: names.numberOf(row.reporterId),
          severity: row.severity,
          kind: kindCode(rules, row.kind),
          type: typeCode(rules, row.type),
          disputed: row.disputeOpen,
          days: Math.floor(row.createdAt / DAY),
        }),
      ),
    )
    .sort();
}

const PERSONS = [0, 1, 2, 3, 4, 5];

/** Asserts that a publication holds exactly the source's rows, and that all its parts fit. */
function assertRight(world: World, publication: Publication, seen: LastSeen | undefined): LastSeen {
  const { epoch, snapshot, reporters, signed } = publication;
  const names = createEpochNames(secretKeyOf(group, world.keys, epoch));
  for (const id of world.reports.map(({ reporter }) => idOf('reporter', reporter)).sort()) names.numberOf(id);
  const verified = verifyManifest(signed.bytes, signed.signature, {
    operatorKey: operatorPublicKey(world.keys.operatorKey),
    now: world.now,
    lastSeen: seen,
  });
  const { manifest } = verified;
  for (const person of PERSONS) {
    const found = lookUp(snapshot, createRowKeys(epoch, world.pointOf(person, epoch)));
    expect(found.map((content) => toHex(packContent(content))).sort()).toEqual(expectedOf(world, person, names));
  }
  const rows = snapshot.length / ROW_BYTES;
  expect(manifest).toMatchObject({ rows, epoch: { number: epoch }, unsealed: world.unsealed });
  const each = Array.from({ length: rows }, (_, at) => snapshot.subarray(at * ROW_BYTES, (at + 1) * ROW_BYTES));
  expect(buildSnapshot(each)).toEqual(snapshot);
  expect([checksum(snapshot), checksum(reporters)]).toEqual([manifest.snapshot, manifest.reporters]);
  const table = parseReporters(reporters);
  const named = new Set(world.reports.filter((report) => world.rowsOf(report).length > 0).map((one) => one.reporter));
  expect(table.size).toBe(named.size);
  for (const reporter of named)
    expect(table.get(names.numberOf(idOf('reporter', reporter)))?.precision).toBe(
      (Math.floor(16 / (2 + reporter)) + 0.5) / 16,
    );
  return verified.seen;
}

/** Asserts that the delta of the newest manifest leads from the publication before to it, byte for byte. */
function assertDelta(kept: readonly Publication[]): void {
  const [before, newest] = kept.length < 2 ? [undefined, kept[0]!] : (kept as [Publication, Publication]);
  const { delta } = parseManifest(newest.signed.bytes)!;
  expect(delta === null).toBe(newest.delta === undefined);
  if (delta === null || before?.epoch !== newest.epoch) return;
  expect(checksum(newest.delta!)).toBe(delta.sha256);
  expect(delta.from).toBe(before.sequence);
  expect(applyDelta(before.snapshot, newest.delta!)).toEqual(newest.snapshot);
}

/**
 * Asserts that a later publication of an epoch has each tag of the one before, and as many new and changed rows as the
 * ladder has.
 */
function assertPadded(all: readonly Publication[]): void {
  for (const [at, { snapshot, delta, epoch }] of all.entries()) {
    const rows = snapshot.length / ROW_BYTES;
    if (delta === undefined) {
      // Four rungs between two powers of two, from 64 on.
      const step = 2 ** Math.max(4, Math.ceil(Math.log2(rows)) - 3);
      expect(rows % step).toBe(0);
      continue;
    }
    const before = all
      .slice(0, at)
      .filter((one) => one.epoch === epoch)
      .at(-1)!;
    const added = (snapshot.length - before.snapshot.length) / ROW_BYTES;
    const changed = delta.length / ROW_BYTES - added;
    expect([added, changed]).toEqual([64, 64]);
    for (let from = 0; from < before.snapshot.length; from += ROW_BYTES)
      expect(findTag(snapshot, before.snapshot.subarray(from, from + TAG_BYTES))).not.toBe(-1);
  }
}

type Step =
  | { readonly do: 'add'; readonly reporter: number; readonly persons: readonly number[] }
  | { readonly do: 'remove' | 'dispute'; readonly at: number }
  | { readonly do: 'protect'; readonly person: number }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'publish' | 'restart' | 'reseal' | 'fail-before' | 'fail-after' | 'epoch' };

const person = fc.constantFrom(...PERSONS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      reporter: fc.integer({ min: 0, max: 4 }),
      persons: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'dispute' as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('protect' as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 5, 30) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('publish' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('restart', 'reseal', 'fail-before', 'fail-after', 'epoch') as fc.Arbitrary<
        'restart' | 'reseal' | 'fail-before' | 'fail-after' | 'epoch'
      >,
    }),
  },
);

/** The publisher that goes on must lead from what was kept, not from what it remembers. */
const FAILED_AFTER_IT_WAS_KEPT: Step[] = [
  { do: 'publish' },
  { do: 'add', reporter: 0, persons: [0] },
  { do: 'fail-after' },
  { do: 'add', reporter: 0, persons: [0] },
];

describe('a publisher', () => {
  it('publishes exactly the rows of the source after any sequence of changes, and pads them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const { store, all, fault, kept } = memoryPublications();
        const world = createWorld(store);
        let publisher = world.start();
        let nextId = 0;
        let seen: LastSeen | undefined;
        for (const one of [...steps, { do: 'publish' } as const]) {
          if (one.do === 'add')
            world.reports.push({ id: nextId++, reporter: one.reporter, persons: one.persons, disputeOpen: false });
          if (one.do === 'remove') world.reports.splice(one.at % Math.max(1, world.reports.length), 1);
          if (one.do === 'dispute') {
            const report = world.reports[one.at % Math.max(1, world.reports.length)];
            if (report) report.disputeOpen = !report.disputeOpen;
          }
          if (one.do === 'protect' && !world.protectedPersons.delete(one.person))
            world.protectedPersons.add(one.person);
          if (one.do === 'wait') world.now += one.hours * HOUR;
          if (one.do === 'restart') publisher = world.start();
          if (one.do === 'reseal') world.keys = forgetPreviousKey(replaceSealingKey(group, world.keys, world.random));
          if (one.do === 'fail-before' || one.do === 'fail-after') {
            fault.next = one.do === 'fail-before' ? 'before' : 'after';
            await expect(publisher.publish()).rejects.toThrow('killed');
            // A killed process forgets; one that only failed does not.
            if (nextId % 2 === 0) publisher = world.start();
          }
          if (one.do === 'epoch') {
            const last = world.keys.epochs.at(-1)!;
            world.now = Math.max(world.now, last.endsAt - 3 * DAY);
            world.keys = nextEpoch(group, world.keys, world.now, world.random);
            await publisher.publish();
            world.now = Math.max(world.now, last.endsAt);
          }
          if (one.do === 'publish') {
            if (scheduleOf(world.keys.epochs, world.now).current === undefined)
              world.keys = nextEpoch(group, world.keys, world.now, world.random);
            await publisher.publish();
            seen = assertRight(world, kept().at(-1)!, seen);
            assertDelta(kept());
          }
        }
        assertPadded(all);
      }),
      { numRuns: budget(6), examples: [[FAILED_AFTER_IT_WAS_KEPT]] },
    );
  });

  it('multiplies only elements that are new in the epoch, and prepares the next one', async () => {
    const { store } = memoryPublications();
    const world = createWorld(store);
    const publisher = world.start();
    const costOf = async (): Promise<number> => {
      const before = world.multiplications;
      await publisher.publish();
      return world.multiplications - before;
    };
    for (let id = 0; id < 5; id++) world.reports.push({ id, reporter: 0, persons: [id], disputeOpen: false });
    expect(await costOf()).toBe(5);
    expect(await costOf()).toBe(0);
    world.reports.push({ id: 9, reporter: 1, persons: [2, 5], disputeOpen: false });
    expect(await costOf()).toBe(1);
    const { endsAt } = world.keys.epochs[0]!;
    world.now = endsAt - 7 * DAY;
    world.keys = nextEpoch(group, world.keys, world.now, world.random);
    expect(await costOf()).toBe(6);
    world.now = endsAt;
    expect(await costOf()).toBe(0);
  });

  it('counts an identifier that gets its element after the rows were read', async () => {
    const world = createWorld(memoryPublications().store);
    const publisher = world.start();
    const { rowsOf } = world;
    world.reports.push({ id: 1, reporter: 0, persons: [1], disputeOpen: false });
    world.unsealed = 1;
    world.rowsOf = () => {
      world.unsealed = 0;
      return [];
    };
    expect(await publisher.publish()).toMatchObject({ rows: 64, unsealed: 1 });
    world.rowsOf = rowsOf;
    expect(await publisher.publish()).toMatchObject({ rows: 128, unsealed: 0 });
  });

  it('keeps two publications, the newer one with the delta from the older one', async () => {
    const { store, kept } = memoryPublications();
    const world = createWorld(store);
    const publisher = world.start();
    for (let day = 0; day < 4; day++) {
      world.reports.push({ id: day, reporter: day % 3, persons: [day % 6], disputeOpen: false });
      await publisher.publish();
      expect(kept()).toHaveLength(Math.min(2, day + 1));
      expect(kept().at(-1)!.delta !== undefined).toBe(day > 0);
      assertDelta(kept());
      world.now += DAY;
    }
  });

  it('refuses to publish without an open epoch, and if the key is destroyed meanwhile', async () => {
    const { store, kept } = memoryPublications();
    const world = createWorld(store);
    const publisher = world.start();
    world.reports.push({ id: 1, reporter: 0, persons: [1], disputeOpen: false });
    await publisher.publish();
    const keys = world.keys;
    world.keys = destroyEpoch(keys, 1);
    await expect(publisher.publish()).rejects.toThrow('run redflag sealed rotate');
    expect(kept()).toEqual([]);
    world.keys = keys;
    const running = publisher.publish();
    await Promise.resolve();
    await Promise.resolve();
    world.keys = destroyEpoch(keys, 1);
    await expect(running).rejects.toThrow();
    expect(kept()).toEqual([]);
  });

  it('gives other work a turn', async () => {
    const { store } = memoryPublications();
    const world = createWorld(store);
    for (let id = 0; id < 6; id++) world.reports.push({ id, reporter: 0, persons: [id], disputeOpen: false });
    const publisher = world.start();
    await publisher.publish();
    expect(world.turns).toBeGreaterThan(30);
    // A delta is made in 1,024 slices.
    await publisher.publish();
    expect(world.turns).toBeGreaterThan(1000);
    expect(world.now).toBe(START);
  });

  it('leaves no publication of an epoch whose key is destroyed while it is added', async () => {
    const { store, kept } = memoryPublications();
    const world = createWorld({
      ...store,
      async add(publication, countersign) {
        await store.add(publication, countersign);
        if (publication.epoch === 1) world.keys = destroyEpoch(world.keys, 1);
      },
    });
    world.keys = nextEpoch(group, world.keys, START, world.random);
    await expect(world.start().publish()).rejects.toThrow('its key was destroyed');
    expect(kept()).toEqual([]);
    world.now = START + 23 * DAY;
    expect(await world.start().publish()).toMatchObject({ epoch: 2 });
  });
});
