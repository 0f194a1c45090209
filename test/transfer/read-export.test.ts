import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EXPORT_SCHEMA } from '../../src/core/store/sql/schema.ts';
import { copyRows } from '../../src/stores/transfer/copy-rows.ts';
import { readExport } from '../../src/stores/transfer/read-export.ts';
import { createMemoryStore } from '../memory-store.ts';

const HEAD = `{"redflag":"export","format":1,"schema":${EXPORT_SCHEMA},"at":"2026-01-02T03:04:05.678Z","secret":"0123456789abcdef","peppers":[]}`;
const KEYS = { secret: '0123456789abcdef', peppers: [] };
const ID = '00000000000000aa';
const REPORTER = `{"table":"reporter","row":{"reporter_id":"${ID}","name":"Shop","verified":1,"suspended":0,"created_at":5,"identifiers_per_day":null,"contact":null}}`;
const reporter = (changes: object): string =>
  JSON.stringify({ table: 'reporter', row: { ...JSON.parse(REPORTER).row, ...changes } });

/** Returns an export with a correct last line, for any lines. */
function sealed(...lines: string[]): string {
  const body = lines.map((line) => `${line}\n`).join('');
  const rows: Record<string, number> = {};
  for (const line of lines.slice(1)) {
    const table = /^\{"table":"(\w+)"/.exec(line)?.[1] ?? '?';
    rows[table] = (rows[table] ?? 0) + 1;
  }
  return `${body}{"redflag":"end","rows":${JSON.stringify(rows)},"sha256":"${createHash('sha256').update(body).digest('hex')}"}\n`;
}

async function take(text: string | Buffer): Promise<unknown> {
  const store = await createMemoryStore();
  try {
    return await copyRows(
      readExport(async function* () {
        yield text;
      }),
      store,
      KEYS,
    );
  } catch (error) {
    expect(await store.count()).toMatchObject({ reports: 0, reporters: 0 });
    throw error;
  }
}

describe('an export', () => {
  it('has a first line, rows, and a last line with their number and digest', async () => {
    expect(await take(sealed(HEAD, REPORTER))).toMatchObject({ added: 1, rows: { reporter: 1, report: 0 } });
    expect(await take(sealed(HEAD))).toMatchObject({ added: 0 });
    // The order of columns does not matter.
    expect(
      await take(
        sealed(
          HEAD,
          `{"row":{"identifiers_per_day":null,"contact":null,"name":"Shop","created_at":5,"suspended":0,"verified":1,"reporter_id":"${ID}"},"table":"reporter"}`.replace(
            /^(\{)("row":.*),("table":"reporter")\}$/,
            '$1$3,$2}',
          ),
        ),
      ),
    ).toMatchObject({ added: 1 });
  });

  it.each<[string, string | Buffer, number, string]>([
    ['an empty file', '', 1, 'the file is empty'],
    ['text', 'hello\n', 1, 'the line is not a JSON object'],
    ['other JSON', '{"a":1}\n', 1, 'the file is not an export of redflag'],
    [
      'a later format',
      sealed(HEAD.replace('"format":1', '"format":2')),
      1,
      'this program reads export format 1, but the file has another one; use the version of redflag that wrote the file',
    ],
    [
      'a head without a field',
      sealed(HEAD.replace(',"peppers":[]', '')),
      1,
      'the first line is not the header of an export',
    ],
    [
      'a head with another field',
      sealed(HEAD.replace('}', ',"x":1}')),
      1,
      'the first line is not the header of an export',
    ],
    [
      'a head with a wrong fingerprint',
      sealed(HEAD.replace('0123456789abcdef', 'x')),
      1,
      'the first line is not the header of an export',
    ],
    ['a byte order mark', `\ufeff${sealed(HEAD)}`, 1, 'the line is not a JSON object'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(`${HEAD}\n`), Buffer.from([0x22, 0xff, 0x0a])]),
      2,
      'the line is not UTF-8',
    ],
    ['a line that is not a row', sealed(HEAD, '[]'), 2, 'the line is not a JSON object'],
    [
      'a row with another field',
      sealed(HEAD, REPORTER.replace('{"table"', '{"x":1,"table"')),
      2,
      'the line is not a row of a table',
    ],
    [
      'an unknown table',
      sealed(HEAD, '{"table":"person","row":{}}'),
      2,
      'the table of the row is unknown or out of order',
    ],
    [
      'a table that is learnt',
      sealed(HEAD, '{"table":"trust_record","row":{}}'),
      2,
      'the table of the row is unknown or out of order',
    ],
    [
      'tables in another order',
      sealed(
        HEAD,
        REPORTER,
        `{"table":"pepper","row":{"generation":1,"fingerprint":"${ID}","added_at":1,"finished_at":null}}`,
      ),
      3,
      'the table of the row is unknown or out of order',
    ],
    [
      'a missing column',
      sealed(HEAD, reporter({ name: undefined })),
      2,
      'the row does not have the columns of reporter',
    ],
    [
      'another column',
      sealed(HEAD, reporter({ name: undefined, nome: 'x' })),
      2,
      'the row does not have the columns of reporter',
    ],
    [
      'a text far above every bound',
      sealed(HEAD, reporter({ name: 'n'.repeat(1_000_001) })),
      2,
      'reporter.name is not text without control characters, of a million characters at most',
    ],
    [
      'a number for text',
      sealed(HEAD, reporter({ name: 5 })),
      2,
      'reporter.name is not text without control characters, of a million characters at most',
    ],
    [
      'null in a column without null',
      sealed(HEAD, reporter({ name: null })),
      2,
      'reporter.name is not text without control characters, of a million characters at most',
    ],
    [
      'half a surrogate pair',
      sealed(HEAD, reporter({ name: 'a\ud800' })),
      2,
      'reporter.name is not text without control characters, of a million characters at most',
    ],
    [
      'too many bytes',
      sealed(HEAD, reporter({ reporter_id: `${ID}00` })),
      2,
      'reporter.reporter_id is not 8 bytes as lowercase hex',
    ],
    [
      'upper-case hex',
      sealed(HEAD, reporter({ reporter_id: ID.toUpperCase() })),
      2,
      'reporter.reporter_id is not 8 bytes as lowercase hex',
    ],
    [
      'a moment after all dates',
      sealed(HEAD, reporter({ created_at: 8.64e15 + 5 })),
      2,
      'reporter.created_at is not milliseconds of a date',
    ],
    [
      'a command for a terminal',
      sealed(HEAD, reporter({ name: 'a\u001b[2J' })),
      2,
      'reporter.name is not text without control characters, of a million characters at most',
    ],
    [
      'an override of direction',
      sealed(HEAD, reporter({ name: 'a\u202e' })),
      2,
      'reporter.name is not text without control characters, of a million characters at most',
    ],
    [
      'a broken number',
      sealed(HEAD, reporter({ created_at: 1.5 })),
      2,
      'reporter.created_at is not milliseconds of a date',
    ],
    ['a list', sealed(HEAD, reporter({ created_at: [1] })), 2, 'reporter.created_at is not milliseconds of a date'],
    [
      'a row twice',
      sealed(HEAD, REPORTER, REPORTER),
      3,
      'the rows of reporter are out of order; the file was changed: export again',
    ],
    [
      'rows in another order',
      sealed(HEAD, REPORTER, reporter({ reporter_id: '0000000000000001', name: 'B' })),
      3,
      'the rows of reporter are out of order; the file was changed: export again',
    ],
    [
      'other peppers than its head names',
      sealed(HEAD, `{"table":"pepper","row":{"generation":1,"fingerprint":"${ID}","added_at":1,"finished_at":null}}`),
      1,
      'the peppers in the header differ from the rows of the table pepper; export again',
    ],
    ['no last line', `${HEAD}\n${REPORTER}\n`, 3, 'the file is cut off: its last line is missing; export again'],
    ['half a last line', sealed(HEAD, REPORTER).slice(0, -20), 3, 'the line is cut off; export again'],
    ['no last line end', sealed(HEAD, REPORTER).slice(0, -1), 3, 'the line is cut off; export again'],
    [
      'a missing row',
      sealed(HEAD, REPORTER).replace(`${REPORTER}\n`, ''),
      2,
      'the last line does not match the lines before it: the file was changed; export again',
    ],
    [
      'a changed row',
      sealed(HEAD, REPORTER).replace('Shop', 'Shup'),
      3,
      'the last line does not match the lines before it: the file was changed; export again',
    ],
    ['a line after its end', `${sealed(HEAD, REPORTER)}${REPORTER}\n`, 4, 'the file continues after its last line'],
  ])('with %s is refused', async (_, text, line, problem) => {
    await expect(take(text)).rejects.toMatchObject({ name: 'ExportError', line, message: `line ${line}: ${problem}` });
  });
});
