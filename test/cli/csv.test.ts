import { appendFile, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandError } from '../../src/service/cli/errors.ts';
import { hashCsv, type CsvJob, type CsvSummary } from '../../src/service/cli/csv/hash-csv.ts';
import { openHashing } from '../../src/service/cli/hash-all.ts';
import { hashIdentifierSync, normaliseIdentifier } from '../../src/hash.ts';
import { budget } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
import { runCli as runBuilt } from './service.ts';

const folder = useFolder('csv');

const hashOf = (value: string): string => hashIdentifierSync(value, { iterations: 1 });
const ADA = hashOf('ada@example.com');
const NEVER = new AbortController().signal;

type Options = Partial<CsvJob['layout']> & { skipBad?: boolean };

async function run(
  text: string | Buffer,
  { skipBad = false, ...layout }: Options = {},
): Promise<{ out: Buffer; summary: CsvSummary }> {
  const csv = join(folder, 'in.csv');
  const out = join(folder, 'out.csv');
  await rm(out, { force: true });
  await writeFile(csv, text);
  const job: CsvJob = {
    csv,
    out,
    layout: { delimiter: ',', column: 'email', kind: undefined, ...layout },
    prefix: 'service-',
    iterations: 1,
    skipBad,
  };
  const summary = await hashCsv(job, {
    hashAll: openHashing({ workers: 1 }).hashAll,
    progress: process.stderr,
    signal: NEVER,
  });
  return { out: await readFile(out), summary };
}

/** Neither the output nor a draft of it is there. */
async function expectNothing(out: string): Promise<void> {
  expect((await readdir(folder)).filter((name) => name.startsWith(out))).toEqual([]);
}

const outOf = async (text: string | Buffer, options?: Options): Promise<string> =>
  (await run(text, options)).out.toString('utf8');

describe('what stays as it is', () => {
  it.each<[string, string, Options, string]>([
    ['LF', 'email,n\nada@example.com,1\n', {}, `email,n\n${ADA},1\n`],
    ['CR LF', 'n,email\r\n1,ada@example.com\r\n', {}, `n,email\r\n1,${ADA}\r\n`],
    ['mixed line ends', 'n,email\r\n1,ada@example.com\n2,ada@example.com\r\n', {}, `n,email\r\n1,${ADA}\n2,${ADA}\r\n`],
    ['no line end at the end', 'n,email\n1,ada@example.com', {}, `n,email\n1,${ADA}`],
    ['a byte order mark', '\ufeffemail\nada@example.com\n', {}, `\ufeffemail\n${ADA}\n`],
    ['a byte order mark without header', '\ufeffada@example.com\n', { column: 1 }, `\ufeff${ADA}\n`],
    [
      'a byte order mark before a quote',
      '\ufeff"email",n\nada@example.com,1\n',
      { kind: 'email' },
      `\ufeff"email",n\n${ADA},1\n`,
    ],
    [
      'quotes of the cell and of others',
      '"email","a ""b"""\n"Ada@Example.com ","x,\ny"\nada@example.com, z \n',
      {},
      `"email","a ""b"""\n"${ADA}","x,\ny"\n${ADA}, z \n`,
    ],
    ['empty cells', 'email,n\n,1\n"",2\n  ,3\n"  ",4\n', {}, 'email,n\n,1\n"",2\n,3\n"",4\n'],
    ['blank lines', 'email,n\n\nada@example.com,1\r\n\r\n\n', {}, `email,n\n\n${ADA},1\r\n\r\n\n`],
    ['another delimiter', 'n;email\n"a;b,c";ada@example.com\n', { delimiter: ';' }, `n;email\n"a;b,c";${ADA}\n`],
    [
      'a file without header',
      '1,ada@example.com\n2,x@y.example\n',
      { column: 2 },
      `1,${ADA}\n2,${hashOf('x@y.example')}\n`,
    ],
    ['a header alone', 'email', {}, 'email'],
    ['an empty file without header', '', { column: 1 }, ''],
    [
      'twice the name of a column that is not asked for',
      'n,n,email\n1,2,ada@example.com\n',
      {},
      `n,n,email\n1,2,${ADA}\n`,
    ],
  ])('%s', async (_name, text, options, expected) => {
    expect(await outOf(text, options)).toBe(expected);
  });

  it('bytes of another encoding in other columns', async () => {
    const text = Buffer.concat([
      Buffer.from('n,email\n'),
      Buffer.from([0xff, 0x00, 0xc3]),
      Buffer.from(',ada@example.com\n'),
    ]);
    const { out } = await run(text);
    expect(out).toEqual(Buffer.concat([text.subarray(0, 12), Buffer.from(`${ADA}\n`)]));
  });

  it('content with quotes, delimiters and line ends is hashed as it reads', async () => {
    expect(await outOf('email\n"a ""b"", c\r\nd"\nÄ\u2028é\n')).toBe(
      `email\n"${hashOf('a "b", c\r\nd')}"\n${hashOf('Ä\u2028é')}\n`,
    );
  });

  it('a row longer than the pieces the file is read in', async () => {
    const long = 'x'.repeat(300_000);
    expect(await outOf(`n,email,m\n"${long}",ada@example.com,${long}\n`)).toBe(`n,email,m\n"${long}",${ADA},${long}\n`);
  });
});

