import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSealedKeys, sealedKeysPath } from '../../src/service/data-folder/sealed/keys-file.ts';
import { scheduleOf, sequenceAt } from '../../src/sealed/keys.ts';
import { unwrap } from '../../src/index.ts';
import { useFolder } from '../folder.ts';
import { readPads } from './pads.ts';
import { identifiersOf, initSealed, type OpenedService, openService } from './sealed-service.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

const root = useFolder('sealed-publishing');
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Service = OpenedService & { readonly apiKey: string };

/** The start of a minute, soon after the keys of a test were made. */
const startOf = (): number => Math.ceil(Date.now() / MINUTE + 1) * MINUTE;

/** Replaces the reports about a person by one with another severity. */
async function reportAnew({ engine, apiKey }: Service, severity: number, deletionCode?: string): Promise<string> {
  if (deletionCode !== undefined) unwrap(await engine.remove({ apiKey, deletionCode }));
  const draft = { type: 'fraud', severity, text: `Text ${severity}.`, identifiers: identifiersOf(1) };
  return unwrap(await engine.report({ apiKey, ...draft })).deletionCode;
}

/** Starts the publisher again after milliseconds, which publishes then. */
async function publishAfter(service: Service, time: VirtualTime, milliseconds: number): Promise<VirtualTime> {
  const later = createVirtualTime(time.clock() + milliseconds);
  await service.publishBy(later);
  await later.untilPaused();
  return later;
}

describe('a restart of the publisher', () => {
  const lose: [what: string, lost: (folder: string) => Promise<void>][] = [
    ['all publications are lost', (folder) => rm(join(folder, 'sealed'), { recursive: true })],
    [
      'the publications are those of before',
      async (folder) => {
        await rm(join(folder, 'sealed'), { recursive: true });
        await cp(`${folder}-before`, join(folder, 'sealed'), { recursive: true });
      },
    ],
  ];
  it.each(lose)('uses no sequence again within a minute if %s', async (what, lost) => {
    const folder = join(root, what.replaceAll(' ', '-'));
    await initSealed(folder);
    const pads = new Map<string, string>();
    let service = await openService(folder, undefined);
    let code = await reportAnew(service, 1);
    let time = createVirtualTime(startOf());
    await service.publishBy(time);
    await time.untilPaused();
    await readPads(folder, pads);
    await cp(join(folder, 'sealed'), `${folder}-before`, { recursive: true });
    time = await publishAfter(service, time, HOUR + 3 * SECOND);
    code = await reportAnew(service, 2, code);
    time = await publishAfter(service, time, HOUR);
    const used = (await readPads(folder, pads))!;
    code = await reportAnew(service, 3, code);
    await service.stop();
    await lost(folder);
    for (let restart = 0; restart < 2; restart++) {
      service = await openService(folder, service.apiKey);
      time = createVirtualTime(time.clock() + SECOND);
      await service.publishBy(time);
      await time.untilPaused();
      expect(await readPads(folder, new Map())).not.toBe(used + 1 + restart);
      await time.advance(MINUTE);
      expect(await readPads(folder, pads)).toBe(used + 1 + restart);
      code = await reportAnew(service, 4 + restart, code);
      await service.stop();
      expect(service.notices).toEqual([]);
    }
  });

  it('uses no sequence again if the clock was ahead, and then the publications are lost', async () => {
    const folder = join(root, 'ahead');
    await initSealed(folder);
    const pads = new Map<string, string>();
    const start = startOf();
    let service = await openService(folder, undefined);
    let code = await reportAnew(service, 1);
    let time = createVirtualTime(start + DAY);
    await service.publishBy(time);
    await time.untilPaused();
    const used = (await readPads(folder, pads))!;
    expect(used).toBe(sequenceAt(start + DAY));
    code = await reportAnew(service, 2, code);
    await service.stop();
    await rm(join(folder, 'sealed'), { recursive: true });
    service = await openService(folder, service.apiKey);
    time = createVirtualTime(start);
    await service.publishBy(time);
    await time.advance(MINUTE);
    expect(await readPads(folder, pads)).toBe(used + 1);
    for (let day = 0; day < 3; day++) {
      code = await reportAnew(service, 1 + (day % 10), code);
      time = await publishAfter(service, time, HOUR);
      await readPads(folder, pads);
    }
    await service.stop();
    expect(service.notices).toEqual([]);
  });

  it('needs no wait with new keys', async () => {
    const folder = join(root, 'new');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    const time = createVirtualTime(startOf() + 7 * SECOND);
    await service.publishBy(time);
    await time.untilPaused();
    expect(await readPads(folder, new Map())).toBe(sequenceAt(time.clock()));
    expect((await readSealedKeys(await sealedKeysPath(folder)))?.head?.sequence).toBe(sequenceAt(time.clock()));
    await service.stop();
  });
});

