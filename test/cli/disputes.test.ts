import { readFile, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { disputes } from '../../src/service/cli/commands/disputes.ts';
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
      out: 'REPORT  REPORTER  STATE  OPENED  BY  DECIDED  BY  REASON  ANSWER\n',
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
      '-',
    ]);
    expect(await open.run('disputes', 'open', reportId, '--reason', 'r')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: A dispute about this report is already open.\n',
    });

    const answer = async (text: string) => open.run('disputes', 'answer', reportId, '--answer', text, '--by', 'Eve');
    expect(await answer('We have')).toMatchObject({ code: 0 });
    expect(await answer('We have the\npapers')).toEqual({
      code: 0,
      out: 'Noted: the answer is shown with the dispute.\n',
      err: '',
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
      'We have the papers',
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
    expect(rows[0]).toEqual(['REPORT', 'REPORTER', 'STATE', 'OPENED', 'BY', 'DECIDED', 'BY', 'REASON', 'ANSWER']);
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
        answer: null,
        answeredAt: null,
      },
      expect.objectContaining({
        openedBy: 'Ada',
        decidedBy: userInfo().username,
        upheld: false,
        reason: 'Somebody\n\telse',
        answer: 'We have the\npapers',
        answeredAt: expect.any(Number) as number,
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
    expect(await open.run('disputes', 'answer', other, '--answer', 'x')).toEqual({
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
      err: 'redflag: The text must have 1 to 500 characters, not only white space or invisible characters, and no control, direction or tag characters except tabs and line breaks.\n',
    });
    expect(await open.run('disputes', 'open', other, '--reason', 'r', '--by', '')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The name must be one line of 1 to 80 characters, not blank and without invisible characters. A person cannot have the name engine.\n',
    });
  });

  it('lists what persons ask for, and refuses it', async () => {
    const email = 'c3'.repeat(20);
    const reports = [await open.report({ email }), await open.report({ email, _text: 'Another' })].sort();
    expect(await open.run('disputes', 'requests')).toEqual({
      code: 0,
      out: 'REQUEST  REPORT  REPORTER  REQUESTED  REASON\n',
      err: '',
    });
    expect(await open.request({ email, _text: 'Not\n\tme' })).toBe('OK');
    const rows = cellsOf((await open.run('disputes', 'requests')).out);
    expect(rows[0]).toEqual(['REQUEST', 'REPORT', 'REPORTER', 'REQUESTED', 'REASON']);
    const requestId = rows[1]![0]!;
    expect(rows.slice(1)).toEqual(reports.map((reportId) => [requestId, reportId, 'First reporter', time, 'Not me']));
    expect(JSON.parse((await open.run('disputes', 'requests', '--json')).out)).toEqual(
      reports.map((reportId) => ({
        requestId,
        reportId,
        reporterId: expect.stringMatching(/^[0-9a-f]{16}$/),
        reporter: 'First reporter',
        requestedAt: expect.any(Number),
        reason: 'Not\n\tme',
      })),
    );
    const done = { code: 0, out: 'Refused: the request is deleted.\n', err: '' };
    expect(await open.run('disputes', 'refuse', requestId, '--report', reports[0]!, '--by', 'Ada')).toEqual(done);
    expect(cellsOf((await open.run('disputes', 'requests')).out).slice(1)).toHaveLength(1);
    expect(await open.run('disputes', 'refuse', requestId)).toEqual(done);
    expect(await open.run('disputes', 'refuse', requestId)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no such request.\n',
    });
    // Opening a dispute is the answer to the others.
    await open.request({ email, _text: 'Again' });
    expect((await open.run('disputes', 'open', reports[0]!, '--reason', 'r')).code).toBe(0);
    expect(
      cellsOf((await open.run('disputes', 'requests')).out)
        .slice(1)
        .map((row) => row[1]),
    ).toEqual([reports[1]]);
    // All requests about a report at once. This one is beside that of the same network about the same data.
    await open.request({ email, _text: 'Once more' });
    const refuseAll = () => open.run('disputes', 'refuse', '--report', reports[1]!, '--by', 'Ada');
    expect(await refuseAll()).toEqual({ code: 0, out: 'Refused: 2 requests are deleted.\n', err: '' });
    expect(await refuseAll()).toMatchObject({ code: 1, err: 'redflag: There is no such request.\n' });
    expect((await open.run('audit', 'list')).out).toMatch(/ dispute-request-refused .* 2\n$/);
  });

  it('answers the persons who asked, with a refusal or a decision', async () => {
    const email = 'e5'.repeat(20);
    const reportId = await open.report({ email });
    const last = async () => (await open.run('audit', 'list')).out.trimEnd().split('\n').at(-1);
    await open.request({ email, _text: 'Not me' });
    const requestId = cellsOf((await open.run('disputes', 'requests')).out)[1]![0]!;
    const tooLong = await open.run('disputes', 'refuse', requestId, '--answer', 'x'.repeat(501));
    expect(tooLong).toMatchObject({ code: 1, out: '' });
    expect(await open.run('disputes', 'refuse', requestId, '--answer', 'Write more', '--by', 'Ada')).toEqual({
      code: 0,
      out: 'Refused: the request is deleted.\nAnswered: the text is in 1 case.\n',
      err: '',
    });
    await open.request({ email, _text: 'I never ordered' });
    expect(await open.run('disputes', 'refuse', '--report', reportId, '--answer', 'Write more', '--json')).toEqual({
      code: 0,
      out: '{"did":"refuse-all","refused":1,"answered":1}\n',
      err: '',
    });
    for (const [decision, done] of [
      ['uphold', 'Upheld: the report no longer counts and is not shown.'],
      ['reject', 'Rejected: the report counts as before.'],
    ] as const) {
      expect((await open.run('disputes', 'open', reportId, '--reason', 'r')).code).toBe(0);
      expect((await open.run('disputes', decision, reportId, '--answer', ' ')).code).toBe(1);
      // All who asked read the decision, so all read the answer.
      expect(await open.run('disputes', decision, reportId, '--answer', `We ${decision} it`, '--by', 'Ada')).toEqual({
        code: 0,
        out: `${done}\nAnswered: the text is in 2 cases.\n`,
        err: '',
      });
      expect(await last()).toMatch(new RegExp(` Ada +person-answered .*${reportId} +2$`));
    }
    const other = await open.report({ email: 'f6'.repeat(20) });
    expect((await open.run('disputes', 'open', other, '--reason', 'r')).code).toBe(0);
    expect((await open.run('disputes', 'reject', other, '--answer', 'No')).out).toBe(
      'Rejected: the report counts as before.\nNot answered: no person with a case number asked.\n',
    );
  });

  it('says how many earlier reports are alike, and upholds them if asked', async () => {
    const email = 'd4'.repeat(20);
    for (const _text of ['One', 'Two']) await open.report({ email, _text });
    const reportId = await open.report({ email, _text: 'Three' });
    const points = async () => verdictOf((await open.ask({ _action: 'query', email })).body).points;
    expect((await open.run('disputes', 'open', reportId, '--reason', 'r')).code).toBe(0);
    const alike = '2 earlier reports of the same reporter about the same person';
    const out = (await open.run('disputes', 'list')).out;
    expect(out).toContain(`\n${reportId}: ${alike}.\n`);
    expect(out).toMatch(/\nTo uphold them too, use disputes uphold with --alike\.\n$/);
    const [listed] = JSON.parse((await open.run('disputes', 'list', '--json')).out) as { alike: number }[];
    expect(listed!.alike).toBe(2);
    expect(await open.run('disputes', 'uphold', reportId)).toEqual({
      code: 0,
      out: `Upheld: the report no longer counts and is not shown.\nNot upheld: ${alike}. Open another dispute about this report and use --alike.\n`,
      err: '',
    });
    expect(await points()).toBeGreaterThan(0);
    expect((await open.run('disputes', 'open', reportId, '--reason', 'r')).code).toBe(0);
    expect(await open.run('disputes', 'uphold', reportId, '--alike')).toEqual({
      code: 0,
      out: `Upheld: the report no longer counts and is not shown.\nAlso upheld: ${alike}.\n`,
      err: '',
    });
    expect(await points()).toBe(0);
    expect((await open.run('disputes', 'list')).out).not.toContain(`${reportId}:`);
  });

  it('leaves no reason and no answer of a deleted report on the disk', async () => {
    const marked = `MARK ${'x'.repeat(20)}`;
    const email = 'b2'.repeat(20);
    const { headers } = await open.ask({ _action: 'report', _type: 'fraud', _value: '7', _text: 'Another', email });
    const reportId = headers.get('x-report-id')!;
    expect((await open.run('disputes', 'open', reportId, '--reason', marked)).code).toBe(0);
    expect((await open.run('disputes', 'answer', reportId, '--answer', marked)).code).toBe(0);
    expect((await open.run('disputes', 'list')).out).toContain(marked);
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
    [[], 'disputes expects list, open, answer, uphold, reject, requests or refuse'],
    [['close', 'x'], 'disputes expects list, open, answer, uphold, reject, requests or refuse'],
    [['requests', 'x'], 'disputes requests expects no value'],
    [['refuse'], 'disputes refuse expects the id of a request'],
    [['list', '--report', 'x'], '--report belongs to disputes refuse'],
    [['list', 'x'], 'disputes list expects no value'],
    [['list', '--by', 'Ada'], '--by belongs to disputes open, answer, uphold, reject and refuse'],
    [['open'], 'disputes open expects the id of a report'],
    [['open', 'x'], 'disputes open expects --reason'],
    [['open', 'x', 'wrong', 'person'], 'put a text with spaces in quotes'],
    [['uphold'], 'disputes uphold expects the id of a report'],
    [['answer', 'x'], 'disputes answer expects --answer'],
    [['open', 'x', '--answer', 'r'], '--answer belongs to disputes answer'],
    [['reject', 'x', '--reason', 'r'], '--reason belongs to disputes open'],
    [['reject', 'x', '--alike'], '--alike belongs to disputes uphold'],
    [['open', 'x', '--reason'], '--reason expects a value'],
    [['open', 'x', '--until', 'y'], 'unknown option --until'],
  ])('%j is refused', async (args, message) => {
    const refused = disputes.run(['--data', '/dev/null/data', ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });
});