it('renames the column to the kind, in quotes if there were some', async () => {
  expect(await outOf('n,"E-Mail"\n1,ada@example.com\n', { column: 'E-Mail', kind: 'email' })).toBe(
    `n,"email"\n1,${ADA}\n`,
  );
  expect(await outOf('n,E-Mail\n', { column: 'E-Mail', kind: 'email' })).toBe('n,email\n');
});

it('counts rows, and not the header or blank lines', async () => {
  const { summary } = await run(
    Buffer.concat([
      Buffer.from('email,n\nada@example.com,1\n\n ,2\n'),
      Buffer.from([0xff]),
      Buffer.from(',3\nada@example.com,4'),
    ]),
    { skipBad: true },
  );
  expect(summary).toEqual({ rows: 4, hashed: 2, empty: 1, skipped: 1 });
});

it('hashes a value once that comes again soon, however many rows are between', async () => {
  const seen: string[] = [];
  const csv = join(folder, 'again.csv');
  const out = join(folder, 'again-out.csv');
  const rows = Array.from({ length: 10_000 }, (_, index) => (index % 3 === 0 ? '' : index % 5 === 0 ? 'A@x' : ' a@x'));
  await writeFile(csv, `email,n\n${rows.map((row) => `${row},\n`).join('')}`);
  await hashCsv(
    {
      csv,
      out,
      layout: { delimiter: ',', column: 'email', kind: undefined },
      prefix: '',
      iterations: 1,
      skipBad: false,
    },
    {
      progress: process.stderr,
      signal: NEVER,
      // Gathers all it can get, which must not make it wait for ever.
      async *hashAll(values, options) {
        const gathered: string[] = [];
        for await (const value of values) gathered.push(value);
        seen.push(...gathered);
        for (const value of gathered) yield hashIdentifierSync(value, options);
      },
    },
  );
  expect(seen).toEqual(['a@x']);
  const hashed = hashIdentifierSync('a@x', { prefix: '', iterations: 1 });
  expect(await readFile(out, 'utf8')).toBe(
    `email,n\n${rows.map((row) => (row === '' ? ',\n' : `${hashed},\n`)).join('')}`,
  );
});

