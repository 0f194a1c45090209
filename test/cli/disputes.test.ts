import { readFile, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/arguments.ts';
import { disputes } from '../../src/cli/commands/disputes.ts';
import { EVERY_WAY, cellsOf, EMAIL, openOperatorFolder, verdictOf, type OperatorFolder } from './operator-folder.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const time = expect.stringMatching(TIME);

describe.each(EVERY_WAY)('redflag disputes, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  let reportId: string;
  const query = async () => verdictOf((await open.ask({ _action: 'query', email: EMAIL })).body);
  const reporters = async () =>
    JSON.parse((await open.run('reporters', '--json')).out) as { lost: number; precision: number }[];

  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
    reportId = await open.report();
  });
  afterAll(() => open.close());

  it('opens, rejects, opens again and upholds', async () => {
    expect(await open.run('disputes', 'list')).toEqual({
      code: 0,
      out: 'REPORT  REPORTER  STATE  OPENED  BY  DECIDED  BY  REASON\n',
      err: '',
    });
    const before = await query();
    const [standing] = await reporters();

    expect(await open.run('disputes', 'open', reportId, '--reason', 'Somebody\n\telse', '--by', 'Ada')).toEqual({
      code: 0,
      out: 'Opened: the report counts half until the dispute is decided.\n',
      err: '',
    });
    const half = await query();
    expect(half.reported).toBe(1);
    expect(half.points).toBeLessThan(before.points);
    expect(cellsOf((await open.run('disputes', 'list')).out)[1]).toEqual([
      reportId,
      'First reporter',
      'open',
      time,
      'Ada',
      '-',
      '-',
      'Somebody else',
    ]);
    expect(await open.run('disputes', 'open', reportId, '--reason', 'r')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: A dispute about this report is already open.\n',
    });

    expect(await open.run('disputes', 'reject', reportId)).toEqual({
      code: 0,
      out: 'Rejected: the report counts as before.\n',
      err: '',
    });
    expect(await query()).toEqual(before);
    expect(cellsOf((await open.run('disputes', 'list')).out)[1]).toEqual([
      reportId,
      'First reporter',
      'rejected',
      time,
      'Ada',
      time,
      userInfo().username,
      'Somebody else',
    ]);

    expect(JSON.parse((await open.run('disputes', 'open', reportId, '--reason', 'New facts', '--json')).out)).toEqual({
      did: 'open',
    });
    expect(await open.run('disputes', 'uphold', reportId, '--by', 'Bob')).toEqual({
      code: 0,
      out: 'Upheld: the report no longer counts and is not shown.\n',
      err: '',
    });
    expect(await query()).toEqual({ points: 0, reported: 0, reliability: 0 });
    const [after] = await reporters();
    expect(after!.lost).toBe(1);
    expect(after!.precision).toBeLessThan(standing!.precision);

    const rows = cellsOf((await open.run('disputes', 'list')).out);
    expect(rows[0]).toEqual(['REPORT', 'REPORTER', 'STATE', 'OPENED', 'BY', 'DECIDED', 'BY', 'REASON']);
    expect(rows.slice(1).map((row) => [row[2], row[7]])).toEqual([
      ['upheld', 'New facts'],
      ['rejected', 'Somebody else'],
    ]);
    expect(JSON.parse((await open.run('disputes', 'list', '--json')).out)).toEqual([
      {
        reportId,
        reporterId: expect.stringMatching(/^[0-9a-f]{16}$/),
        reporter: 'First reporter',
        openedAt: expect.any(Number),
        openedBy: userInfo().username,
        reason: 'New facts',
        decidedAt: expect.any(Number),
        decidedBy: 'Bob',
        upheld: true,
        merged: false,
      },
      expect.objectContaining({
        openedBy: 'Ada',
        decidedBy: userInfo().username,
        upheld: false,
        reason: 'Somebody\n\telse',
      }),
    ]);
  });

  it('says no in a line and ends with 1', async () => {
    const other = '0'.repeat(16);
    expect(await open.run('disputes', 'open', other, '--reason', 'r')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no such report.\n',
    });
    expect(await open.run('disputes', 'uphold', other)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: No dispute about this report is open.\n',
    });
    expect(await open.run('disputes', 'reject', 'nonsense')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: No dispute about this report is open.\n',
    });
    expect(await open.run('disputes', 'open', other, '--reason', ' ')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The reason must have 1 to 500 characters, not only white space or invisible characters, and no control, direction or tag characters except tabs and line breaks.\n',
    });
    expect(await open.run('disputes', 'open', other, '--reason', 'r', '--by', '')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The name must be one line of 1 to 80 characters, not blank and without invisible characters.\n',
    });
  });

  it('leaves no reason of a deleted report on the disk', async () => {
    const marked = `MARK ${'x'.repeat(20)}`;
    const email = 'b2'.repeat(20);
    const { headers } = await open.ask({ _action: 'report', _type: 'fraud', _value: '7', _text: 'Another', email });
    expect((await open.run('disputes', 'open', headers.get('x-report-id')!, '--reason', marked)).code).toBe(0);
    expect((await open.ask({ _action: 'delete', _code: headers.get('x-deletion-code')! })).body).toBe('OK');
    expect((await open.run('disputes', 'list')).out).not.toContain(marked);
    // A service that runs erases within the hour; one that stops, at once.
    if (serving) return;
    for (const name of await readdir(open.folder)) {
      if (!/\.(sock|holder|lock)$/.test(name))
        expect((await readFile(join(open.folder, name))).includes(marked), name).toBe(false);
    }
  });
});

describe('redflag disputes', () => {
  it.each([
    [[], 'disputes expects list, open, uphold or reject'],
    [['close', 'x'], 'disputes expects list, open, uphold or reject'],
    [['list', 'x'], 'disputes list expects no value'],
    [['list', '--by', 'Ada'], '--by belongs to disputes open, uphold and reject'],
    [['open'], 'disputes open expects the id of a report'],
    [['open', 'x'], 'disputes open expects --reason'],
    [['open', 'x', 'wrong', 'person'], 'put a reason with spaces in quotes'],
    [['uphold'], 'disputes uphold expects the id of a report'],
    [['reject', 'x', '--reason', 'r'], '--reason belongs to disputes open'],
    [['open', 'x', '--reason'], '--reason expects a value'],
    [['open', 'x', '--until', 'y'], 'unknown option --until'],
  ])('%j is refused', async (args, message) => {
    const refused = disputes.run(['--data', '/dev/null/data', ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });
});
