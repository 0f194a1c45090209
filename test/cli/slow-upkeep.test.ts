import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import { addOrphans, report, reporter } from '../contract/stored.ts';
import { useFolder } from '../folder.ts';
import { SLOW_WAYS, EMAIL, openOperatorFolder, type OperatorFolder } from './operator-folder.ts';
import { runCli } from './in-process.ts';
import { keyFile } from './key-files.ts';
import { serveHere } from './served-here.ts';
import { post } from './service.ts';

const PHONE = 'b2'.repeat(20);
const TEXT = `MARK ${'x'.repeat(20)}`;
const place = useFolder('upkeep');

/** What a service on a folder answers to a query. */
async function answerIn(folder: string, apiKey: string): Promise<string> {
  const service = await serveHere(folder, 'https://reports.example');
  try {
    return (await post(service, { _api: apiKey, _action: 'query', email: EMAIL })).body;
  } finally {
    await service.stop();
  }
}

/** The mode of a file, as in `600`. */
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe.each(SLOW_WAYS)('redflag export, import, backup, check and erase, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  let here: string;
  let answer: string;
  const file = (name: string): string => join(here, name);
  beforeAll(async () => {
    here = await mkdtemp(join(place, 'case-'));
    open = await openOperatorFolder(serving, kind);
    await open.report({ _text: 'Kept' });
    // The link's own address is the service's, which differs; the rest is the same everywhere.
    answer = (await open.ask({ _action: 'query', email: EMAIL })).body.replace(
      /-http.*\/report\//,
      '-https://reports.example/report/',
    );
  });
  afterAll(() => open.close());

  it('gives back from a file what there was', async () => {
    expect(await open.run('export', file('all.ndjson'))).toEqual({
      code: 0,
      out: expect.stringMatching(/^Exported: \d+ rows\.\n$/),
      err: '',
    });
    expect(await modeOf(file('all.ndjson'))).toBe('600');
    const before = await readFile(file('all.ndjson'), 'utf8');
    expect(await open.run('export', file('all.ndjson'))).toEqual({
      code: 1,
      out: '',
      err: `redflag: ${file('all.ndjson')} already exists and is never overwritten; choose another name\n`,
    });
    expect(await readFile(file('all.ndjson'), 'utf8')).toBe(before);
    expect((await open.run('export', file('missing/all.ndjson'))).err).toMatch(/^redflag: ENOENT[^\n]+\n$/);

    const copy = file('copy');
    const bare = await runCli(['import', file('all.ndjson'), '--data', copy]);
    expect([bare.code, bare.err]).toEqual([
      1,
      expect.stringMatching(
        /^redflag: \S+copy-keys\/secret is missing: copy the secret of the exported folder there[^\n]+\n$/,
      ),
    ]);
    await mkdir(`${copy}-keys`);
    await writeFile(keyFile(copy, 'secret'), `${'5'.repeat(64)}\n`);
    const other = await runCli(['import', file('all.ndjson'), '--data', copy]);
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringMatching(
        /^redflag: the secrets of source \([0-9a-f]{16}\) and target \([0-9a-f]{16}\) differ\. [^\n]+\n$/,
      ),
    ]);
    await cp(keyFile(open.folder, 'secret'), keyFile(copy, 'secret'));
    await writeFile(keyFile(copy, 'pepper'), `${'7'.repeat(64)}\n`);
    expect((await runCli(['import', file('all.ndjson'), '--data', copy])).err).toMatch(
      /^redflag: the peppers of source \(fingerprints [0-9a-f]{16}\) and target \(fingerprints [0-9a-f]{16}\) differ\. [^\n]+\n$/,
    );
    await cp(keyFile(open.folder, 'pepper'), keyFile(copy, 'pepper'));
    await writeFile(file('cut.ndjson'), before.slice(0, -40));
    const cut = await runCli(['import', file('cut.ndjson'), '--data', copy]);
    expect([cut.code, cut.err]).toEqual([
      1,
      expect.stringMatching(/^redflag: line \d+: the line is cut off; export again\n$/),
    ]);
    expect((await runCli(['import', file('nothing.ndjson'), '--data', copy])).err).toMatch(/^redflag: ENOENT[^\n]+\n$/);

    expect(await runCli(['import', file('all.ndjson'), '--data', copy])).toEqual({
      code: 0,
      out: expect.stringMatching(/^Imported: (\d+) rows of \1\. All rows match the export in number and digest\.\n$/),
      err: '',
    });
    expect((await runCli(['import', file('all.ndjson'), '--data', copy])).out).toMatch(
      /^Imported: 0 rows of \d+; the others were already there\./,
    );
    expect(await answerIn(copy, open.apiKey)).toBe(answer);
    expect(await runCli(['check', '--data', copy])).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
    // The log of the copy goes on after the one of the export.
    const isLog = (row: string): boolean => row.startsWith('{"table":"audit"');
    // The copy was used, and the service may have saved the use of its key since.
    const rows = (text: string): string[] =>
      text
        .split('\n')
        .slice(1, -2)
        .map((row) => row.replace(/"last_used_at":\d+/, '"last_used_at":null'));
    await runCli(['export', file('again.ndjson'), '--data', copy]);
    const again = rows(await readFile(file('again.ndjson'), 'utf8'));
    expect(again.filter((row) => !isLog(row))).toEqual(rows(before).filter((row) => !isLog(row)));
    const log = rows(before).filter((row) => isLog(row));
    expect(again.filter((row) => isLog(row)).slice(0, log.length)).toEqual(log);
    expect((await readdir(here)).sort()).toEqual(['again.ndjson', 'all.ndjson', 'copy', 'copy-keys', 'cut.ndjson']);
    // A folder with something else in it.
    await open.report({ _text: 'Kept, too', email: PHONE });
    expect((await open.run('import', file('all.ndjson'))).err).toMatch(
      /^redflag: the target is not empty: [^\n]+ nothing was written\n$/,
    );
  });

  it('is backed up as a folder that a service starts on', async () => {
    const name = kind === 'sqlite' ? 'redflag.sqlite' : 'redflag.journal';
    expect(await open.run('backup', file('backup'))).toEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(
          `^Backed up: \\d+ bytes of data\\.\nHead of the audit log: [0-9a-f]{64}\nNot in the backup: ${keyFile(open.folder, 'secret')} and ${keyFile(open.folder, 'pepper')}\\. Keep copies in another place\\.\n$`,
        ),
      ),
      err: '',
    });
    expect(await modeOf(file('backup'))).toBe('700');
    expect(await readdir(file('backup'))).toEqual([name]);
    expect(await modeOf(join(file('backup'), name))).toBe('600');
    expect((await open.run('backup', file('backup'))).err).toBe(
      `redflag: ${file('backup')} already exists and is never overwritten; choose another name\n`,
    );
    const bare = await runCli(['check', '--data', file('backup')]);
    expect(bare).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^redflag: \S+backup-keys\/secret is missing/),
    });
    await cp(`${open.folder}-keys`, `${file('backup')}-keys`, { recursive: true });
    expect(await answerIn(file('backup'), open.apiKey)).toBe(answer);
  });

  it('proves what is stored', async () => {
    expect(await open.run('check')).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
    expect(await open.run('check', '--json')).toEqual({ code: 0, out: '[]\n', err: '' });
  });

  it('erases a person from every file of the folder, with a receipt that can be proved', async () => {
    await open.report({ _text: TEXT, email: 'c3'.repeat(20), phone: PHONE });
    await open.ask({ _action: 'query', email: 'c3'.repeat(20), phone: PHONE });
    const receipt = file('receipt.json');
    await writeFile(receipt, 'taken');
    expect((await open.run('erase', '--hash', PHONE, '--out', receipt)).err).toBe(
      `redflag: ${receipt} already exists and is never overwritten; choose another name\n`,
    );
    await rm(receipt);
    expect(
      await open.run('erase', '--hash', PHONE.toUpperCase(), 'd4'.repeat(20), '--by', 'Ada', '--out', receipt),
    ).toEqual({ code: 0, out: 'Erased: 2 reports, 1 link, 0 entries of the allow-list.\n', err: '' });
    for (const name of await readdir(open.folder)) {
      if (/\.(sock|holder|lock)$/.test(name)) continue;
      const bytes = await readFile(join(open.folder, name));
      for (const gone of [TEXT, PHONE, Buffer.from(PHONE, 'hex'), Buffer.from('c3'.repeat(20), 'hex')])
        expect(bytes.includes(gone), name).toBe(false);
    }
    expect((await open.ask({ _action: 'query', phone: PHONE })).body).toMatch(/^0-0-0\.0-/);
    expect((await open.ask({ _action: 'query', email: EMAIL })).body).toMatch(/^\d+-1-/);

    expect(await modeOf(receipt)).toBe('600');
    const written = JSON.parse(await readFile(receipt, 'utf8')) as { publicKey: string };
    expect(written).toMatchObject({
      hashes: [PHONE, 'd4'.repeat(20)],
      by: 'Ada',
      reports: 2,
      links: 1,
      protections: 0,
    });
    const proved = await runCli(['erase', '--verify', receipt, '--key', written.publicKey]);
    expect(proved).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        new RegExp(
          `^Valid: Ada erased all data about 2 hashes at \\S+: 2 reports, 1 link, 0 entries of the allow-list\\.\nSigned with ${written.publicKey}\n$`,
        ),
      ),
    });
    expect((await runCli(['erase', '--verify', receipt, '--key', '0'.repeat(64)])).err).toBe(
      'redflag: the receipt is not valid: it was signed with another key\n',
    );
    // The same key, and nothing left to erase.
    expect((await open.run('erase', '--hash', PHONE, '--out', file('second.json'))).out).toBe(
      'Erased: 0 reports, 0 links, 0 entries of the allow-list.\n',
    );
    expect((JSON.parse(await readFile(file('second.json'), 'utf8')) as { publicKey: string }).publicKey).toBe(
      written.publicKey,
    );
  });
});

