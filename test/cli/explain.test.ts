import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { explain } from '../../src/service/cli/commands/explain.ts';
import type { QueryExplanation } from '../../src/operator.ts';
import { EVERY_WAY, EMAIL, openOperatorFolder, verdictOf, type OperatorFolder } from './operator-folder.ts';

const PHONE = 'b2'.repeat(20);

describe.each(EVERY_WAY)('redflag explain, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  const json = async (...args: string[]) =>
    JSON.parse((await open.run('explain', ...args, '--json')).out) as QueryExplanation;
  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
    await open.report({ _text: 'Nobody’s business', phone: PHONE });
  });
  afterAll(() => open.close());

  it('says in sentences what a query answers, and shows no hash and no text', async () => {
    const { code, out, err } = await open.run('explain', `email=${EMAIL}`, `phone=${PHONE.toUpperCase()}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { points, reliability } = verdictOf((await open.ask({ _action: 'query', email: EMAIL, phone: PHONE })).body);
    expect(out).toMatch(
      new RegExp(
        `^${points} points \\([\\d.]+ before rounding\\), 1 report of 1 organisation, reliability ${reliability.toFixed(1)} `,
      ),
    );
    expect(out).toContain('First reporter (verified, ');
    for (const secret of [EMAIL, PHONE, 'business', open.apiKey]) expect(out.toLowerCase()).not.toContain(secret);
    expect(await open.run('explain', 'c'.repeat(40))).toEqual({ code: 0, out: 'No report matches.\n', err: '' });
  });

  it('gives programs all of it', async () => {
    const { body } = await open.ask({ _action: 'query', email: EMAIL });
    const explained = await json(`email=${EMAIL}`);
    expect(explained.verdict).toEqual(verdictOf(body));
    expect(explained).toMatchObject({
      model: expect.stringMatching(/^link-claim\//),
      identifiers: [{ kind: 'email' }],
      protected: [],
      upheldDisputes: 0,
      deletedSince: 0,
      asOf: expect.any(Number),
    });
    expect(Object.values(explained.names)).toEqual(['First reporter']);
    expect(JSON.stringify(explained)).not.toContain(EMAIL);
  });

  it('takes a bare hash for the kind other, and a number at the end of a kind off', async () => {
    const bare = await json(EMAIL);
    expect(bare.verdict).toEqual((await json(`other=${EMAIL}`)).verdict);
    expect(bare.verdict.points).toBeLessThan((await json(`email2=${EMAIL}`)).verdict.points);
    expect((await json(`email2=${EMAIL}`)).verdict).toEqual((await json(`email=${EMAIL}`)).verdict);
  });

  it('answers for an earlier moment', async () => {
    expect((await open.run('explain', EMAIL, '--as-of', '2020-01-01')).out).toBe('No report matches.\n');
    const now = new Date().toISOString();
    expect(await json(`email=${EMAIL}`, '--as-of', now)).toMatchObject({
      asOf: Date.parse(now),
      verdict: { reported: 1 },
    });
  });

  it('leaves out what is on the allow-list and what was found wrong, and says so', async () => {
    const reportId = await open.report({ email: 'd4'.repeat(20) });
    await open.run('disputes', 'open', reportId, '--reason', 'r');
    expect((await open.run('explain', `email=${'d4'.repeat(20)}`)).out).toContain('under dispute');
    await open.run('disputes', 'uphold', reportId);
    expect((await open.run('explain', `email=${'d4'.repeat(20)}`)).out).toBe(
      'No report matches.\n1 report was left out because the operator found it wrong.\n',
    );
    await open.run('allow', 'add', PHONE, '--reason', 'Two\nlines');
    expect((await open.run('explain', `phone=${PHONE}`)).out).toBe(
      'No report matches.\nAn identifier (phone) is on the allow-list and was left out: Two lines.\n',
    );
  });

  it('says no in a line and ends with 1', async () => {
    const many = Array.from({ length: 33 }, (__, n) => n.toString(16).padStart(40, '0'));
    expect(await open.run('explain', ...many)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: More than 32 identifiers were sent.\n',
    });
    expect(await open.run('explain', '1419ad7330f8c784a57d9713a4f99fcbe66fdcea')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: At least one hashed identifier is needed.\n',
    });
  });
});

describe('redflag explain', () => {
  const hash = 'a'.repeat(40);
  it.each([
    [[], 'explain expects at least one hash'],
    [['client@secret.example'], 'value 1 must be a hash of 40 hex characters'],
    [[hash, 'email=client@secret.example'], 'value 2 must be a hash of 40 hex characters'],
    [[`E-Mail=${hash}`], 'value 1 must be a hash'],
    [[`=${hash}`], 'value 1 must be a hash'],
    [[`email=${hash}=`], 'value 1 must be a hash'],
    [[`${hash}0`], 'value 1 must be a hash'],
    [[hash, '--as-of', 'yesterday'], '--as-of expects a day as in'],
    [[hash, '--as-of', '2999-01-01'], '--as-of expects a time in the past'],
    [['--secret@example'], 'unknown option; put -- before a value that begins with a hyphen'],
  ])('%j is refused, and no value is shown', async (args, message) => {
    const refused = explain.run(['--data', '/dev/null/data', ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('example');
    await expect(refused).rejects.not.toThrow(hash);
  });
});