describe('a publisher that runs on', () => {
  it('publishes once a day, and at once if the keys change', async () => {
    const folder = join(root, 'daily');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    const time = createVirtualTime(startOf());
    await service.publishBy(time);
    await time.untilPaused();
    const newest = (): Promise<number | undefined> => readPads(folder, new Map());
    const first = (await newest())!;
    await time.advance(DAY - MINUTE);
    expect(await newest()).toBe(first);
    await time.advance(2 * MINUTE);
    const second = (await newest())!;
    expect(second).toBe(first + DAY / MINUTE);
    await time.advance(5 * HOUR);
    expect(await newest()).toBe(second);
    await service.calls.rotateSealed({ by: 'Ada' });
    await time.advance(MINUTE);
    const third = (await newest())!;
    expect(third).toBeGreaterThan(second);
    // Three were made, and the last two are kept.
    expect((await readdir(join(folder, 'sealed'))).filter((name) => name.includes('-')).sort()).toEqual([
      `1-${second}`,
      `1-${third}`,
    ]);
    await service.stop();
    expect(service.notices).toEqual([]);
  });
});

describe('a clock that is wrong', () => {
  const epochsOf = async (folder: string) => (await readSealedKeys(await sealedKeysPath(folder)))!.epochs;

  it.each([
    ['in 1970', -Date.now()],
    ['31 days behind', -31 * DAY],
    ['31 days ahead', 31 * DAY],
    ['a year ahead', 365 * DAY],
  ])('and was %s for the first minutes changes no key', async (what, wrong) => {
    const folder = join(root, what.replaceAll(' ', '-'));
    await initSealed(folder);
    const before = await epochsOf(folder);
    const service = await openService(folder, undefined);
    await reportAnew(service, 1);
    const time = createVirtualTime(startOf() + wrong);
    await service.publishBy(time);
    await time.advance(10 * MINUTE);
    expect(service.notices.length).toBeGreaterThan(0);
    expect(String((service.notices[0] as { error: unknown }).error)).toContain('check the clock');
    expect(await epochsOf(folder)).toEqual(before);
    time.jump(-wrong);
    await time.advance(2 * MINUTE);
    expect(await epochsOf(folder)).toEqual(before);
    expect(await service.ask('manifest').then((reply) => reply.status)).toBe(200);
    await service.stop();
  });

  it('and was 50 days ahead for a minute stops nothing, and an error names what opens an epoch', async () => {
    const folder = join(root, 'repaired');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    await service.calls.rotateSealed({ by: 'Ada' });
    const time = createVirtualTime(startOf() + 50 * DAY);
    await service.publishBy(time);
    await time.advance(MINUTE);
    time.jump(-50 * DAY);
    const named = async (): Promise<number> => {
      service.notices.length = 0;
      await time.advance(61 * MINUTE);
      const { error } = service.notices.at(-1) as { error: unknown };
      return Number(/redflag sealed destroy (\d+)/.exec(String(error))?.[1]);
    };
    await time.advance(61 * MINUTE);
    expect(service.notices).toEqual([]);
    expect(await (await service.ask('manifest')).json()).toMatchObject({ epoch: { number: 1 } });
    await service.calls.destroySealed({ epoch: 1, by: 'Ada' });
    expect(scheduleOf(await epochsOf(folder), time.clock()).current).toBeUndefined();
    await expect(service.calls.rotateSealed({ by: 'Ada' })).rejects.toThrow('sealed destroy 2');
    expect(await named()).toBe(2);
    await service.calls.destroySealed({ epoch: 2, by: 'Ada' });
    expect(scheduleOf(await epochsOf(folder), time.clock()).current?.number).toBe(3);
    await time.advance(3 * MINUTE);
    expect(await service.ask('manifest').then((reply) => reply.status)).toBe(200);
    await service.stop();
  });

  it('and was five hours ahead for a publication is followed by a right one within an hour', async () => {
    const folder = join(root, 'hours-ahead');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    const time = createVirtualTime(startOf() + 5 * HOUR);
    await service.publishBy(time);
    await time.untilPaused();
    time.jump(-5 * HOUR);
    await time.advance(HOUR + MINUTE);
    const { issuedAt } = (await (await service.ask('manifest')).json()) as { issuedAt: number };
    expect(issuedAt).toBeLessThanOrEqual(time.clock());
    await service.stop();
    expect(service.notices).toEqual([]);
  });

  it('is taken for right after a day: the ended key is destroyed, and an epoch is added', async () => {
    const folder = join(root, 'steady');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    const time = createVirtualTime(startOf() + 31 * DAY);
    await service.publishBy(time);
    await time.advance(DAY - MINUTE);
    expect((await epochsOf(folder)).map(({ key }) => key === null)).toEqual([false]);
    await time.advance(3 * MINUTE);
    expect((await epochsOf(folder)).map(({ key }) => key === null)).toEqual([true, false]);
    await service.stop();
  });
});