describe('redflag check', () => {
  it('says what is wrong, how often, and ends with 1', async () => {
    const folder = join(place, 'unsound');
    const store = await openFolderStore(folder);
    await store.addReporter(reporter(1));
    await store.addReport(report(1), 0);
    await addOrphans(store);
    await store.close();
    await writeFile(join(folder, 'secret'), '5'.repeat(64));
    expect(await runCli(['check', '--data', folder])).toEqual({
      code: 1,
      out: 'COUNT  WHAT IS WRONG\n2      identifiers whose report is missing\n',
      err: '',
    });
    expect(await runCli(['check', '--json', '--data', folder])).toEqual({
      code: 1,
      out: '[{"problem":"identifiers whose report is missing","count":2}]\n',
      err: '',
    });
  });
});

describe('redflag migrate', () => {
  it('copies a folder to a new one, with its secret, and goes on with what is there', async () => {
    const open = await openOperatorFolder(false);
    const to = join(place, 'migrated');
    await open.report();
    const run = () => runCli(['migrate', '--from', open.folder, '--to', to]);
    expect(await run()).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^Migrated: (\d+) rows of \1\. All rows match in number and digest in both stores\.\n$/,
      ),
      err: '',
    });
    expect((await run()).out).toMatch(/^Migrated: 0 rows of \d+; the others were already there\./);
    for (const name of ['secret', 'pepper'] as const)
      expect(await readFile(keyFile(to, name))).toEqual(await readFile(keyFile(open.folder, name)));
    await open.report({ email: PHONE });
    // A report and its identifier.
    expect(await run()).toMatchObject({ code: 0, out: expect.stringMatching(/^Migrated: 2 rows of /) });
    expect(await answerIn(to, open.apiKey)).toMatch(/^\d+-1-/);
    await runCli(['keys', 'create', 'Another', '--data', to]);
    expect((await run()).err).toMatch(/^redflag: the target is not empty: its table reporter [^\n]+\n$/);
    expect((await runCli(['migrate', '--from', join(place, 'nowhere'), '--to', to])).err).toMatch(
      /^redflag: there is no data in [^\n]+; set --from to a store with data\n$/,
    );
    await open.close();
  });
});
