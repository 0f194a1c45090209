import { chmod, copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealedClient, type SealedClient, type SealedClientOptions } from '../../src/sealed.ts';
import { SealedError } from '../../src/sealed/errors.ts';
import { openClientFolder } from '../../src/sealed/client/folder.ts';
import { isLong } from '../budget.ts';
import { eventually } from '../eventually.ts';
import { useFolder } from '../folder.ts';
import { clockAhead } from './clock-ahead.ts';
import { runCli as runHere } from './in-process.ts';
import { logOf, post, runCli as runBuilt, startEvaluator, startService, type RunningService } from './service.ts';

/** Commands run in this process, or as the built program does in a long run. */
const runCli = isLong ? runBuilt : runHere;

const root = useFolder('evaluator');
const path = (name: string): string => join(root, name);
const [E, DATA, ACCESS] = [path('e'), path('data'), path('e/for-operator')];
const HASH = 'ab'.repeat(20);
const OTHER = 'cd'.repeat(20);
const identifiers = [{ kind: 'email', hash: HASH }];
const refusedInit = (...args: string[]) => runCli(['sealed', 'init', '--data', DATA, ...args]);

let evaluator: Awaited<ReturnType<typeof startEvaluator>>;
let service: RunningService;
let apiKey: string;
let operatorKey: string;
let evaluatorKey: string;
let daily = '1000';
/** The port stays, so that the operator finds the evaluator again. */
let port = '0';

async function startAgain(): Promise<void> {
  evaluator = await startEvaluator(['--data', E, '--port', port, '--daily', daily]);
  port = new URL(evaluator.url).port;
}

const MINUTE_MS = 60_000;
const state = { starts: 0 };

/** Starts the service, which publishes then. The clock of each start is a minute ahead of that of the start before. */
async function serve(): Promise<void> {
  const ahead = MINUTE_MS * state.starts++;
  const since = Date.now() + ahead;
  service = await startService(['--data', DATA], { env: clockAhead(ahead) });
  await eventually(async () => {
    const { issuedAt } = (await (await fetch(at('/sealed/manifest'))).json()) as { issuedAt: number };
    expect(issuedAt).toBeGreaterThanOrEqual(since);
  });
}

const manifestOf = async () => (await (await fetch(at('/sealed/manifest'))).json()) as { sequence: number };

const at = (below: string): string => service.apiUrl.replace(/\/api\/$/, below);

function client(more: Partial<SealedClientOptions> = {}): SealedClient {
  return createSealedClient({ baseUrl: at(''), apiKey, operatorKey, evaluatorKey, ...more });
}

beforeAll(async () => {
  const made = await runCli(['evaluator', 'init', '--data', E]);
  expect(made).toMatchObject({ code: 0, err: '' });
  evaluatorKey = /^Public key, for clients: (\S{43})$/m.exec(made.out)![1]!;
  await startAgain();
});
afterAll(async () => {
  await service?.stop('SIGKILL');
  await evaluator?.stop('SIGKILL');
});

