import { describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { guessColumns, readTable, seemsPhone, type PastedTable } from '../../src/service/web/table.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel, formOf } from './visiting.ts';

const rowOf = (n: number) => ({ identifiers: `email=${hashOf(n)}` });
const reportOf = (n: number, more: object = {}) => ({
  ...rowOf(n),
  type: 'fraud',
  severity: '5',
  text: `Never paid ${n}`,
  ...more,
});

describe('many rows at once', () => {
  async function open(options: Parameters<typeof createTestPanel>[0] = {}) {
    const test = await createTestPanel(options);
    const ada = await test.signedIn(test.reporterId);
    const send = async (action: string, rows: unknown) => {
      const form = formOf(textOf(await ada.get('/panel/many')), 'look-up-rows');
      return ada.post('/panel/many', {
        ...form,
        do: action,
        rows: typeof rows === 'string' ? rows : JSON.stringify(rows),
      });
    };
    const ask = async (action: string, rows: unknown) =>
      JSON.parse(textOf(await send(action, rows))) as { rows: Record<string, unknown>[]; left: number };
    return { ...test, ada, send, ask };
  }

  it('are looked up one by one, and a wrong row stops no other', async () => {
    const { engine, otherKey, reporterId, ask } = await open();
    const draft = { apiKey: otherKey, type: 'fraud', severity: 6, text: 'A text' };
    unwrap(await engine.report({ ...draft, identifiers: [{ kind: 'email', hash: hashOf(2) }] }));
    const { rows, left } = await ask('look-up-rows', [
      rowOf(1),
      rowOf(2),
      { identifiers: 'email=a@b.example' },
      {},
      null,
    ]);
    expect(rows).toMatchObject([
      { points: 0, reported: 0, organisations: 0, link: '' },
      { points: 24, reported: 1, organisations: 1, link: expect.stringMatching(/report\/[0-9a-f]{40}$/) },
      { problem: expect.stringContaining('Type the email') },
      { problem: expect.stringContaining('At least one hashed identifier') },
      { problem: expect.stringContaining('At least one hashed identifier') },
    ]);
    expect(JSON.stringify(rows)).not.toContain('a@b');
    expect(left).toBe(19_998);
    expect(left).toBe(unwrap(await engine.usageOf({ reporterId })).identifiersLeft);
  });

  it('are reported once, however often they are sent', async () => {
    const { engine, reporterId, ask } = await open();
    const rows = [reportOf(1), reportOf(2, { text: 'Call +49 30 901820' }), reportOf(3, { severity: 'high' })];
    const first = await ask('report-rows', rows);
    expect(first.rows).toMatchObject([
      { duplicate: false, deletionCode: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { problem: expect.stringContaining('phone number') },
      { problem: expect.stringContaining('severity') },
    ]);
    const second = await ask('report-rows', [reportOf(1), reportOf(2)]);
    expect(second.rows).toMatchObject([{ ...first.rows[0], duplicate: true }, { duplicate: false }]);
    expect(unwrap(await engine.listReports({ reporterId })).reports).toHaveLength(2);
  });

  it('let other work run between two rows, and 50 of them cost five pages of the limit of a session', async () => {
    const { send } = await open({ limits: { panel: { requests: 20, windowSeconds: 60 } } });
    let turns = 0;
    let isCounting = true;
    const countTurn = (): void => {
      turns++;
      if (isCounting) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const rows = Array.from({ length: 50 }, (_, n) => reportOf(n));
    expect((await send('report-rows', rows)).status).toBe(200);
    isCounting = false;
    expect(turns).toBeGreaterThan(50);
    // Each also shows the page with the form.
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await send('look-up-rows', [rowOf(n)])).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('end with the budget, and say which rows', async () => {
    const { engine, reporterId, ask } = await open();
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 2 }));
    const { rows, left } = await ask('look-up-rows', [1, 2, 3].map(rowOf));
    expect(rows.map(({ isLimited }) => isLimited)).toEqual([undefined, undefined, true]);
    expect(left).toBe(0);
  });

  it.each([
    ['an array', `[[${'0,'.repeat(400_000)}0]]`],
    ['an object of many names', `[{${Array.from({ length: 60_000 }, (_, n) => `"${n}":""`).join()}}]`],
    ['many strings', `["\\"${'","'.repeat(150_000)}"]`],
    ['nested', '['.repeat(600_000)],
  ])('are not parsed if one is %s', async (_, rows) => {
    const { ask } = await open();
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const asked = ask('look-up-rows', rows);
      expect(await asked).toEqual({ problem: 'The request must have 1 to 50 rows.' });
      for (const [text] of parse.mock.calls) expect(String(text).length).toBeLessThan(1_000);
    } finally {
      parse.mockRestore();
    }
  });

  it('have no fields but those of a row, whatever their texts hold', async () => {
    const { ask } = await open();
    const { rows } = await ask('report-rows', [
      reportOf(1, { more: 'x', text: '","{[\\":,'.repeat(90) }),
      [`email=${hashOf(1)}`],
    ]);
    expect(rows).toMatchObject([{ duplicate: false }, { problem: 'Choose what happened.' }]);
  });

  it.each(['', 'x', '{}', '[]', JSON.stringify(Array.from({ length: 51 }, (_, n) => rowOf(n)))])(
    'are refused as a whole if they are %.20j',
    async (rows) => {
      const { send, ask } = await open();
      expect(await ask('look-up-rows', rows)).toEqual({ problem: 'The request must have 1 to 50 rows.' });
      const { headers } = await send('look-up-rows', rows);
      expect(headers).toMatchObject({
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
    },
  );

  it('need the token of the page, and say what is left before they start', async () => {
    const { ada } = await open();
    expect(await ada.post('/panel/many', { do: 'look-up-rows', rows: JSON.stringify([rowOf(1)]) })).toMatchObject({
      status: 403,
    });
    expect(textOf(await ada.get('/panel/many'))).toContain('data-left="20000"');
  });
});

describe('a pasted table', () => {
  const read = (text: string, most = 100) => readTable(text, most);

  it.each([
    ['email,order\na@b.example,4711\n', ['email', 'order'], ['email', '']],
    ['E-Mail;Telefon;Betrag\r\na@b.example;030 901820;9,50', ['E-Mail', 'Telefon', 'Betrag'], ['email', 'phone', '']],
    ['a@b.example\t192.0.2.7\t+49 30 901820', ['Column 1', 'Column 2', 'Column 3'], ['email', 'ip', 'phone']],
    ['\ufeff"client_ip","name"\n"192.0.2.7","Ford, Carl"', ['client_ip', 'name'], ['ip', '']],
    ['4711;12345678\n4712;12345679', ['Column 1', 'Column 2'], ['', '']],
    ['shop.example\nother.example', ['Column 1'], ['domain']],
    // By most cells: some are empty, or of another form.
    ['ip,reach\n,+49 30 901820\n,\n,030/901821\n,none\n,0049 30 901822', ['ip', 'reach'], ['ip', 'phone']],
    ['a@b.example,1\nc@d.example,2\nnone,3', ['Column 1', 'Column 2'], ['email', '']],
    ['a@b.example\n192.0.2.7\nshop.example\n192.0.2.8', ['Column 1'], ['']],
  ])('%j has columns, and what they are', (text, header, uses) => {
    const table = read(text) as PastedTable;
    expect(table.header).toEqual(header);
    expect(table.rows.every((row) => row.length === header.length)).toBe(true);
    expect(guessColumns(table, false)).toEqual(uses);
  });

  it.each([
    ['030 901820\n\n030 901821', true],
    ['030 901820,\n0171/1234567,\n,x', true],
    ['12345678\n12345679', true],
    ['+49 30 901820\n030 901821', false],
    ['2026-01-02\n2026-01-03', false],
    ['01.02.2026\n03/02/2026', false],
    ['1000.00\n1200.50', false],
    ['a@b.example\n030 901821\nx', false],
  ])('%j has a column that looks like phone numbers and is not used: %s', (text, is) => {
    const table = read(text) as PastedTable;
    expect(seemsPhone(table, 0, guessColumns(table, false))).toBe(is);
  });

  it('to report also has the parts of reports', () => {
    const table = read('email,type,severity,notes\na@b.example,fraud,5,Never paid') as PastedTable;
    expect(guessColumns(table, true)).toEqual(['email', 'type', 'severity', 'text']);
    expect(guessColumns(table, false)).toEqual(['email', '', '', '']);
  });

  it.each([
    ['', 'There are no rows.'],
    ['email\n', 'no rows below'],
    ['email\na@b.example\nb@b.example\nc@b.example', 'more than 2 rows'],
    ['"email', 'a quote is open'],
  ])('%j is refused in words', (text, words) => expect(read(text, 2)).toContain(words));
});
