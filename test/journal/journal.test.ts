import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JournalDamagedError, JournalFailedError } from '../../src/stores/journal/errors.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { bytesOf, openAndCollect } from './collect.ts';
import { DiskFullError, createFaultyMedium } from './faulty.ts';

/** A gate for a faulty medium. */
function makeGate(): { readonly closed: Promise<void>; open(): void } {
  let open!: () => void;
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { closed, open };
}

/** Lets everything run that needs no further event. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `record ${from + i}`);

describe('appending', () => {
  it('is there after opening again, in order', async () => {
    const medium = createMemoryMedium();
    const { journal } = await openAndCollect(medium);
    await Promise.all(numbered(10).map((record) => journal.append(bytesOf(record))));
    await journal.append(bytesOf('last'));
    const again = await openAndCollect(medium);
    expect(again.records).toEqual([...numbered(10), 'last']);
    expect(again.notices).toEqual([]);
    expect(again.journal.bytesSinceSnapshot).toBe(journal.bytesSinceSnapshot);
    expect(again.journal.durableBytes).toBe(medium.bytes().length);
  });

  it('makes one write of what comes in one turn, and one of what comes during it', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const gate = makeGate();
    medium.gate = gate.closed;
    const first = numbered(64).map((record) => journal.append(bytesOf(record)));
    await turn();
    const second = numbered(64, 64).map((record) => journal.append(bytesOf(record)));
    gate.open();
    await Promise.all([...first, ...second]);
    expect(medium.calls.append).toBe(2);
    expect((await openAndCollect(medium)).records).toEqual(numbered(128));
  });

  it('serves 64 writers with few writes', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const writer = async (): Promise<void> => {
      for (const record of numbered(20)) await journal.append(bytesOf(record));
    };
    await Promise.all(Array.from({ length: 64 }, writer));
    expect(medium.calls.append).toBeLessThanOrEqual(41);
    expect((await openAndCollect(medium)).records).toHaveLength(64 * 20);
  });

  it('acknowledges nothing before the medium does', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const gate = makeGate();
    medium.gate = gate.closed;
    let acknowledged = 0;
    const appends = numbered(3).map((record) => journal.append(bytesOf(record)).then(() => acknowledged++));
    await turn();
    expect(acknowledged).toBe(0);
    gate.open();
    await Promise.all(appends);
    expect(acknowledged).toBe(3);
  });

  it('bounds a frame by records and by bytes, and takes one record that is larger', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const records = [...numbered(10_000), 'x'.repeat(700_000), 'y'.repeat(700_000), 'z'.repeat(3_000_000)];
    await Promise.all(records.map((record) => journal.append(bytesOf(record))));
    // 4096 + 4096 + (1808 and x) + y + z
    expect(medium.calls.append).toBe(5);
    expect((await openAndCollect(medium)).records).toEqual(records);
  });

  it('settles when what was appended before is durable, and at once when nothing is on its way', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    await journal.settled();
    const gate = makeGate();
    medium.gate = gate.closed;
    const order: string[] = [];
    const append = journal.append(bytesOf('a')).then(() => order.push('a'));
    await turn();
    const settled = journal.settled().then(() => order.push('settled'));
    await turn();
    expect(order).toEqual([]);
    gate.open();
    await Promise.all([append, settled]);
    expect(order).toEqual(['a', 'settled']);
    await journal.settled();
  });

  it('ends by writing what waits, then closing the medium; nothing is taken afterwards', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const appends = numbered(5).map((record) => journal.append(bytesOf(record)));
    const closed = journal.close();
    await expect(journal.append(bytesOf('late'))).rejects.toThrow('the journal is closed');
    await expect(journal.compact(() => bytesOf('late'))).rejects.toThrow('the journal is closed');
    await closed;
    await journal.close();
    await Promise.all(appends);
    await expect(medium.size()).rejects.toThrow('closed');
    expect((await openAndCollect(createMemoryMedium(medium.bytes()))).records).toEqual(numbered(5));
  });

  it('starts again when it had nothing to do, at whatever moment', async () => {
    const { journal } = await openAndCollect(createMemoryMedium());
    for (let microtasks = 0; microtasks < 30; microtasks++) {
      const before = journal.append(bytesOf('a'));
      for (let i = 0; i < microtasks; i++) await undefined;
      await Promise.all([before, journal.append(bytesOf('b'))]);
    }
  });
});

describe('a medium that fails', () => {
  it.each([0, 1, 12, 13, 20, 59, 10_000])(
    'after %i bytes: rejects what is not durable, reopens with exactly what was acknowledged',
    async (written) => {
      for (const truncateFails of [false, true]) {
        const medium = createFaultyMedium();
        const { journal } = await openAndCollect(medium);
        await journal.append(bytesOf('acknowledged'));
        medium.failAppendAfter = written;
        medium.failTruncate = truncateFails;
        const first = journal.append(bytesOf('in the failing batch'));
        const second = journal.append(bytesOf('also'));
        const error = await first.catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(JournalFailedError);
        expect((error as JournalFailedError).cause).toBeInstanceOf(DiskFullError);
        await expect(second).rejects.toBe(error);
        await expect(journal.append(bytesOf('later'))).rejects.toBe(error);
        await expect(journal.settled()).rejects.toBe(error);
        await expect(journal.compact(() => bytesOf('later'))).rejects.toBe(error);
        expect(journal.failure).toBe(error);

        medium.failAppendAfter = undefined;
        medium.failTruncate = false;
        const again = await openAndCollect(medium, { durableBytes: journal.durableBytes });
        expect(again.records).toEqual(['acknowledged']);
        const left = truncateFails && written > 0;
        expect(again.notices.map((notice) => notice.reason)).toEqual(left ? ['unacknowledged'] : []);
        await again.journal.append(bytesOf('goes on'));
        expect((await openAndCollect(medium)).records).toEqual(['acknowledged', 'goes on']);
      }
    },
  );

  it('rejects also what was appended while the failing write ran', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const gate = makeGate();
    medium.gate = gate.closed;
    medium.failAppendAfter = 5;
    const first = journal.append(bytesOf('a'));
    await turn();
    const second = journal.append(bytesOf('b'));
    const compaction = journal.compact(() => bytesOf('never taken'));
    const settled = journal.settled();
    gate.open();
    for (const promise of [first, second, compaction, settled])
      await expect(promise).rejects.toThrow(JournalFailedError);
    expect(medium.calls.replace).toBe(1);
  });

  it('forgives nothing among what was acknowledged', async () => {
    const medium = createMemoryMedium();
    const { journal } = await openAndCollect(medium);
    await journal.append(bytesOf('acknowledged'));
    await medium.truncate(journal.durableBytes - 1);
    await expect(openAndCollect(medium, { durableBytes: journal.durableBytes })).rejects.toThrow(JournalDamagedError);
    await medium.append(Uint8Array.of(0, 0, 0));
    await expect(openAndCollect(medium, { durableBytes: journal.durableBytes })).rejects.toThrow(JournalDamagedError);
  });

  it('is read again while the medium lets go of nothing, and writes nothing behind what it holds too much', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    medium.failAppendAfter = 7;
    medium.failTruncate = true;
    await expect(journal.append(bytesOf('a'))).rejects.toThrow(JournalFailedError);
    const again = await openAndCollect(medium, { durableBytes: journal.durableBytes });
    expect(again.records).toEqual([]);
    medium.failAppendAfter = undefined;
    await expect(again.journal.probe()).rejects.toThrow(DiskFullError);
    await expect(again.journal.probe()).rejects.toThrow(DiskFullError);
    expect(again.journal.failure).toBeUndefined();
    medium.failTruncate = false;
    await again.journal.probe();
    await again.journal.append(bytesOf('b'));
    expect((await openAndCollect(medium)).records).toEqual(['b']);

    medium.failAppendAfter = 7;
    medium.failTruncate = true;
    await expect(again.journal.append(bytesOf('c'))).rejects.toThrow(JournalFailedError);
    medium.failAppendAfter = undefined;
    const last = await openAndCollect(medium, { durableBytes: again.journal.durableBytes });
    // Whoever does not try first: nothing goes behind the rest.
    await expect(last.journal.append(bytesOf('d'))).rejects.toThrow(JournalFailedError);
    medium.failTruncate = false;
    expect((await openAndCollect(medium, { durableBytes: last.journal.durableBytes })).records).toEqual(['b']);
  });

  it('keeps record contents out of its errors', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    medium.failAppendAfter = 3;
    const error = await journal.append(bytesOf('secret')).catch((reason: unknown) => reason);
    expect(String((error as Error).stack)).not.toContain('secret');
  });
});

describe('compaction', () => {
  /** A caller as a store is one: applies, then appends, in one turn. */
  function makeCaller(journal: { append(record: Uint8Array): Promise<void> }) {
    const memory: string[] = [];
    return {
      memory,
      takeSnapshot: () => bytesOf(memory.join('\n')),
      write: (record: string): Promise<void> => {
        memory.push(record);
        return journal.append(bytesOf(record));
      },
    };
  }

  /** What a caller would have after a restart. */
  async function rebuild(bytes: Uint8Array): Promise<string[]> {
    const { snapshot, records } = await openAndCollect(createMemoryMedium(bytes));
    return [...(snapshot === undefined || snapshot === '' ? [] : snapshot.split('\n')), ...records];
  }

  it('replaces everything by the snapshot, and counts from there', async () => {
    const medium = createMemoryMedium();
    const { journal } = await openAndCollect(medium);
    await journal.append(bytesOf('a'));
    expect(journal.snapshotBytes).toBe(0);
    expect(journal.bytesSinceSnapshot).toBe(13 + 4 + 1 + 1);
    await journal.compact(() => [bytesOf('snap'), bytesOf('shot')]);
    expect(journal.snapshotBytes).toBe(8);
    expect(journal.bytesSinceSnapshot).toBe(0);
    expect(journal.durableBytes).toBe(medium.bytes().length);
    await journal.append(bytesOf('b'));
    const again = await openAndCollect(medium);
    expect(again).toMatchObject({ snapshot: 'snapshot', records: ['b'] });
    expect(again.journal.snapshotBytes).toBe(8);
    expect(again.journal.bytesSinceSnapshot).toBe(journal.bytesSinceSnapshot);
  });

  it('takes the snapshot between two batches, and acknowledges with it what waited', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const caller = makeCaller(journal);
    const gate = makeGate();
    medium.gate = gate.closed;
    const running = caller.write('in the running batch');
    await turn();
    const waiting = caller.write('waiting');
    const compaction = journal.compact(caller.takeSnapshot);
    const later = caller.write('after asking, before taking');
    gate.open();
    await Promise.all([running, waiting, compaction, later]);
    expect(medium.calls.append).toBe(1);
    expect(await openAndCollect(medium)).toMatchObject({
      snapshot: 'in the running batch\nwaiting\nafter asking, before taking',
      records: [],
    });
  });

  it('puts what comes while it is written behind it', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const caller = makeCaller(journal);
    const gate = makeGate();
    medium.gate = gate.closed;
    const before = caller.write('before');
    const compaction = journal.compact(caller.takeSnapshot);
    await turn();
    const during = caller.write('during');
    let acknowledged = false;
    void before.then(() => (acknowledged = true));
    await turn();
    expect(acknowledged).toBe(false);
    gate.open();
    await Promise.all([before, compaction, during]);
    expect(await openAndCollect(medium)).toMatchObject({ snapshot: 'before', records: ['during'] });
  });

  it('that fails leaves the old content, writes what waited behind it, and goes on', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const caller = makeCaller(journal);
    await caller.write('a');
    medium.failReplace = true;
    const waiting = caller.write('b');
    const compaction = journal.compact(caller.takeSnapshot);
    const gate = makeGate();
    medium.gate = gate.closed;
    await turn();
    const during = caller.write('c');
    gate.open();
    await expect(compaction).rejects.toThrow(DiskFullError);
    await Promise.all([waiting, during]);
    expect(journal.failure).toBeUndefined();
    expect(await openAndCollect(medium)).toMatchObject({ snapshot: undefined, records: ['a', 'b', 'c'] });
    medium.failReplace = false;
    await journal.compact(caller.takeSnapshot);
    expect(await openAndCollect(medium)).toMatchObject({ snapshot: 'a\nb\nc', records: [] });
  });

  it('whose snapshot cannot be taken changes nothing', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const waiting = journal.append(bytesOf('a'));
    const created = medium.calls.replace;
    const compaction = journal.compact(() => {
      throw new Error('a transaction is open');
    });
    await expect(compaction).rejects.toThrow('a transaction is open');
    await waiting;
    expect(medium.calls.replace).toBe(created);
    expect((await openAndCollect(medium)).records).toEqual(['a']);
  });

  it('asked for twice before it begins is done once', async () => {
    const medium = createFaultyMedium();
    const { journal } = await openAndCollect(medium);
    const created = medium.calls.replace;
    await Promise.all([journal.compact(() => bytesOf('one')), journal.compact(() => bytesOf('two'))]);
    expect(medium.calls.replace).toBe(created + 1);
    await Promise.all([journal.compact(() => bytesOf('three')), journal.close()]);
    expect(await rebuild(medium.bytes())).toEqual(['three']);
  });

  it('at any moments, with failures, restarts to what was acknowledged and nothing that was rejected', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant('write' as const) },
      fc.constantFrom(
        'compact' as const,
        'failing compact' as const,
        'turn' as const,
        'restart' as const,
        'fail' as const,
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const medium = createFaultyMedium();
        let { journal } = await openAndCollect(medium);
        let caller = makeCaller(journal);
        let running: Promise<unknown>[] = [];
        const acknowledged: string[] = [];
        let count = 0;
        const write = (): void => {
          const record = `record ${count++}`;
          running.push(
            caller.write(record).then(
              () => acknowledged.push(record),
              () => undefined,
            ),
          );
        };
        const drain = async (): Promise<void> => {
          await Promise.all(running);
          running = [];
          medium.failReplace = false;
        };
        for (const what of steps) {
          if (what === 'write') write();
          else if (what === 'turn') await turn();
          else if (what === 'compact') running.push(journal.compact(caller.takeSnapshot).catch(() => undefined));
          else if (what === 'failing compact') {
            medium.failReplace = true;
            running.push(journal.compact(caller.takeSnapshot).catch(() => undefined));
          } else {
            if (what === 'fail') {
              await drain();
              medium.failAppendAfter = count % 90;
              write();
            }
            await drain();
            medium.failAppendAfter = undefined;
            const memory = await rebuild(medium.bytes());
            expect(memory).toEqual(acknowledged);
            ({ journal } = await openAndCollect(medium, { durableBytes: journal.durableBytes }));
            caller = makeCaller(journal);
            caller.memory.push(...memory);
          }
        }
        await drain();
        expect(await rebuild(medium.bytes())).toEqual(acknowledged);
      }),
      { numRuns: 150 },
    );
  });
});