describe('redflag evaluator', () => {
  it('has private files, and is created once', async () => {
    for (const name of ['evaluator-keys', 'for-operator', 'signed'])
      expect((await stat(join(E, name))).mode & 0o777).toBe(0o600);
    const again = await runCli(['evaluator', 'init', '--data', E]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists') as string });
    expect(await runCli(['evaluator', '--data', E, '--port', '0'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('in use') as string,
    });
    expect(await runCli(['evaluator', '--data', path('none')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('run redflag evaluator init') as string,
    });
    expect(await runCli(['evaluator', '--data', E, '--host', '0.0.0.0'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--plain-http') as string,
    });
    for (const health of ['/healthz', '/readyz']) expect((await fetch(`${evaluator.url}${health}`)).status).toBe(200);
    for (const nothing of ['/', '/api/', '/sealed/manifest', '/report/x'])
      expect((await fetch(`${evaluator.url}${nothing}`)).status).toBe(404);
    expect((await fetch(`${evaluator.url}/evaluate`, { method: 'POST' })).status).toBe(401);
  });
});

describe('redflag sealed init --evaluator', () => {
  it('refuses a wrong evaluator, a public file and a store with reports', async () => {
    const named = ['--evaluator', evaluator.url, '--evaluator-file'];
    expect(await refusedInit('--evaluator', evaluator.url)).toMatchObject({ code: 2 });
    expect(await refusedInit(...named, path('none'))).toMatchObject({ code: 1 });
    expect((await refusedInit(...named, join(E, 'evaluator-keys'))).err).toContain('another content');
    await copyFile(ACCESS, path('public'));
    await chmod(path('public'), 0o644);
    expect((await refusedInit(...named, path('public'))).err).toContain('chmod 600');
    const wrong = (await readFile(ACCESS, 'utf8')).replace(/"token":"./, '"token":"_');
    await writeFile(path('wrong'), wrong, { mode: 0o600 });
    expect((await refusedInit(...named, path('wrong'))).err).toContain('refuses the token');
    expect((await refusedInit('--evaluator', 'http://127.0.0.1:9', '--evaluator-file', ACCESS)).err).toContain(
      'the evaluator does not answer',
    );
    const used = path('used');
    const before = await startService(['--data', used]);
    const fields = { _type: 'fraud', _value: '5', _text: 'Not paid.', email: HASH };
    await post(before, { _action: 'report', _api: before.apiKey!, ...fields });
    const init = ['sealed', 'init', '--data', used, ...named, ACCESS];
    expect((await runCli(init)).err).toContain('stop redflag serve first');
    await before.stop('SIGTERM');
    expect((await runCli(init)).err).toContain('hashes this operator has seen');
    expect((await readdir(`${used}-keys`)).sort()).not.toContain('sealed-keys');
    // A service that was started without the keys, and took a report meanwhile, does not start with them.
    const init2 = await refusedInit(...named, ACCESS);
    expect(init2).toMatchObject({ code: 0, err: '' });
    expect(init2.out).toMatch(/start or restart redflag serve\.\nRemove the file of --evaluator-file/);
    await copyFile(`${DATA}-keys/sealed-keys`, `${used}-keys/sealed-keys`);
    await expect(startService(['--data', used])).rejects.toThrow('hashes this operator has seen');
  });

  it('lets the service start, and status shows the evaluator', async () => {
    await serve();
    ({ apiKey = '' } = service);
    const { out } = await runCli(['sealed', 'status', '--json', '--data', DATA]);
    const status = JSON.parse(out) as { operatorKey: string; evaluator: object };
    ({ operatorKey } = status);
    expect(status.evaluator).toEqual({ url: evaluator.url, publicKey: evaluatorKey });
    const text = await runCli(['sealed', 'status', '--data', DATA]);
    expect(text.out).toContain(`Evaluator: ${evaluator.url}, public key ${evaluatorKey}\n`);
    const token = (JSON.parse(await readFile(ACCESS, 'utf8')) as { token: string }).token;
    expect(out + text.out + service.output.err + evaluator.output.err).not.toContain(token);
  });
});

describe('a service with a separate evaluator', () => {
  let code: string;

  it('takes a sealed report, and answers alike as the operator explains', async () => {
    const draft = { type: 'fraud', severity: 8, text: 'The goods were not paid.', identifiers };
    code = (await client().report(draft)).deletionCode;
    await service.stop('SIGTERM');
    await serve();
    const answer = await client({ folder: await openClientFolder(path('client')) }).query(identifiers);
    if (answer.answer !== 'score') throw new Error(answer.answer);
    expect(answer.reported).toBe(1);
    const { out } = await runCli(['explain', `email=${HASH}`, '--json', '--data', DATA]);
    expect(out).toContain(`"points":${answer.points},"reported":1`);
    expect((await client().query([{ kind: 'email', hash: OTHER }])) as object).toMatchObject({ reported: 0 });
  });

  it('takes no hashes over HTTP, and answers all else', async () => {
    const fields = { _api: apiKey, email: HASH };
    const report = { _action: 'report', _type: 'fraud', _value: '5', _text: 'Not paid.', ...fields };
    const body = 'ERROR: This service takes no hashes. Report and query with a client of its sealed protocol.';
    for (const form of [{ _action: 'query', ...fields }, report, { ...report, _value: 'x' }])
      expect(await post(service, form)).toMatchObject({ status: 400, body });
    expect((await fetch(at('/dispute'), { headers: { Accept: 'text/html' } })).status).toBe(404);
    // Nor by the panel, whose pages hash.
    const { out } = await runCli(['panel', 'link', '--data', DATA, '--reporter', 'First reporter', '--by', 'Ada']);
    const [link = ''] = /http\S+\/panel\/sign-in\/\w+/.exec(out) ?? [];
    const sent = { method: 'POST', redirect: 'manual', headers: { origin: new URL(link).origin } } as const;
    const signedIn = await fetch(link, { ...sent, body: new URLSearchParams() });
    const home = new URL(signedIn.headers.get('location')!, link).href;
    const headers = { ...sent.headers, cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
    const [, token = ''] = /value="look-up"\/><input type="hidden" name="token" value="([^"]+)"/.exec(
      await (await fetch(home, { headers })).text(),
    )!;
    const asked = new URLSearchParams({ do: 'look-up', token, identifiers: `email=${HASH}` });
    expect(await (await fetch(home, { ...sent, headers, body: asked })).text()).toContain('takes no hashes');
    for (const page of ['/healthz', '/readyz', '/', '/openapi.json'])
      expect((await fetch(at(page), { headers: { Accept: 'text/html' } })).status, page).toBe(200);
    expect(await post(service, { _action: 'delete', _api: apiKey, _code: code })).toMatchObject({ status: 200 });
    expect(await post(service, { _action: 'delete', _api: apiKey, _code: code })).toMatchObject({ status: 409 });
    const { out: left } = await runCli(['explain', `email=${HASH}`, '--json', '--data', DATA]);
    expect(left).toContain('"reported":0');
  });

  it('runs the commands that take a hash, in the service and without it', async () => {
    const run = (...args: string[]) => runCli([...args, '--data', DATA]);
    expect(await run('allow', 'add', OTHER, '--reason', 'A shared address')).toMatchObject({ code: 0, err: '' });
    await service.stop('SIGTERM');
    expect((await run('allow', 'add', OTHER, '--reason', 'Again')).err).toContain('already on the allow list');
    const erased = await run('erase', '--hash', HASH, '--hash', OTHER, '--out', path('receipt'));
    expect(erased).toMatchObject({ code: 0, err: '' });
    await serve();
  });

  it('answers 503 without its evaluator, and never falls back', async () => {
    const prepared = client();
    await prepared.prepare(identifiers);
    await evaluator.stop('SIGKILL');
    const asked = client();
    expect(await asked.query(identifiers)).toEqual({ answer: 'unknown', why: 'no-evaluation', retryAfterSeconds: 5 });
    expect(await prepared.query(identifiers)).toMatchObject({ answer: 'score' });
    expect(await runCli(['allow', 'add', HASH, '--reason', 'x', '--data', DATA])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^redflag: the evaluator does not answer; start it, or check its address: fetch failed: [^:]*ECONNREFUSED[^\n]*\n$/,
      ) as string,
    });
    const failed = logOf(service).filter(({ event }) => event === 'evaluator-failed');
    expect(failed[0]).toMatchObject({ level: 'error' });
    expect(JSON.stringify(logOf(service))).not.toContain(HASH);
    await startAgain();
    expect(await asked.query(identifiers)).toMatchObject({ answer: 'score', reported: 0 });
  });

  it('does not publish what the evaluator does not sign, says so, and evaluates meanwhile', async () => {
    const before = await manifestOf();
    await evaluator.stop('SIGTERM');
    expect(await readFile(join(E, 'signed'), 'utf8')).toContain(`"sequence":${before.sequence}`);
    const failures = async (expected: string): Promise<void> => {
      await service.stop('SIGTERM');
      service = await startService(['--data', DATA], { env: clockAhead(MINUTE_MS * state.starts++) });
      await eventually(async () => {
        const failed = logOf(service).find(({ event }) => event === 'sealed-publication-failed');
        expect(failed).toMatchObject({ level: 'error', error: expect.stringContaining(expected) as string });
      });
      expect(await manifestOf()).toEqual(before);
    };
    // While it is away, no attempt adds to the history.
    const head = async (): Promise<unknown> =>
      (JSON.parse(await readFile(`${DATA}-keys/sealed-keys`, 'utf8')) as { head: unknown }).head;
    const headBefore = await head();
    await failures('the evaluator does not answer');
    expect(await head()).toEqual(headBefore);
    // It has signed another history, or lost what it has signed.
    const accept = (link: string) => runCli(['evaluator', 'accept', link, '--data', E]);
    expect(await accept('ff'.repeat(32))).toMatchObject({ code: 0, err: '' });
    await startAgain();
    expect(await accept('ff'.repeat(32))).toMatchObject({ code: 1, err: expect.stringContaining('in use') as string });
    await failures('the evaluator has signed another history');
    expect(logOf(evaluator)).toContainEqual(expect.objectContaining({ event: 'evaluator-refused', level: 'warn' }));
    expect(await client().query([{ kind: 'email', hash: 'ef'.repeat(20) }])).toMatchObject({ answer: 'score' });
    await evaluator.stop('SIGTERM');
    await rm(join(E, 'signed'));
    expect((await runCli(['evaluator', '--data', E])).err).toContain('signed is missing; restore it');
    // The operator's log names its link.
    const [, link = ''] = /redflag evaluator accept ([0-9a-f]{64})/.exec(service.output.err)!;
    const { link: shown } = await client().refresh();
    expect(link).toBe(shown);
    expect((await accept('x')).code).toBe(2);
    expect(await accept(link)).toMatchObject({ code: 0, err: '' });
    await startAgain();
    await service.stop('SIGTERM');
    await serve();
    expect((await manifestOf()).sequence).toBeGreaterThan(before.sequence);
    const signed = {
      event: 'evaluator-signed',
      level: 'info',
      link: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    };
    expect(logOf(evaluator)).toContainEqual(expect.objectContaining(signed));
  });

  it('is bounded by the daily limit of the evaluator, also over its restart', async () => {
    await evaluator.stop('SIGTERM');
    const counted = JSON.parse(await readFile(join(E, 'counts'), 'utf8')) as { days: { elements: number }[] };
    const used = counted.days.at(-1)!.elements;
    expect(used).toBeGreaterThan(5);
    daily = `${used + 2}`;
    await startAgain();
    const hashes = [1, 2, 3].map((number) => `${number}`.repeat(40));
    expect(await client().prepare(hashes.slice(0, 2))).toMatchObject({ evaluated: 2 });
    // Also after a kill.
    await evaluator.stop('SIGKILL');
    await startAgain();
    const refused = await client()
      .prepare(hashes.slice(2))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SealedError);
    expect(refused).toMatchObject({ code: 'unavailable', status: 503 });
    expect((refused as SealedError).retryAfterSeconds).toBeGreaterThan(0);
    expect(await evaluator.stop('SIGTERM')).toBe(0);
    expect(evaluator.output.err).toContain('"event":"stopping"');
    expect(await readFile(join(E, 'counts'), 'utf8')).not.toMatch(/[0-9a-f]{40}/);
  });
});
