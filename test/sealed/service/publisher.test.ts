import { buildSnapshot } from '../row-samples.ts';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checksum } from '../../../src/sealed/byte-hashes.ts';
import { kindCode, typeCode } from '../../../src/sealed/codes.ts';
import { fromBase64Url, toHex } from '../../../src/sealed/encoding.ts';
import { destroyEpoch, nextEpoch, scheduleOf } from '../../../src/sealed/keys.ts';
import { operatorPublicKey, verifyManifest, type LastSeen } from '../../../src/sealed/manifest.ts';
import { sodium } from '../../../src/sealed/group/sodium.ts';
import { createRowKeys, packContent, ROW_BYTES, type RowContent } from '../../../src/sealed/rows.ts';
import { lookUp } from '../../../src/sealed/snapshot.ts';
import { rowsOf } from '../../../src/sealed/service/make-snapshot.ts';
import type { Publication } from '../../../src/sealed/service/publications.ts';
import { budget } from '../../budget.ts';
import { memoryPublications } from './memory-publications.ts';
import { createWorld, DAY, HOUR, rules, START, type World } from './publishing.ts';

/** What the source says about a person, without names: those are of one publication. */
function expectedOf(world: World, person: number): string[] {
  return world.reports
    .flatMap((report) => world.rowsOf(report).map((row) => ({ ...row, reporter: report.reporter })))
    .filter((row) => row.person === person)
    .map((row) =>
      contentOf(0, new Uint8Array(6), {
        severity: row.severity,
        kind: kindCode(rules, row.kind),
        type: typeCode(rules, row.type),
        disputed: row.disputeOpen,
        days: Math.floor(row.createdAt / DAY),
        standing: {
          precision: 1 / (2 + row.reporter),
          established: row.reporter % 2 === 0,
          verified: row.reporter === 0,
        },
      }),
    )
    .sort();
}

function contentOf(reporter: number, report: Uint8Array, content: Omit<RowContent, 'reporter' | 'report'>): string {
  return toHex(packContent({ ...content, reporter, report }));
}

const PERSONS = [0, 1, 2, 3, 4, 5];

/** Asserts that a publication holds exactly the source's rows, and that all its parts fit. */
function assertRight(world: World, publication: Publication, seen: LastSeen | undefined): LastSeen {
  const { epoch, snapshot, signed } = publication;
  const verified = verifyManifest(signed.bytes, signed.signature, {
    operatorKey: operatorPublicKey(world.keys.operatorKey),
    now: world.now,
    lastSeen: seen,
  });
  const { manifest } = verified;
  const reports = new Map<string, string>();
  for (const person of PERSONS) {
    const found = lookUp(snapshot, createRowKeys(fromBase64Url(manifest.salt)!, world.pointOf(person, epoch)));
    const contents = found.map(({ report, reporter, ...content }) => {
      const said = `${reporter} ${content.severity} ${content.days}`;
      expect(reports.get(toHex(report)) ?? said).toBe(said);
      reports.set(toHex(report), said);
      return contentOf(0, new Uint8Array(6), content);
    });
    expect(contents.sort()).toEqual(expectedOf(world, person));
  }
  const written = world.reports.filter((report) => world.rowsOf(report).length > 0);
  expect(reports.size).toBe(written.length);
  expect(new Set([...reports.values()].map((said) => said.split(' ')[0])).size).toBe(
    new Set(written.map(({ reporter }) => reporter)).size,
  );
  const rows = snapshot.length / ROW_BYTES;
  expect(rows).toBe(rowsOf(written.reduce((sum, report) => sum + world.rowsOf(report).length, 0)));
  expect(manifest).toMatchObject({ rows, epoch: { number: epoch } });
  const each = Array.from({ length: rows }, (_, at) => snapshot.subarray(at * ROW_BYTES, (at + 1) * ROW_BYTES));
  expect(buildSnapshot(each)).toEqual(snapshot);
  expect(checksum(snapshot)).toBe(manifest.snapshot);
  return verified.seen;
}

type Step =
  | { readonly do: 'add'; readonly reporter: number; readonly persons: readonly number[] }
  | { readonly do: 'remove' | 'dispute'; readonly at: number }
  | { readonly do: 'protect'; readonly person: number }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'publish' | 'restart' | 'fail-before' | 'fail-after' | 'epoch' };

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
      do: fc.constantFrom('restart', 'fail-before', 'fail-after', 'epoch') as fc.Arbitrary<
        'restart' | 'fail-before' | 'fail-after' | 'epoch'
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
        const { store, fault, kept } = memoryPublications();
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
          if (one.do === 'fail-before' || one.do === 'fail-after') {
            fault.next = one.do === 'fail-before' ? 'before' : 'after';
            await expect(publisher.publish()).rejects.toThrow('killed');
            // A killed process forgets; one that only failed does not.
            if (nextId % 2 === 0) publisher = world.start();
          }
          if (one.do === 'epoch') {
            const last = world.keys.epochs.at(-1)!;
            world.now = Math.max(world.now, last.endsAt - 3 * DAY);
            world.keys = nextEpoch(world.keys, world.now, world.random);
            await publisher.publish();
            world.now = Math.max(world.now, last.endsAt);
          }
          if (one.do === 'publish') {
            if (scheduleOf(world.keys.epochs, world.now).current === undefined)
              world.keys = nextEpoch(world.keys, world.now, world.random);
            await publisher.publish();
            seen = assertRight(world, kept().at(-1)!, seen);
          }
        }
      }),
      { numRuns: budget(6), examples: [[FAILED_AFTER_IT_WAS_KEPT]] },
    );
  });

  it('multiplies the element of each identifier once', async () => {
    const world = createWorld(memoryPublications().store);
    for (let id = 0; id < 5; id++) world.reports.push({ id, reporter: 0, persons: [id, 5], disputeOpen: false });
    const publisher = world.start();
    for (const report of world.reports) world.rowsOf(report);
    const multiply = vi.spyOn(sodium(), 'crypto_scalarmult_ristretto255');
    await publisher.publish();
    expect(multiply).toHaveBeenCalledTimes(6);
    multiply.mockRestore();
  });

  it('has a ladder of rows with four rungs between two powers of two, and at least a ninth says nothing', () => {
    expect([0, 1, 56, 57, 170, 171, 1_000_000].map(rowsOf)).toEqual([64, 80, 128, 160, 256, 320, 1_310_720]);
    for (let count = 0; count < 5000; count += 7) expect(rowsOf(count) - count).toBeGreaterThan(rowsOf(count) / 9);
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
    world.keys = nextEpoch(world.keys, START, world.random);
    await expect(world.start().publish()).rejects.toThrow('its key was destroyed');
    expect(kept()).toEqual([]);
    world.now = START + 23 * DAY;
    expect(await world.start().publish()).toMatchObject({ epoch: 2 });
  });
});