describe('what is refused', () => {
  const SECRET = 'secret@example.com';
  it.each<[string, string | Buffer, Options, RegExp]>([
    [
      'a row with fewer cells',
      `n,email\n1,${SECRET}\n${SECRET}\n`,
      {},
      /^the row that begins on line 3 is malformed: it has 1 cell, but the first row has 2$/,
    ],
    [
      'a row with more cells',
      `n,email\n"1\n2",${SECRET}\n1,2,${SECRET}\n`,
      {},
      /^the row that begins on line 4 is malformed: it has 3 cells, but the first row has 2$/,
    ],
    [
      'a quote inside a cell',
      `email\n${SECRET}\n${SECRET}"x\n`,
      {},
      /^the row that begins on line 3 is malformed: a cell that does not begin with a quote/,
    ],
    [
      'text behind a quote',
      `email\n"\n"\n"${SECRET}"x\n`,
      {},
      /^the row that begins on line 4 is malformed: a closing quote is followed/,
    ],
    [
      'NUL behind a quote',
      `email\n"${SECRET}"\0\n`,
      {},
      /^the row that begins on line 2 is malformed: its quotes or delimiters do not follow RFC 4180$/,
    ],
    [
      'a quote that is not closed',
      `email\n${SECRET}\n"${SECRET}\n`,
      {},
      /^the row that begins on line 3 is malformed: a quote is not closed$/,
    ],
    [
      'a row without end',
      `email\n"${'x'.repeat(17 * 1024 * 1024)}`,
      {},
      /^the row that begins on line 2 is malformed: it is longer than 16 MiB/,
    ],
    [
      'a bare carriage return',
      `n,email\r1,${SECRET}\r`,
      {},
      /^the row that begins on line 1 is malformed: a cell without quotes contains a carriage return/,
    ],
    ['a missing column', `${SECRET},n\n`, {}, /^--column names none of the file's 2 columns/],
    ['a column twice', `email,email\n${SECRET},\n`, {}, /^two columns have the name/],
    [
      'a kind that is there',
      `E-Mail,Email\n${SECRET},\n`,
      { column: 'E-Mail', kind: 'email' },
      /^another column already has the name that --kind gives/,
    ],
    [
      'a column number beyond the row',
      `${SECRET}\n`,
      { column: 2 },
      /^--column expects the number of a column, but the first row has only 1 cell$/,
    ],
    ['an empty file', '', {}, /^the file is empty/],
    ['UTF-16', Buffer.from(`\ufeffemail\n${SECRET}`, 'utf16le'), {}, /^the file is UTF-16/],
    [
      'a cell that is not UTF-8',
      Buffer.from(`n,email\n"\n",x\n1,${SECRET}\xe9\n`, 'latin1'),
      {},
      /^row 2, on line 4, has a cell that is not UTF-8: save as CSV UTF-8; --skip-bad/,
    ],
  ])('%s', async (_name, text, options, message) => {
    const refused = run(text, options);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(SECRET);
    await expectNothing('out.csv');
  });

  it('an output that is there, and the input as output', async () => {
    const csv = join(folder, 'same.csv');
    const other = join(folder, 'there.csv');
    const link = join(folder, 'link.csv');
    await writeFile(csv, 'email\n');
    await writeFile(other, 'mine');
    await symlink(csv, link);
    const args = (out: string): string[] => ['hash', '--csv', csv, '--column', 'email', '--out', out];
    expect(await runCli(args(csv))).toMatchObject({
      code: 1,
      err: 'redflag: --csv and --out use the same file; choose another --out\n',
    });
    expect(await runCli(args(link))).toMatchObject({
      code: 1,
      err: 'redflag: --csv and --out use the same file; choose another --out\n',
    });
    const { code, err } = await runCli(args(other));
    expect(code).toBe(1);
    expect(err).toContain('already exists and is never overwritten');
    expect(await readFile(other, 'utf8')).toBe('mine');
    expect(await readFile(csv, 'utf8')).toBe('email\n');
  });
});

describe('a run that ends early leaves nothing', () => {
  const job: CsvJob = {
    csv: join(folder, 'early.csv'),
    out: join(folder, 'early-out.csv'),
    layout: { delimiter: ',', column: 'email', kind: undefined },
    prefix: 'service-',
    iterations: 1,
    skipBad: false,
  };
  const { hashAll } = openHashing({ workers: 1 });
  /** Calls `at` while the second row is hashed. */
  const runWith = async (at: () => unknown, signal = NEVER): Promise<CsvSummary> => {
    await writeFile(job.csv, 'email\n1@example.com\n2@example.com\n3@example.com\n4@example.com\n');
    return hashCsv(job, {
      async *hashAll(values, options) {
        let rows = 0;
        for await (const value of values) {
          if (++rows === 2) await at();
          yield* hashAll(Readable.from([value]), options);
        }
      },
      progress: process.stderr,
      signal,
    });
  };

  it('when it is stopped', async () => {
    const stop = new AbortController();
    await expect(runWith(() => stop.abort(), stop.signal)).rejects.toThrow(
      new CommandError('stopped; nothing was written'),
    );
    await expectNothing('early-out.csv');
    await expect(runWith(() => undefined, stop.signal)).rejects.toThrow('stopped');
    await expectNothing('early-out.csv');
  });

  it('when the input changes', async () => {
    const change = runWith(() => appendFile(job.csv, '5@example.com\n'));
    await expect(change).rejects.toThrow('the file of --csv changed during the run');
    await expectNothing('early-out.csv');
  });

  it('when another program makes the output meanwhile, whose file stays', async () => {
    await expect(runWith(() => writeFile(job.out, 'theirs'))).rejects.toThrow(
      'already exists and is never overwritten',
    );
    expect(await readFile(job.out, 'utf8')).toBe('theirs');
    await rm(job.out);
    await expectNothing('early-out.csv');
    expect(await runWith(() => undefined)).toEqual({ rows: 4, hashed: 4, empty: 0, skipped: 0 });
  });
});

describe('any CSV', () => {
  const content = fc.string({
    unit: fc.constantFrom('a', 'B', ' ', '"', ',', '\n', '\r', '\u00e9', '\u2028', '\ufeff', '@', '0'),
    maxLength: 8,
  });
  const cell = fc.record({ content, quote: fc.boolean() }).map(({ content, quote }) => {
    const isQuoted = quote || /[",\r\n]/.test(content);
    return { content, isQuoted, written: isQuoted ? `"${content.replaceAll('"', '""')}"` : content };
  });
  const file = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.record({
        width: fc.constant(width),
        column: fc.integer({ min: 0, max: width - 1 }),
        mark: fc.boolean(),
        rows: fc.array(
          fc.record({
            cells: fc.array(cell, { minLength: width, maxLength: width }),
            end: fc.constantFrom('\n', '\r\n'),
          }),
          { maxLength: 12 },
        ),
        isEnded: fc.boolean(),
      }),
    );

  it('has the same bytes but for the column, which is what hashIdentifierSync says', async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ width, column, mark, rows, isEnded }) => {
        const header = Array.from({ length: width }, (_, index) => (index === column ? 'email' : `c${index}`)).join(
          ',',
        );
        const write = (
          wordCell: (cell: { content: string; isQuoted: boolean; written: string }, index: number) => string,
        ): string => {
          const lines = rows.map(
            ({ cells, end }, index) => cells.map(wordCell).join(',') + (isEnded || index < rows.length - 1 ? end : ''),
          );
          return `${mark ? '\ufeff' : ''}${header}\n${lines.join('')}`;
        };
        const expected = write(({ content, isQuoted, written }, index) => {
          if (index !== column) return written;
          let hash = '';
          try {
            hash = hashOf(normaliseIdentifier(content));
          } catch {
            // Nobody to hash.
          }
          return isQuoted ? `"${hash}"` : hash;
        });
        expect(await outOf(write(({ written }) => written))).toBe(expected);
      }),
      { numRuns: budget(20) },
    );
  });
});

