import { mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
import { keyFile } from './key-files.ts';
import { logOf, post, startService, type RunningService } from './service.ts';

// What the program makes of a data folder that something happened to.
const HASH = 'a'.repeat(40);
const REPORTS = 5;
const base = useFolder('folder');
let root: string;
let apiKey: string;
let count = 0;
/** The files of a folder whose service was killed: a journal of single records, and the secret. */
const killed = new Map<string, Buffer>();

beforeAll(async () => {
  root = join(base, 'data');
  const service = await startService(['--data', root]);
  apiKey = service.apiKey!;
  for (let n = 0; n < REPORTS; n++) {
    expect(
      (
        await post(service, {
          _api: apiKey,
          _action: 'report',
          _type: 'fraud',
          _value: '7',
          _text: `Report ${n}`,
          email: HASH,
        })
      ).body,
    ).toBe('OK');
  }
  await service.stop('SIGKILL');
  killed.set('redflag.journal', await readFile(join(root, 'redflag.journal')));
  for (const name of ['secret', 'pepper'] as const) killed.set(name, await readFile(keyFile(root, name)));
});

/** A copy of the killed service's folder, with its keys inside, as older versions keep them. */
async function copy(): Promise<string> {
  const folder = await mkdtemp(join(root, `copy-${count++}-`));
  for (const [name, bytes] of killed) await writeFile(join(folder, name), bytes, { mode: 0o600 });
  return folder;
}

async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await readFile(join(folder, name))).toString('hex')] as const)),
  );
}

async function reported(service: RunningService): Promise<number> {
  const { body } = await post(service, { _api: apiKey, _action: 'query', email: HASH });
  return Number(body.split('-')[1]);
}

const serveIn = (folder: string) => runCli(['serve', '--port', '0', '--data', folder]);
const keysIn = (folder: string) => runCli(['keys', 'list', '--data', folder]);

describe.each([
  ['serve', serveIn],
  ['keys', keysIn],
])('redflag %s', (_, call) => {
  it('changes nothing when the secret is missing beside data', async () => {
    const folder = await copy();
    await rm(join(folder, 'secret'));
    const before = await contents(folder);
    const { code, out, err } = await call(folder);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^redflag: \S+\/secret is missing, but the store has data: [^\n]+\n$/);
    expect(await contents(folder)).toEqual(before);
  });

  it('changes nothing, and shows nothing of it, when the secret is another text', async () => {
    const folder = await copy();
    const text = killed.get('secret')!.toString('utf8').slice(0, 40);
    await writeFile(join(folder, 'secret'), text);
    const before = await contents(folder);
    const { code, out, err } = await call(folder);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^redflag: \S+\/secret is not a secret of 64 hex characters; restore the right file\n$/);
    expect(err).not.toContain(text);
    expect(await contents(folder)).toEqual(before);
  });

  it('changes nothing when the journal is damaged, and says where', async () => {
    const folder = await copy();
    const bytes = Buffer.from(killed.get('redflag.journal')!);
    const at = bytes.length >> 1;
    bytes[at]! ^= 1;
    await writeFile(join(folder, 'redflag.journal'), bytes);
    const before = await contents(folder);
    const { code, out, err } = await call(folder);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const offset = Number(
      /^redflag: the journal is damaged at byte (\d+): expected [^\n]+; nothing was changed; restore a backup\n$/.exec(
        err,
      )?.[1],
    );
    // The frame that holds the byte.
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(at);
    expect(await contents(folder)).toEqual(before);
  });

  it('says in a line that a folder is none', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    const { code, out, err } = await call(file);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^redflag: [^\n]+\n$/);
  });
});

it('a torn end is cut off with a notice, and everything before it is there', async () => {
  const folder = await copy();
  const path = join(folder, 'redflag.journal');
  const { size } = await stat(path);
  await truncate(path, size - 3);
  const service = await startService(['--data', folder]);
  try {
    const [notice = {}, ...more] = logOf(service);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ level: 'warn', event: 'journal-cut', reason: 'torn' });
    expect(Number(notice['offset']) + Number(notice['bytes'])).toBe(size - 3);
    expect(await reported(service)).toBe(REPORTS - 1);
  } finally {
    await service.stop('SIGKILL');
  }
  const again = await startService(['--data', folder]);
  expect(again.output.err).toBe('');
  expect(await reported(again)).toBe(REPORTS - 1);
  await again.stop('SIGKILL');
});

it('a start that was interrupted before anything was stored is made good', async () => {
  const folder = await mkdtemp(join(root, 'empty-'));
  // The journal's header and no secret yet: what SIGKILL leaves between the two.
  await writeFile(join(folder, 'redflag.journal'), killed.get('redflag.journal')!.subarray(0, 16));
  const service = await startService(['--data', folder]);
  expect(service.apiKey).toBeDefined();
  expect((await service.stop('SIGTERM')).code).toBe(0);
});