describe('a publisher whose keys cannot be read', () => {
  it('tries once a minute, and goes on when they are back', async () => {
    const folder = join(root, 'unreadable');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    const path = await sealedKeysPath(folder);
    const time = createVirtualTime(startOf());
    await rename(path, `${path}-away`);
    await service.publishBy(time);
    await time.advance(3 * MINUTE);
    expect(service.notices).toHaveLength(4);
    await rename(`${path}-away`, path);
    await time.advance(MINUTE);
    expect(service.notices).toHaveLength(4);
    expect(await readPads(folder, new Map())).toBeDefined();
    await service.stop();
  });
});

describe('a key that is destroyed while a publication is made', () => {
  it('gives a publication of the next epoch within a minute', async () => {
    const folder = join(root, 'destroyed');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    await reportAnew(service, 1);
    const time = createVirtualTime(startOf());
    const { readSealedRows } = service.engine;
    let calls = 0;
    service.engine.readSealedRows = async (page) => {
      if (calls++ === 0) await service.calls.destroySealed({ epoch: 1, by: 'Ada' });
      return readSealedRows(page);
    };
    await service.publishBy(time);
    await time.advance(MINUTE + 10 * SECOND);
    const names = (await readdir(join(folder, 'sealed'))).filter((name) => name.includes('-'));
    expect(names).toEqual([expect.stringMatching(/^2-/)]);
    await service.stop();
    expect(service.notices).toHaveLength(1);
  });
});

describe('a look-up that is off', () => {
  it('publishes nothing, removes publications after 48 hours, and destroys the key of an ended epoch', async () => {
    const folder = join(root, 'off');
    await initSealed(folder);
    const service = await openService(folder, undefined);
    await reportAnew(service, 1);
    const first = createVirtualTime(startOf());
    await service.publishBy(first);
    await first.untilPaused();
    const used = await readPads(folder, new Map());
    await service.stop();
    const off = await openService(folder, service.apiKey);
    const time = createVirtualTime(first.clock() + MINUTE);
    await off.publishBy(time, true);
    await time.advance(46 * HOUR);
    expect(await readPads(folder, new Map())).toBe(used);
    await time.advance(3 * HOUR);
    expect(await readPads(folder, new Map())).toBeUndefined();
    await off.stop();
    const later = await openService(folder, service.apiKey);
    const ended = createVirtualTime(first.clock() + 31 * DAY);
    await later.publishBy(ended, true);
    await ended.advance(DAY + MINUTE);
    expect((await readSealedKeys(await sealedKeysPath(folder)))?.epochs[0]?.key).toBeNull();
    await later.stop();
    expect([...service.notices, ...off.notices, ...later.notices]).toEqual([]);
  });
});