describe('redflag hash --csv', () => {
  it.each([
    ['in this thread', runCli, ['--workers', '1']],
    ['by workers', runBuilt, []],
  ])('%s makes a file for its owner alone, says what it did, and leaves nothing beside it', async (_, runIt, more) => {
    const csv = join(folder, 'cli.tsv');
    const out = join(folder, `cli-${more.length}.tsv`);
    await writeFile(csv, 'Mail\tn\nada@example.com\t1\n\t2\n');
    const args = [
      'hash',
      '--csv',
      csv,
      '--column',
      'Mail',
      '--kind',
      'EMAIL',
      '--delimiter',
      '\\t',
      '--iterations',
      '1',
      '--out',
      out,
      ...more,
    ];
    expect(await runIt(args)).toEqual({ code: 0, out: '', err: 'redflag: 2 rows of kind email: 1 hashed, 1 empty\n' });
    expect(await readFile(out, 'utf8')).toBe(`email\tn\n${ADA}\t1\n\t2\n`);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const beside = (await readdir(folder)).filter((name) => name.startsWith(`${basename(out)}.`));
    expect(beside).toEqual([]);
  });

  it.each<[string[], string]>([
    [['--out', 'x'], '--out belongs to hash --csv'],
    [['--skip-bad', 'x'], '--skip-bad belongs to hash --csv'],
    [['--csv', 'x', '--column', 'y'], 'expects --out and the name of a new file for the output'],
    [['--csv', 'x', '--out', 'y'], 'expects --column and the name or number of the column to hash'],
    [['--csv', 'x', '--out', 'y', '--column', 'z', 'value'], 'takes no values'],
    [['--csv', 'x', '--out', 'y', '--column', 'z', '--no-header'], '--column expects a whole number from 1'],
    [
      ['--csv', 'x', '--out', 'y', '--column', '1', '--no-header', '--kind', 'ip'],
      '--kind renames a column in the header',
    ],
    [['--csv', 'x', '--out', 'y', '--column', 'z', '--kind', '_api'], '--kind expects a valid kind'],
    [['--csv', 'x', '--out', 'y', '--column', 'z', '--delimiter', 'a'], '--delimiter expects one ASCII character'],
    [['--csv', 'x', '--out', 'y', '--column', 'z', '--delimiter', '"'], '--delimiter expects one ASCII character'],
  ])('%j is not understood', async (args, message) => {
    const { code, err } = await runCli(['hash', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('says that there is no such file, and that it has to be one', async () => {
    const rest = ['--column', 'z', '--out', join(folder, 'never.csv')];
    expect(await runCli(['hash', '--csv', join(folder, 'none.csv'), ...rest])).toEqual({
      code: 1,
      out: '',
      err: 'redflag: the file of --csv does not exist\n',
    });
    expect((await runCli(['hash', '--csv', '/dev/null', ...rest])).err).toContain('--csv expects a regular file');
  });
});

describe('cells that are no identifier', () => {
  async function hashColumn(text: string | Buffer, column: string, ...more: string[]) {
    const [csv, out] = [join(folder, 'clear.csv'), join(folder, 'clear-out.csv')];
    await rm(out, { force: true });
    await writeFile(csv, text);
    const base = ['hash', '--csv', csv, '--column', column, '--out', out, '--iterations', '1', '--workers', '1'];
    const { code, err } = await runCli([...base, ...more]);
    return { code, err, out: await readFile(out, 'utf8').catch(() => undefined) };
  }

  it.each([
    ['a number that Excel shortened', 'phone', '4.92E+11', '1 damaged', 'kind phone'],
    ['digits that Excel kept as text', 'phone', "'+4912345", '1 damaged', 'kind phone'],
    ['a word for no value', 'Telefon', 'keine', '1 no value', 'kind phone'],
    ['an address of no person', 'client_ip', '127.0.0.1', '1 no person', 'kind ip'],
    ['an address in a column of no known kind', 'OXFOO', '127.0.0.1', '1 no person', 'no known kind'],
    ['an address where mail is not read', 'E-Mail', 'no-reply@shop.example', '1 no person', 'kind email'],
    ['a missing value of a column of any kind', 'customer', '#N/A', '1 no value', 'no known kind'],
  ])('are left empty and counted: %s', async (_name, column, value, counted, kind) => {
    expect(await hashColumn(`n,${column}\n1,${value}\n2,\n`, column)).toEqual({
      code: 0,
      err: `redflag: 2 rows of ${kind}: 0 hashed, 1 empty, 1 left out (${counted}); --keep-all hashes those, too\n`,
      out: `n,${column}\n1,\n2,\n`,
    });
    expect(await hashColumn(`n,${column}\n1,${value}\n2,\n`, column, '--keep-all')).toEqual({
      code: 0,
      err: `redflag: 2 rows of ${kind}: 1 hashed, 1 empty\n`,
      out: `n,${column}\n1,${hashOf(value)}\n2,\n`,
    });
  });

  it.each([[['Straße', ';']], [['email', ',']], [['email', ';']]])(
    'a header in Latin-1 is named before all else: %j',
    async ([column, by]) => {
      const text = Buffer.from(`Stra\xdfe${by}n\n1${by}2\n`, 'latin1');
      expect(await hashColumn(text, String(column))).toMatchObject({
        code: 1,
        err: 'redflag: line 1 is not UTF-8: save as CSV UTF-8\n',
      });
    },
  );

  it('become canonical on request, and those that cannot are counted', async () => {
    const text = `phone\n+1 (555) 010-0199\n'+15550100199\n030/901820\n4.92E+11\n`;
    const e164 = hashOf('+15550100199');
    expect(await hashColumn(text, 'phone', '--canonical')).toEqual({
      code: 0,
      err: 'redflag: 4 rows of kind phone: 3 hashed (1 without the canonical form of their kind), 0 empty, 1 left out (1 damaged); --keep-all hashes those, too\n',
      out: `phone\n${e164}\n${e164}\n${hashOf('030901820')}\n\n`,
    });
    expect((await hashColumn(text, 'phone', '--canonical', '--country', 'de')).out).toBe(
      `phone\n${e164}\n${e164}\n${hashOf('+4930901820')}\n\n`,
    );
    expect((await hashColumn('email\nD.Ora+x@googlemail.com\n', 'email', '--canonical', '--mailbox')).out).toBe(
      `email\n${hashOf('dora@gmail.com')}\n`,
    );
  });

  it('with a column that the header lacks, the message names the delimiter that the header has', async () => {
    for (const [delimiter, shown] of [
      [';', "';'"],
      ['\t', "'\\t'"],
      ['|', "'|'"],
    ] as const) {
      const { code, err } = await hashColumn(`email${delimiter}name\na@example.com${delimiter}A\n`, 'email');
      expect({ code, err }).toEqual({
        code: 1,
        err: `redflag: --column names none of the file's 1 column; its header seems to separate cells by another character: use --delimiter ${shown}\n`,
      });
    }
    expect((await hashColumn('email,name\na@example.com,A\n', 'email', '--delimiter', ';')).err).toContain(
      "--delimiter ','",
    );
    for (const header of ['"email";"name"', 'email;"name"'])
      expect((await hashColumn(`${header}\na@example.com;A\n`, 'email')).err).toContain('use --delimiter, such as');
    expect((await hashColumn('a;b,c\n1,2\n', 'email')).err).toContain('--no-header');
  });

  it('with a column that the header lacks, the message names those of a header, and no values', async () => {
    expect((await hashColumn('E-Mail,Full name\na@example.com,A\n', 'email')).err).toBe(
      "redflag: --column names none of the file's 2 columns; the columns are E-Mail, Full name\n",
    );
    for (const row of ['carl@example.com,email', '+4930901820,phone', 'Carl,Smith', 'a\u202eb,email'])
      expect((await hashColumn(`${row}\n`, 'phone number')).err, row).toContain('for a file without a header');
    expect((await hashColumn('Email ,name\na@example.com,A\n', 'Email')).out).toBe(
      `Email ,name\n${hashOf('a@example.com')},A\n`,
    );
  });

  it("say that Excel's line for the separator is no header", async () => {
    for (const more of [[], ['--delimiter', ';'], ['--no-header']]) {
      const column = more.includes('--no-header') ? '1' : 'email';
      expect((await hashColumn('sep=;\r\nemail;n\r\na@example.com;1\r\n', column, ...more)).err).toContain(
        "line 1 is Excel's line for the separator, not a header; delete it and use --delimiter ';'",
      );
    }
  });
});

describe('one value in many rows', () => {
  const rows = (values: readonly string[]): string => `email\n${values.join('\n')}\n`;
  const customers = Array.from({ length: 3000 }, (_, n) => `c${n}@shop.example`);

  it('is counted', async () => {
    const { summary } = await run(rows(Array.from({ length: 300 }, () => 'till@shop.example')));
    expect(summary.frequent).toBe(300);
    const among = await run(rows([...customers, ...Array.from({ length: 300 }, () => 'Till@shop.example')]));
    expect(among.summary.frequent).toBeGreaterThan(296);
    expect(among.summary.frequent).toBeLessThan(301);
  });

  it('is no question for regular customers and small files', async () => {
    const regular = Array.from({ length: 100 }, () => 'c1@shop.example');
    expect((await run(rows([...customers, ...regular]))).summary.frequent).toBe(undefined);
    expect((await run(rows(regular.slice(81)))).summary.frequent).toBe(undefined);
  });
});
