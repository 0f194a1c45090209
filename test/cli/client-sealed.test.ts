import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openClientFolder } from '../../src/sealed/client/folder.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { verifyManifest } from '../../src/sealed/manifest.ts';
import { NO_HISTORY } from '../../src/sealed/history.ts';
import { useFolder } from '../folder.ts';
import { listenOn, type Listening } from '../http/listening.ts';
import { hashFor, HOUR } from '../sealed/client/operator.ts';
import { API_KEY, refusal, TestService } from '../sealed/client/service.ts';
import { relayTo } from '../sealed/client/relay.ts';
import { runCli } from './in-process.ts';

const EMAIL = hashFor('email');
const folder = useFolder('client-sealed');
const service = new TestService();
const { operator } = service;
let server: Listening;
let env: Record<string, string>;
let key: string;

beforeAll(async () => {
  server = await listenOn(relayTo(service));
  env = { REDFLAG_URL: server.origin, REDFLAG_API_KEY: API_KEY };
  key = toBase64Url(operator.operatorKey);
});
afterAll(() => server.close());
beforeEach(() => {
  // The command reads the clock of the machine.
  operator.now = Date.now();
  const times = { startsAt: operator.now - HOUR * 100, endsAt: operator.now + 100 * HOUR };
  operator.keys = { ...operator.keys, epochs: [{ ...operator.keys.epochs[0]!, ...times }] };
  operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  const seconds = Math.floor(operator.now / 1000) - 3600;
  const identifiers = [{ kind: 'email', hash: EMAIL }];
  operator.reports = [{ id: 1, reporter: 1, type: 'fraud', severity: 8, seconds, disputed: false, identifiers }];
  operator.publish();
  service.before = undefined;
  service.isAway = false;
  service.seen.length = 0;
});

/** Runs `redflag client query --sealed`, which shows neither hash nor key. */
async function query(...args: readonly string[]): ReturnType<typeof runCli> {
  const answer = await runCli(['client', 'query', '--sealed', '--hashed', ...args], { env });
  for (const secret of [EMAIL, API_KEY]) expect(answer.out + answer.err).not.toContain(secret);
  return answer;
}

