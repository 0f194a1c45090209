import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { reporters } from '../../src/service/cli/commands/reporters.ts';
import type { ReporterStanding } from '../../src/operator.ts';
import { EVERY_WAY, cellsOf, openOperatorFolder, type OperatorFolder } from './operator-folder.ts';
import { runCli } from './in-process.ts';

describe.each(EVERY_WAY)('redflag reporters, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
    await open.run('keys', 'create', 'A new shop', '--unverified');
    await open.report();
  });
  afterAll(() => open.close());

  it('shows a table of all reporters, with what was reported last', async () => {
    const { code, out, err } = await open.run('reporters');
    const precision = expect.stringMatching(/^0\.\d\d$/) as string;
    // The id under which logs, the audit log and webhooks name a reporter.
    const reporterId = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(cellsOf(out)).toEqual([
      [
        'NAME',
        'REPORTER ID',
        'STANDING',
        'PRECISION',
        'CLAIMS',
        'CONFIRMED',
        'LOST',
        'VERIFIED',
        'SUSPENDED',
        'BUDGET',
      ],
      ['A new shop', reporterId, 'new', precision, '0', '0.0', '0', 'no', 'no', 'default'],
      ['First reporter', reporterId, 'established', precision, '1', '0.0', '0', 'yes', 'no', 'default'],
    ]);
  });

  it('gives programs the same', async () => {
    const { code, out } = await open.run('reporters', '--json');
    expect(code).toBe(0);
    const standings = JSON.parse(out) as ReporterStanding[];
    expect(
      standings.map(({ name, verified, suspended, established, claims, lost }) => ({
        name,
        verified,
        suspended,
        established,
        claims,
        lost,
      })),
    ).toEqual([
      { name: 'A new shop', verified: false, suspended: false, established: false, claims: 0, lost: 0 },
      { name: 'First reporter', verified: true, suspended: false, established: true, claims: 1, lost: 0 },
    ]);
    const table = cellsOf((await open.run('reporters')).out);
    expect(table.slice(1).map((cells) => cells.at(1))).toEqual(standings.map(({ reporterId }) => reporterId));
    for (const standing of standings)
      expect(standing).toMatchObject({
        reporterId: expect.stringMatching(/^[0-9a-f]{16}$/),
        precision: expect.any(Number),
        corroborated: expect.any(Number),
        why: expect.any(Array),
      });
    expect(JSON.parse((await open.run('reporters', '--why', 'A new shop', '--json')).out)).toEqual(standings[0]);
    expect(out).not.toContain(open.apiKey);
  });

  it('says why, in sentences', async () => {
    const { code, out } = await open.run('reporters', '--why', ' First reporter ');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Established: its reports are right with a probability of 0\.\d\d\.$/);
    expect(lines[1]).toBe('Verified by the operator.');
    expect(lines[2]).toMatch(/^Claims: 1\. /);
    for (const line of lines) expect(line).toMatch(/\.$/);
    expect(await open.run('reporters', '--why', 'Nobody')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no such reporter.\n',
    });
  });

  it('sets the budget of one reporter, and the default again', async () => {
    const budgets = async () => cellsOf((await open.run('reporters')).out).map((cells) => cells.at(-1));
    expect(await open.run('reporters', 'budget', ' A new shop ', '50000')).toEqual({
      code: 0,
      out: 'Changed.\n',
      err: '',
    });
    expect(await budgets()).toEqual(['BUDGET', '50000', 'default']);
    expect(JSON.parse((await open.run('reporters', '--json')).out)).toMatchObject([
      { identifiersPerDay: 50_000 },
      { identifiersPerDay: null },
    ]);
    expect((await open.run('reporters', 'budget', 'A new shop', 'default', '--json')).out).toBe('{"did":"budget"}\n');
    expect(await budgets()).toEqual(['BUDGET', 'default', 'default']);
    expect(await open.run('reporters', 'budget', 'Nobody', '5')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no such reporter.\n',
    });
  });

  it('verifies a reporter, takes it back, and publishes its contact', async () => {
    const said = (out: string) => ({ code: 0, out, err: '' });
    const shown = async () =>
      (JSON.parse((await open.run('reporters', '--json')).out) as { verified: boolean; contact: string | null }[]).map(
        ({ verified, contact }) => [verified, contact],
      );
    const before = await shown();
    expect(before.map(([, contact]) => contact)).toEqual([null, null]);
    const [[verified] = []] = before;
    const [undo, did] = verified ? [['--undo'], 'No longer verified.\n'] : [[], 'Verified.\n'];
    expect(await open.run('reporters', 'verify', ' A new shop ', ...undo, '--by', 'Ada')).toEqual(said(did));
    expect(await open.run('reporters', 'contact', 'A new shop', 'fraud@shop.example')).toEqual(said('Changed.\n'));
    expect(await shown()).toEqual([[!verified, 'fraud@shop.example'], before[1]]);
    expect(await open.run('reporters', 'contact', 'A new shop', 'ask us')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The contact must be an email address, an https: or mailto: address or a phone number, of at most 200 characters.\n',
    });
    const back = await open.run('reporters', 'verify', 'A new shop', ...(verified ? [] : ['--undo']), '--json');
    expect(JSON.parse(back.out)).toEqual({ did: verified ? 'verify' : 'unverify' });
    expect(await open.run('reporters', 'contact', 'A new shop', '--none')).toEqual(said('Changed.\n'));
    expect(await shown()).toEqual(before);
    for (const args of [
      ['verify', 'Nobody'],
      ['contact', 'Nobody', '--none'],
    ])
      expect(await open.run('reporters', ...args)).toEqual({
        code: 1,
        out: '',
        err: 'redflag: There is no such reporter.\n',
      });
  });

  it('suspends a reporter, ends the suspension, and records both', async () => {
    const suspended = async () => cellsOf((await open.run('reporters')).out).map((cells) => cells.at(-2));
    const said = (out: string) => ({ code: 0, out, err: '' });
    expect(await open.run('reporters', 'suspend', ' A new shop ', '--by', 'Ada')).toEqual(
      said('Suspended: all its keys are refused.\n'),
    );
    expect(await suspended()).toEqual(['SUSPENDED', 'yes', 'no']);
    expect((await open.run('keys', 'list')).out).toMatch(/A new shop .* suspended\n/);
    expect(await open.run('reporters', 'unsuspend', 'A new shop', '--by', 'Bob')).toEqual(
      said('The suspension has ended: its keys work again.\n'),
    );
    expect((await open.run('reporters', 'unsuspend', 'A new shop', '--json')).out).toBe('{"did":"unsuspend"}\n');
    expect(await suspended()).toEqual(['SUSPENDED', 'no', 'no']);
    const entries = JSON.parse((await open.run('audit', 'list', '--json')).out) as { action: string; actor: string }[];
    expect(entries.filter(({ action }) => action.endsWith('suspended'))).toMatchObject([
      { action: 'reporter-suspended', actor: 'Ada' },
      { action: 'reporter-unsuspended', actor: 'Bob' },
    ]);
    expect(await open.run('reporters', 'suspend', 'Nobody')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no such reporter.\n',
    });
  });

  it('learns anew when it is told', async () => {
    const { code, out, err } = await open.run('reporters', 'recompute');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe((await open.run('reporters')).out);
    expect(JSON.parse((await open.run('reporters', 'recompute', '--json')).out)).toHaveLength(2);
  });
});

