import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow } from '../../src/service/cli/commands/allow.ts';
import { UsageError } from '../../src/service/cli/errors.ts';
import { EVERY_WAY, cellsOf, EMAIL, openOperatorFolder, verdictOf, type OperatorFolder } from './operator-folder.ts';

// The list shows what is stored: not the hash itself, which a thief could search for addresses.
const stored = expect.stringMatching(/^(?!(a1)+$)[0-9a-f]{40}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(EVERY_WAY)('redflag allow, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  const query = async () => verdictOf((await open.ask({ _action: 'query', email: EMAIL })).body);
  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
    await open.report();
  });
  afterAll(() => open.close());

  it('puts a hash on the list and takes it off again', async () => {
    const before = await query();
    expect(await open.run('allow', 'add', EMAIL.toUpperCase(), '--reason', 'Our own address', '--by', 'Ada')).toEqual({
      code: 0,
      out: 'Added: from now on the identifier matches no report.\n',
      err: '',
    });
    expect(await query()).toEqual({ points: 0, reported: 0, reliability: 0 });
    expect(await open.run('allow', 'add', EMAIL, '--reason', 'again')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: This identifier is already on the allow list.\n',
    });
    expect(cellsOf((await open.run('allow', 'list')).out)).toEqual([
      ['HASH', 'STATE', 'ADDED', 'BY', 'ENDS', 'ENDED BY', 'REASON'],
      [stored, 'protected', time, 'Ada', '-', '-', 'Our own address'],
    ]);
    expect(await open.run('allow', 'remove', EMAIL)).toEqual({
      code: 0,
      out: 'Removed: from now on the identifier matches reports again.\n',
      err: '',
    });
    expect(await query()).toEqual(before);
    expect(cellsOf((await open.run('allow', 'list')).out)[1]).toEqual([
      stored,
      'ended',
      time,
      'Ada',
      time,
      userInfo().username,
      'Our own address',
    ]);
    expect(await open.run('allow', 'remove', EMAIL)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: This identifier is not on the allow list.\n',
    });
  });

  it('takes a day or a time until which it holds, and tells programs the same', async () => {
    const [day, moment] = ['b2'.repeat(20), 'c3'.repeat(20)];
    expect(
      JSON.parse((await open.run('allow', 'add', day, '--reason', 'r', '--until', '2999-12-31', '--json')).out),
    ).toEqual({ did: 'add' });
    expect((await open.run('allow', 'add', moment, '--reason', 'r', '--until', '2999-12-31T12:00:00+02:00')).code).toBe(
      0,
    );
    const list = JSON.parse((await open.run('allow', 'list', '--json')).out) as {
      hash: string;
      endsAt: number | null;
      endedBy: string | null;
    }[];
    const running = list.filter(({ endedBy }) => endedBy === null).sort((a, b) => a.endsAt! - b.endsAt!);
    expect(running).toEqual([
      {
        hash: stored,
        reason: 'r',
        addedBy: userInfo().username,
        addedAt: expect.any(Number),
        endsAt: Date.UTC(2999, 11, 31),
        endedBy: null,
        protects: true,
      },
      {
        hash: stored,
        reason: 'r',
        addedBy: userInfo().username,
        addedAt: expect.any(Number),
        endsAt: Date.UTC(2999, 11, 31, 10),
        endedBy: null,
        protects: true,
      },
    ]);
    expect(JSON.parse((await open.run('allow', 'remove', day, '--json')).out)).toEqual({ did: 'remove' });
    // As the list shows it, too.
    expect(JSON.parse((await open.run('allow', 'remove', running[1]!.hash, '--json')).out)).toEqual({ did: 'remove' });
  });

  it('says no in a line and ends with 1', async () => {
    const hash = 'd4'.repeat(20);
    expect(await open.run('allow', 'add', hash, '--reason', ' ')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The text must have 1 to 500 characters, not only white space or invisible characters, and no control, direction or tag characters except tabs and line breaks.\n',
    });
    expect(await open.run('allow', 'remove', hash, '--by', 'x'.repeat(81))).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The name must be one line of 1 to 80 characters, not blank and without invisible characters. A person cannot have the name engine.\n',
    });
  });
});

describe('redflag allow', () => {
  const hash = 'a'.repeat(40);
  it.each([
    [[], 'allow expects list, add or remove'],
    [['protect', hash], 'allow expects list, add or remove'],
    [['list', hash], 'allow list expects no value'],
    [['list', '--by', 'Ada'], '--by belongs to allow add and remove'],
    [['list', '--reason', 'r'], '--reason belongs to allow add'],
    [['add'], 'allow add expects one hash of 40 hex characters'],
    [['add', hash], 'allow add expects --reason'],
    [['add', hash, hash, '--reason', 'r'], 'allow add expects one hash'],
    [['add', 'client@secret.example', '--reason', 'r'], 'allow add expects one hash'],
    [['remove', 'client@secret.example'], 'allow remove expects one hash'],
    [['remove', hash, '--until', '2030-01-01'], '--until belongs to allow add'],
    [['add', hash, '--reason', 'r', '--until', 'tomorrow'], '--until expects a day as in'],
    [['add', hash, '--reason', 'r', '--until', '2030-02-31'], '--until expects a day as in'],
    [['add', hash, '--reason', 'r', '--until', '2030-13-01'], '--until expects a day as in'],
    [['add', hash, '--reason', 'r', '--until', '2030-01-01T10:00'], '--until expects a day as in'],
    [['add', hash, '--reason', 'r', '--until', '2030-01-01T25:00Z'], '--until expects a day as in'],
    [['add', hash, '--reason', 'r', '--until', '2020-01-01'], '--until expects a day or time in the future'],
    [['add', hash, '--value', 'client@secret.example'], 'unknown option --value'],
  ])('%j is refused, and nobody’s address is shown', async (args, message) => {
    const refused = allow.run(['--data', '/dev/null/data', ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('secret');
    await expect(refused).rejects.not.toThrow(hash);
  });
});