describe('redflag client query --sealed', () => {
  it('answers from a folder, and evaluates once', async () => {
    const args = [`--operator-key=${key}`, '--folder', join(folder, 'kept'), `email=${EMAIL}`];
    const first = await query(...args);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^Points: \d+\nReported: 1\nReliability: \d\.\d of 10\nAs of: \S+Z\n$/);
    service.seen.length = 0;
    expect(await query(...args)).toEqual(first);
    expect(service.seen.map(({ path }) => path)).toEqual(['manifest']);
    // A report that was published meanwhile counts.
    const [report] = operator.reports;
    operator.reports = [report!, { ...report!, id: 2 }];
    operator.publish();
    expect((await query(...args)).out).toContain('Reported: 2\n');
    expect(await readFile(join(folder, 'kept', 'state'), 'latin1')).not.toContain(EMAIL);
    service.isAway = true;
    const unknown = await query(...args.slice(0, -1), `email=${hashFor('new')}`);
    expect(unknown).toEqual({ code: 3, out: 'Unknown: the service does not evaluate identifiers now.\n', err: '' });
  });

  it('says that nothing matches, and prints JSON', async () => {
    const args = [`--operator-key=${key}`, '--folder', join(folder, 'clean')];
    expect((await query(...args, `email=${hashFor('clean')}`)).out).toMatch(/^No matches\.\nAs of: \S+\n$/);
    const { out } = await query(...args, `email=${EMAIL}`, '--json');
    expect(JSON.parse(out)).toMatchObject({ answer: 'score', reported: 1 });
  });

  it('says when nothing could be asked, or the rows are too old', async () => {
    const args = [`--operator-key=${key}`, `email=${EMAIL}`, '--folder'];
    service.before = (path) =>
      path === 'evaluate' ? refusal(429, 'rate-limited', { 'Retry-After': '90' }) : undefined;
    expect(await query(...args, join(folder, 'limited'))).toEqual({
      code: 3,
      out: 'Unknown: a limit of the service is used up; try again in 90 seconds.\n',
      err: '',
    });
    operator.now -= 49 * HOUR;
    const manifest = operator.publish();
    const { sequence, issuedAt } = manifest;
    const kept = await openClientFolder(join(folder, 'stale'));
    const { bytes, signature } = operator.signed!;
    const { seen } = verifyManifest(bytes, signature, { operatorKey: operator.operatorKey, now: issuedAt });
    await kept.accept(manifest, seen, false);
    await kept.keepRows(manifest, operator.files.get(`1/${sequence}`)!, false);
    service.isAway = true;
    expect(await query(...args, join(folder, 'stale'))).toEqual({
      code: 4,
      out: `Stale: the rows are of ${new Date(issuedAt).toISOString()}, and there are no newer ones.\n`,
      err: '',
    });
  });

  it('refuses a manifest that goes back, in another run, and a wrong key of the folder', async () => {
    const keyFile = join(folder, 'own.key');
    const kept = ['--folder', join(folder, 'seen'), '--folder-key-file', keyFile];
    const args = [`--operator-key=${key}`, ...kept, `email=${EMAIL}`];
    const first = operator.signed;
    operator.publish();
    expect(await query(...args)).toMatchObject({ code: 0 });
    operator.signed = first;
    const err = 'redflag: the manifest is older than an accepted one; fetch a new one\n';
    expect(await query(...args)).toEqual({ code: 1, out: '', err });
    await writeFile(keyFile, 'x');
    expect(await query(...args)).toEqual({
      code: 2,
      out: '',
      err: 'redflag: --folder-key-file expected a file with 64 hex characters\n',
    });
    await writeFile(keyFile, 'ab'.repeat(32));
    expect((await query(...args)).err).toMatch(/^redflag: the state of the folder is damaged, or has another key/);
  });

  it('fails on what was tampered with, and on a wrong key', async () => {
    const args = ['--folder', join(folder, 'tampered'), `email=${EMAIL}`];
    expect(await query(`--operator-key=${toBase64Url(new Uint8Array(32).fill(9))}`, ...args)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: the signature is not of these bytes under the key of the operator; see --operator-key\n',
    });
    service.before = (path) => (path === 'evaluate' ? refusal(401, 'unauthorised') : undefined);
    expect(await query(`--operator-key=${key}`, ...args)).toMatchObject({
      code: 1,
      err: 'redflag: the service refused the API key, or its scope (status 401); see REDFLAG_API_KEY or --key-file\n',
    });
    expect(
      await query(`--operator-key=${key}`, `--evaluator-key=${toBase64Url(new Uint8Array(32).fill(9))}`, ...args),
    ).toEqual({ code: 1, out: '', err: 'redflag: the manifest names another evaluator; see --evaluator-key\n' });
  });

  it.each([
    [['--folder', join(folder, 'x'), `email=${EMAIL}`], '--sealed expects --operator-key'],
    [
      ['--operator-key', 'x', '--folder', join(folder, 'x'), '--most-rows=0', `email=${EMAIL}`],
      '--most-rows expects a whole number from 1 to 4294967295',
    ],
    [
      ['--operator-key', 'x', '--folder', join(folder, 'x'), `email=${EMAIL}`],
      '--operator-key expected 43 characters of base64url, or their 32 bytes',
    ],
    [
      ['--operator-key', 'A'.repeat(43), '--evaluator-key', 'x', '--folder', join(folder, 'x'), `email=${EMAIL}`],
      '--evaluator-key expected 43 characters of base64url, or their 32 bytes',
    ],
    [['--dialect', 'classic', `email=${EMAIL}`], '--dialect does not belong to client query --sealed'],
  ])('refuses %j', async (args, message) => {
    expect(await query(...args)).toEqual({ code: 2, out: '', err: `redflag: ${message}\n` });
  });

  it('is a form of query, watch, ping and report', async () => {
    const sealed = await runCli(['client', 'show', '--sealed', 'x'], { env });
    expect(sealed).toMatchObject({
      code: 2,
      err: 'redflag: --sealed belongs to client query, watch, ping and report\n',
    });
    const plain = await runCli(['client', 'ping', '--folder', join(folder, 'x')], { env });
    expect(plain).toMatchObject({
      code: 2,
      err: 'redflag: --folder belongs to client query --sealed, watch --sealed, ping --sealed and report --sealed\n',
    });
  });
});

