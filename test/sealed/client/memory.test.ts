import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksum } from '../../../src/sealed/byte-hashes.ts';
import type { SealedClientOptions } from '../../../src/sealed/client/client-options.ts';
import { openClientFolder } from '../../../src/sealed/client/folder.ts';
import type { SealedClient } from '../../../src/sealed/client/sealed-client.ts';
import type { SignedManifest } from '../../../src/sealed/manifest.ts';
import { EPOCH_MS, hashFor, HOUR } from './operator.ts';
import { openSetting, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };

let folder: string;
let setting: Setting;
/** A manifest without the report about EMAIL. */
let old: SignedManifest;

const clientFolder = () => path.join(folder, 'client');

/** A client of the next process. */
async function restart(more: Partial<SealedClientOptions> = {}): Promise<SealedClient> {
  return setting.another({ folder: await openClientFolder(clientFolder()), ...more });
}

/** Runs `work` with the client of one process. */
async function inProcess<T>(more: Partial<SealedClientOptions>, work: (client: SealedClient) => Promise<T>) {
  const client = await restart(more);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const rowsFiles = async () => (await readdir(clientFolder())).filter((name) => name.startsWith('rows-'));

/** The checksums of all files. */
async function filesOf(where: string): Promise<Map<string, string>> {
  const entries = (await readdir(where, { withFileTypes: true, recursive: true })).filter((one) => one.isFile());
  const names = entries.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, checksum(await readFile(name))] as const)));
}

/** Publishes a report about EMAIL, an hour later. */
function publishReport({ operator, advance }: Setting): void {
  advance(HOUR);
  const content = { type: 'fraud', severity: 8, disputed: false, identifiers: [EMAIL] };
  operator.reports.push({ id: 1, reporter: 1, seconds: operator.now / 1000, ...content });
  operator.publish();
}

/** Expects that a network that replays the old manifest is noticed by the next process, whatever it keeps. */
async function expectNoRollback(more: Partial<SealedClientOptions> = {}): Promise<void> {
  const newest = setting.operator.signed!;
  setting.operator.signed = old;
  expect(await inProcess(more, (client) => refusalOf(client.refresh()))).toBe('rollback');
  setting.operator.signed = newest;
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'redflag-sealed-'));
  setting = openSetting();
  setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  setting.operator.publish();
  old = setting.operator.signed!;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a client that saw a manifest refuses an older one after a restart', () => {
  it('also if its clock was past the end of the epoch for one query, which deletes nothing', async () => {
    publishReport(setting);
    let wrong = 0;
    const clock = () => setting.operator.now + wrong;
    await inProcess({ clock }, async (client) => {
      const answer = await client.query([EMAIL]);
      expect(answer).toMatchObject({ answer: 'score', reported: 1 });
      const files = await filesOf(folder);
      wrong = 2 * EPOCH_MS;
      expect(await client.query([EMAIL])).toEqual({ answer: 'stale', asOf: setting.operator.now });
      setting.service.isAway = true;
      wrong += HOUR;
      expect(await client.query([EMAIL])).toEqual({ answer: 'stale', asOf: setting.operator.now });
      expect(await filesOf(folder)).toEqual(files);
      wrong = 0;
      expect(await client.query([EMAIL])).toEqual(answer);
      setting.service.isAway = false;
    });
    await inProcess({}, async (client) => expect(await client.prepare([EMAIL])).toMatchObject({ evaluated: 0 }));
    await expectNoRollback();
  });

  it.each<[string, string, Partial<SealedClientOptions>]>([
    ['operator', 'other-folder', { operatorKey: new Uint8Array(32).fill(9) }],
    ['evaluator', 'bad-evaluator-signature', { evaluatorKey: new Uint8Array(32).fill(9) }],
  ])('also if one process had the key of another %s, which deletes nothing', async (_, code, wrong) => {
    publishReport(setting);
    const answer = await inProcess({}, (client) => client.query([EMAIL]));
    expect(answer).toMatchObject({ answer: 'score', reported: 1 });
    const files = await filesOf(folder);
    await inProcess(wrong, async (client) => {
      expect(await refusalOf(client.query([EMAIL]))).toBe(code);
      expect(await refusalOf(client.refresh())).toBe(code);
      expect(await refusalOf(client.prepare([EMAIL]))).toBe(code);
    });
    expect(await filesOf(folder)).toEqual(files);
    const { evaluatorKey } = setting.operator;
    expect(await inProcess({ evaluatorKey }, (client) => client.query([EMAIL]))).toEqual(answer);
    await expectNoRollback();
  });

  it('also if the network let the manifest pass and no rows, and then answers from the older rows', async () => {
    await inProcess({}, (client) => client.query([EMAIL]));
    publishReport(setting);
    setting.service.before = (asked) => {
      if (/snapshot/.test(asked)) throw new TypeError('fetch failed');
      return undefined;
    };
    await inProcess({}, async (client) => expect(await refusalOf(client.refresh())).toBe('no-connection'));
    await expectNoRollback();
    expect(await inProcess({}, (client) => client.query([EMAIL]))).toMatchObject({ answer: 'score', reported: 0 });
    setting.service.before = undefined;
    await inProcess({}, async (client) => expect(await client.refresh()).toMatchObject({ how: 'snapshot' }));
    expect(await inProcess({}, (client) => client.query([EMAIL]))).toMatchObject({ answer: 'score', reported: 1 });
  });

  it('also if the rows are lost', async () => {
    publishReport(setting);
    await inProcess({}, (client) => client.refresh());
    for (const name of await rowsFiles()) await rm(path.join(clientFolder(), name));
    await expectNoRollback();
  });
});

it('rows and evaluations of an ended epoch are deleted with the first rows of a later one, not before', async () => {
  const { operator } = setting;
  const { epoch } = operator.manifest!;
  publishReport(setting);
  await inProcess({}, (client) => client.query([EMAIL]));
  const oldRows = await rowsFiles();
  expect(oldRows).toHaveLength(1);
  operator.addEpoch();
  operator.now = epoch.endsAt;
  operator.publish();
  setting.service.before = (asked) => (/snapshot/.test(asked) ? new Response('', { status: 500 }) : undefined);
  await inProcess({}, async (client) => expect(await client.query([EMAIL])).toMatchObject({ answer: 'stale' }));
  expect(await rowsFiles()).toEqual(oldRows);
  setting.service.before = undefined;
  await inProcess({}, async (client) => {
    expect(await client.query([EMAIL])).toMatchObject({ answer: 'score', reported: 1 });
  });
  expect(await rowsFiles()).not.toEqual(oldRows);
  const kept = await openClientFolder(clientFolder());
  expect((await kept.read(epoch.publicKey, [EMAIL.hash])).size).toBe(0);
});
