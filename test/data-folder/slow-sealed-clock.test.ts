import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSealedKeys, sealedKeysPath } from '../../src/service/data-folder/sealed/keys-file.ts';
import type { SealedKeys } from '../../src/sealed/keys.ts';
import { isLong } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { initSealed, openService } from './sealed-service.ts';
import { createVirtualTime } from './virtual-time.ts';

const root = useFolder('slow-sealed-clock');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How long a process lives that is restarted again and again. */
const LIFE = isLong ? 10 * MINUTE : HOUR;

/** A service with new keys, whose publisher the test starts again and again. */
async function openRestarting(name: string) {
  const folder = join(root, name);
  await initSealed(folder);
  const service = await openService(folder, undefined);
  const read = async (): Promise<SealedKeys> => (await readSealedKeys(await sealedKeysPath(folder)))!;
  return {
    service,
    read,
    startsAt: (await read()).epochs[0]!.startsAt,
    states: async () => (await read()).epochs.map(({ key }) => (key === null ? 'destroyed' : 'kept')),
    /** Each process lives for `life` milliseconds, by a clock that is wrong by `offset`. */
    async run(from: number, until: number, life: number, offset = 0): Promise<void> {
      for (let start = from; start < until; start += life) {
        const time = createVirtualTime(start + offset);
        await service.publishBy(time);
        await time.advance(life - 1);
      }
    },
  };
}

describe(`a process that is restarted every ${LIFE / MINUTE} minutes`, () => {
  it('adds an epoch and destroys a key, each a day after it is due', async () => {
    const { service, startsAt, states, run } = await openRestarting('restarts');
    for (const [due, before, after] of [
      [startsAt + 22 * DAY, ['kept'], ['kept', 'kept']],
      [startsAt + 30 * DAY, ['kept', 'kept'], ['destroyed', 'kept']],
    ] as const) {
      await run(due - HOUR, due + DAY, LIFE);
      expect(await states()).toEqual(before);
      await run(due + DAY, due + DAY + 2 * LIFE, LIFE);
      expect(await states()).toEqual(after);
    }
    await service.stop();
    expect(service.notices).toEqual([]);
  });
});

describe('a clock that is a year ahead for three hours, and then set right', () => {
  it.each([
    ['no change is due', 5, ['kept']],
    ['an epoch is due', 22, ['kept', 'kept']],
    ['a key is due', 30, ['destroyed', 'kept']],
  ])('destroys no other key, and adds no other epoch, when %s', async (name, day, expected) => {
    const { service, startsAt, states, run, read } = await openRestarting(name.replaceAll(' ', '-'));
    const due = startsAt + day * DAY;
    if (day === 30) await run(startsAt + 22 * DAY, startsAt + 23 * DAY + 2 * HOUR, 26 * HOUR);
    await run(due, due + 22 * HOUR, 22 * HOUR);
    const before = await states();
    // A restart each hour. In the last hour, the clock is set right while the process runs.
    await run(due + 22 * HOUR, due + 25 * HOUR, HOUR, 365 * DAY);
    const time = createVirtualTime(due + 25 * HOUR + 365 * DAY);
    await service.publishBy(time);
    await time.untilPaused();
    expect(await states()).toEqual(before);
    time.jump(-365 * DAY);
    // The day begins again. Then what was due is done, and nothing else.
    await time.advance(DAY + 2 * HOUR);
    expect(await states()).toEqual(expected);
    const { epochs, dueSince } = await read();
    for (const epoch of epochs) expect(epoch.startsAt).toBeLessThan(time.clock() + DAY);
    expect(dueSince).toBeUndefined();
    expect((await service.ask('manifest')).status).toBe(200);
    await service.stop();
  });
});