describe('redflag client watch --sealed', () => {
  const list = join(folder, 'customers');
  const watch = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCli(['client', 'watch', '--sealed', `--operator-key=${key}`, '--folder', join(folder, 'watch'), list, ...args], {
      env,
    });

  it('prints who rose and fell since the last run, and what is not scored', async () => {
    await writeFile(list, `4711 email=${EMAIL}\n\n4712 phone=${hashFor('x')} email=${hashFor('y').toUpperCase()}\n`);
    const first = await watch('--threshold=10');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^Rose: 4711, \d+ points, 1 report\nAs of: \S+Z\nComplete\.\n$/);
    expect((await watch('--threshold=10')).out).toMatch(/^As of: \S+Z\nComplete\.\n$/);
    operator.reports = [];
    operator.publish();
    await writeFile(list, `4711 email=${EMAIL}\n4713 email=${hashFor('new')}\n`);
    service.before = (path) =>
      path === 'evaluate' ? refusal(429, 'rate-limited', { 'Retry-After': '3600' }) : undefined;
    const partial = await watch('--threshold=10');
    expect(partial).toMatchObject({ code: 5, err: '' });
    expect(partial.out).toMatch(
      /^Fell: 4711, 0 points, 0 reports\nAs of: \S+Z\nPartial: 1 customer not scored yet\. Unknown: a limit .*\n$/,
    );
    const json = JSON.parse((await watch('--threshold=10', '--json')).out) as unknown;
    expect(json).toMatchObject({ answer: 'partial', rose: [], fell: [], unscored: 1 });
    await writeFile(list, `4713 email=${hashFor('new')}\n`);
    expect(await watch()).toMatchObject({ code: 3 });
  });

  it.each([
    ['', 'client watch expects a file with at least one customer'],
    ['4711', 'line 1 expects a name and 1 to 32 hashes, such as email=HASH'],
    [`a email=${EMAIL}\na ip=${EMAIL}`, 'line 2 expects a name that no other line has'],
    ['4711 email=client@example.com', 'line 1 expects hashes of 40 hex characters, such as email=HASH'],
  ])('refuses the file %j', async (content, message) => {
    await writeFile(list, content);
    expect(await watch()).toEqual({ code: 2, out: '', err: `redflag: ${message}\n` });
  });
});

describe('redflag client ping --sealed', () => {
  const ping = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCli(['client', 'ping', '--sealed', `--operator-key=${key}`, ...args], { env });

  it('prints what two clients compare, and refuses another world until it is told', async () => {
    const replica = ['--folder', join(folder, 'compared')];
    const { code, out, err } = await ping(...replica);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Link: [0-9a-f]{64}\nSequence: \d+ of epoch 1\nAs of: \S+Z\n$/);
    // Another shop.
    const other = (name: string) => ['--folder', join(folder, name)];
    expect(await ping(...other('other'))).toEqual({ code, out, err });
    // Another world.
    operator.history = NO_HISTORY;
    operator.publish();
    const refused = await ping(...replica);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(
      /^redflag: the manifest does not continue .* with another client; see --accept-link\n$/,
    );
    expect((await query(...replica, `--operator-key=${key}`, `email=${EMAIL}`)).err).toBe(refused.err);
    const { link } = JSON.parse((await ping('--json', ...other('new'))).out) as { link: string };
    expect(await ping(...replica, '--accept-link', link)).toMatchObject({ code: 0 });
    expect(await ping(...replica)).toMatchObject({ code: 0 });
    expect(await ping('--accept-link', 'x', ...replica)).toMatchObject({
      code: 2,
      err: 'redflag: --accept-link expected 64 lowercase hex characters\n',
    });
  });
});

describe('redflag client report --sealed', () => {
  let run = 0;
  const REPORT = ['--type', 'fraud', '--severity', '8', '--text', 'Did not pay.', `email=${EMAIL}`];
  const report = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCli(['client', 'report', '--sealed', '--hashed', '--folder', join(folder, `report ${run++}`), ...args], { env });

  it('sends pseudonyms, and prints the deletion code', async () => {
    const { code, out, err } = await report(`--operator-key=${key}`, ...REPORT);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Reported\.\nDeletion code: [0-9a-f]{16}\n$/);
    const sent = service.seen.find(({ path }) => path === 'report')!;
    expect(sent.body).not.toContain(EMAIL);
  });

  it('says when the report may have been stored', async () => {
    service.before = (path) => (path === 'report' ? refusal(503, 'unavailable') : undefined);
    const { code, err } = await report(`--operator-key=${key}`, ...REPORT);
    expect(code).toBe(1);
    expect(err).toMatch(/^redflag: .*; the report may have been stored\n$/);
  });

  it('does not say so if nothing was sent', async () => {
    for (const stage of ['manifest', 'evaluate']) {
      service.before = (path) => (path === stage ? refusal(503, 'unavailable') : undefined);
      const { code, err } = await report(`--operator-key=${key}`, ...REPORT);
      expect(code).toBe(1);
      expect(err).toMatch(/^redflag: /);
      expect(err).not.toContain('may have been stored');
      expect(service.seen.map(({ path }) => path)).not.toContain('report');
    }
  });

  it.each([
    [REPORT, '--sealed expects --operator-key'],
    [['--operator-key', 'x', ...REPORT.slice(2)], 'client report expects --type'],
  ])('refuses %j', async (args, message) => {
    expect(await report(...args)).toEqual({ code: 2, out: '', err: `redflag: ${message}\n` });
  });
});