describe('redflag reporters', () => {
  it.each([
    [['list'], 'reporters expects no value, or recompute, budget, contact, verify, suspend or unsuspend'],
    [['recompute', 'now'], 'reporters recompute expects no value'],
    [['budget', 'Shop'], 'reporters budget expects a name and a number'],
    [['budget', 'A', 'Shop', '5'], 'put the name in quotes'],
    [['budget', 'Shop', '5', '--why', 'Shop'], '--why does not belong to reporters budget'],
    [['budget', 'Shop', '0'], 'expects a whole number from 1 to 1000000000, or the word default'],
    [['budget', 'Shop', '1e3'], 'expects a whole number'],
    [['budget', 'Shop', 'none'], 'expects a whole number'],
    [['contact', 'Shop'], 'reporters contact expects a name and a contact'],
    [['contact', '--none'], 'reporters contact expects a name and a contact'],
    [['contact', 'Shop', 'a@shop.example', '--none'], 'or a name and --none'],
    [['contact', 'A', 'Shop', 'a@shop.example'], 'put the name in quotes'],
    [['verify'], 'reporters verify expects the name of a reporter'],
    [['verify', 'A', 'Shop'], 'put a name with spaces in quotes'],
    [['verify', 'Shop', '--none'], '--none belongs to reporters contact'],
    [['suspend', 'Shop', '--undo'], '--undo belongs to reporters verify'],
    [['suspend'], 'reporters suspend expects the name of a reporter'],
    [['unsuspend', 'A', 'Shop'], 'put a name with spaces in quotes'],
    [['suspend', 'Shop', '--why', 'Shop'], '--why does not belong to reporters suspend'],
    [['--by', 'Ada'], '--by belongs to reporters budget, contact, verify, suspend and unsuspend'],
    [['--why'], '--why expects a value'],
    [['--frobnicate'], 'unknown option --frobnicate'],
  ])('%j is refused', async (args, message) => {
    const refused = reporters.run(['--data', '/dev/null/data', ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });

  it('makes nothing in a folder of something else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redflag-reporters-'));
    for (const command of [['reporters'], ['disputes', 'list'], ['allow', 'list'], ['explain', 'a'.repeat(40)]]) {
      const { code, out, err } = await runCli([...command, '--data', folder]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^redflag: [^\n]+ is not a data folder: [^\n]+\n$/);
    }
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
