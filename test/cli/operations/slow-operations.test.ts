import { readFileSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTICE_EVENTS } from '../../../src/service/cli/operations/notice-levels.ts';
import { ANSWER_ACTIONS } from '../../../src/core/http/exchange.ts';
import { isLong } from '../../budget.ts';
import { useFolder } from '../../folder.ts';
import { runCli } from '../in-process.ts';
import { logOf, post, startForTest, type RunningService } from '../service.ts';
import { opsUrlOf, scrape, sumOf } from './metrics-text.ts';

const root = useFolder('operations');
/** Requests that a test sends in this time take less, also on a busy machine. */
const LAME_DUCK_SECONDS = isLong ? 10 : 6;

const start = async (...args: string[]) => startForTest(['--data', await mkdtemp(join(root, 'data-')), ...args]);

const HASH = 'abcdef0123'.repeat(4);
const TEXT = 'Paid with a stolen card.';
const query = (apiKey: string) => ({ _api: apiKey, _action: 'query', email: HASH });
const report = (apiKey: string) => ({
  _api: apiKey,
  _action: 'report',
  _type: 'fraud',
  _value: '7',
  _text: TEXT,
  email: HASH,
});
const mainUrl = ({ apiUrl }: RunningService) => new URL(apiUrl).origin;
const read = async (url: string, method = 'GET') => {
  const response = await fetch(url, { method });
  return { status: response.status, body: await response.text(), headers: response.headers };
};

/** The status of a request whose target is in the absolute form, as proxies send it. */
async function statusOfAbsolute(origin: string, path: string): Promise<string> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(`GET http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split(' ')[1] ?? '';
}

describe('health on the main port', () => {
  it('answers the absolute form of a target too, on both ports', async () => {
    const service = await start('--ops-port', '0');
    for (const path of ['/healthz', '/readyz?x=1', '/metrics'])
      expect(await statusOfAbsolute(opsUrlOf(service), path), path).toBe('200');
    for (const [path, status] of Object.entries({ '/healthz': '200', '/readyz?x=1': '200', '/healthz/': '404' }))
      expect(await statusOfAbsolute(mainUrl(service), path), path).toBe(status);
  });

  it('answers GET and HEAD at the root, whatever the base path and the limits', async () => {
    const service = await start('--base-path', '/fraud', '--limits', 'viewer=1,unknown-key=1');
    for (const path of ['/healthz', '/readyz', '/readyz?x=1']) {
      for (let n = 0; n < 5; n++) {
        const { status, body, headers } = await read(`${mainUrl(service)}${path}`);
        expect([status, body, headers.get('cache-control')]).toEqual([200, 'ok\n', 'no-store']);
      }
      expect(await read(`${mainUrl(service)}${path}`, 'HEAD')).toMatchObject({ status: 200, body: '' });
      const wrong = await read(`${mainUrl(service)}${path}`, 'POST');
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    for (const path of ['/fraud/healthz', '/healthz/', '/metrics', '/fraud/metrics'])
      expect((await read(`${mainUrl(service)}${path}`)).status, path).toBe(404);
    expect((await read(`${mainUrl(service)}/fraud/report/${HASH}`)).status).toBe(404);
  });

  it('stays ready if the store refuses writes only, and names the request in reply and log', async () => {
    const service = await start('--store', 'sqlite', '--ops-port', '0');
    const folder = service.process.spawnargs[service.process.spawnargs.indexOf('--data') + 1]!;
    expect((await post(service, report(service.apiKey!))).headers.get('x-request-id')).toBeNull();
    await rename(join(folder, 'redflag.sqlite'), join(folder, 'moved'));
    const refused = await post(service, { ...report(service.apiKey!), email: 'b'.repeat(40) });
    expect(refused.status).toBe(503);
    expect((await post(service, query(service.apiKey!))).status).toBe(200);
    expect((await read(`${mainUrl(service)}/readyz`)).status).toBe(200);
    const requestId = refused.headers.get('x-request-id');
    expect(requestId).toMatch(/^[0-9a-f]{32}$/);
    await expect.poll(() => logOf(service).filter((line) => line['requestId'] === requestId)).toHaveLength(2);
    expect(logOf(service)).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'store-unavailable', requestId }),
    );
    expect(logOf(service)).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'request', action: 'report', outcome: 'unavailable', requestId }),
    );
    const { samples } = await scrape(service);
    expect(sumOf(samples, 'redflag_notices_total', { event: 'store-unavailable' })).toBe(1);
    expect(sumOf(samples, 'redflag_requests_total', { action: 'report', outcome: 'unavailable' })).toBe(1);
  });
});

describe('the lame-duck time', () => {
  it('answers requests while the service is not ready, and then stops it', async () => {
    const service = await start('--lame-duck', `${LAME_DUCK_SECONDS}`, '--ops-port', '0');
    const stopped = service.stop('SIGTERM');
    await expect.poll(async () => (await read(`${mainUrl(service)}/readyz`)).status).toBe(503);
    expect((await read(`${mainUrl(service)}/readyz`)).body).toBe('stopping\n');
    expect((await read(`${mainUrl(service)}/healthz`)).status).toBe(200);
    expect((await post(service, report(service.apiKey!))).body).toBe('OK');
    expect((await post(service, query(service.apiKey!))).status).toBe(200);
    expect(sumOf((await scrape(service)).samples, 'redflag_ready')).toBe(0);
    expect(logOf(service)).toEqual([
      expect.objectContaining({ level: 'info', event: 'stopping', lameDuckSeconds: LAME_DUCK_SECONDS }),
    ]);
    expect(service.process.exitCode).toBeNull();
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  it('ends at a second signal', async () => {
    const service = await start('--lame-duck', '3600');
    service.process.kill('SIGTERM');
    await expect.poll(async () => (await read(`${mainUrl(service)}/readyz`)).status).toBe(503);
    expect(await service.stop('SIGTERM')).toEqual({ code: 1, signal: null });
  });
});

describe('the operations port', () => {
  it('answers three paths and nothing else', async () => {
    const service = await start('--ops-port', '0');
    const ops = opsUrlOf(service);
    expect(new URL(ops).hostname).toBe('127.0.0.1');
    for (const path of ['/healthz', '/readyz']) expect(await read(`${ops}${path}`)).toMatchObject({ status: 200 });
    const metrics = await read(`${ops}/metrics`);
    expect([metrics.status, metrics.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; /),
    ]);
    expect(await read(`${ops}/metrics`, 'HEAD')).toMatchObject({ status: 200, body: '' });
    for (const path of ['/', '/api/', `/report/${HASH}`, '/metrics/', '/debug'])
      expect(await read(`${ops}${path}`), path).toMatchObject({ status: 404, body: 'not found\n' });
    expect((await read(`${ops}/api/`, 'POST')).status).toBe(405);
  });

  it('is none by default, and its options are validated', async () => {
    expect((await start()).output.out).not.toContain('Metrics');
    for (const wrong of [
      ['--ops-port', 'x'],
      ['--ops-host', '127.0.0.1'],
      ['--log-level', 'loud'],
      ['--lame-duck', '-1'],
    ])
      expect((await runCli(['serve', '--data', join(root, 'none'), ...wrong])).code, wrong.join(' ')).toBe(2);
    const other = await start('--ops-port', '0');
    const { port } = new URL(opsUrlOf(other));
    expect(await runCli(['serve', '--port', '0', '--data', join(root, 'taken'), '--ops-port', port])).toEqual({
      code: 1,
      out: '',
      err: `redflag: port ${port} is in use; choose another with --ops-port\n`,
    });
  });

  it('cuts clients that send no request', async () => {
    const service = await start('--ops-port', '0');
    const socket = connect(Number(new URL(opsUrlOf(service)).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    socket.resume().write('GET /metrics HTTP/1.1\r\n');
    await closed;
    expect((await scrape(service)).samples.length).toBeGreaterThan(0);
  });
});

/** The closed list of reasons, as `core/domain/refusal.ts` declares it. */
const REASONS = [
  ...readFileSync(new URL('../../../src/core/domain/refusal.ts', import.meta.url), 'utf8').matchAll(
    /reason: '([a-z-]+)'/g,
  ),
].map(([, reason]) => reason!);

describe('metrics', () => {
  const LABELS: Readonly<Record<string, readonly string[]>> = {
    how: ['refused', 'cut'],
    action: ANSWER_ACTIONS,
    outcome: ['ok', ...REASONS],
    event: NOTICE_EVENTS,
    kind: ['journal', 'sqlite', 'postgres'],
    table: ['reports', 'removed', 'identifiers', 'links', 'reporters'],
  };

  it('have the failures of the service from the start, so that an alert sees the first one', async () => {
    const { samples } = await scrape(await start('--ops-port', '0'));
    for (const action of ANSWER_ACTIONS)
      for (const outcome of ['ok', 'internal', 'unavailable', 'overloaded'])
        expect(samples).toContainEqual({ name: 'redflag_requests_total', labels: { action, outcome }, value: 0 });
  });

  it('count what was asked for, with labels of closed lists only, whatever clients send', async () => {
    const service = await start('--ops-port', '0', '--get-queries');
    const apiKey = service.apiKey!;
    await post(service, report(apiKey));
    for (let n = 0; n < 3; n++) await post(service, query(apiKey));
    const odd = ['x', '"', '\n', '\\', '{}', 'é', '', 'ok', 'Query', '__proto__', '\u202e', '%00'];
    for (const text of odd) {
      const escaped = encodeURIComponent(text);
      await post(service, { _api: apiKey, _action: text, email: HASH });
      await post(service, { _api: text, _action: 'query', [text]: HASH });
      await post(service, { ...report(apiKey), _type: text });
      await read(`${mainUrl(service)}/${escaped}`);
      await read(`${mainUrl(service)}/api/?showreport=${escaped}&_action=${escaped}`);
      await fetch(service.apiUrl, { method: 'POST', body: text, headers: { 'content-type': 'multipart/form-data' } });
      await fetch(service.apiUrl, { method: 'PATCH', body: text });
    }
    await scrape(service);
    await expect.poll(async () => sumOf((await scrape(service)).samples, 'redflag_store_rows')).toBeGreaterThan(0);
    const { samples } = await scrape(service);
    expect(sumOf(samples, 'redflag_requests_total', { action: 'query', outcome: 'ok' })).toBe(3);
    expect(sumOf(samples, 'redflag_requests_total', { action: 'report', outcome: 'ok' })).toBe(1);
    expect(sumOf(samples, 'redflag_request_duration_seconds_count')).toBe(sumOf(samples, 'redflag_requests_total'));
    expect(sumOf(samples, 'redflag_requests_total')).toBe(4 + 7 * odd.length);
    expect(sumOf(samples, 'redflag_store_rows', { table: 'reports' })).toBe(1);
    expect(sumOf(samples, 'redflag_store_bytes')).toBeGreaterThan(100);
    expect(sumOf(samples, 'redflag_standings_epoch_timestamp_seconds') % 86_400).toBe(0);
    for (const { name, labels } of samples.filter((one) => one.name.startsWith('redflag_')))
      for (const [label, value] of Object.entries(labels))
        if (LABELS[label]) expect(LABELS[label], `${name} ${label}`).toContain(value);
        else expect(['le', 'version'], name).toContain(label);
  });
});

describe('the log at debug', () => {
  it('has a line for each request, with its id, and nothing that a client sent', async () => {
    const paths = ['--get-queries', '--classic-path', '/classic'];
    const service = await start('--log-level', 'debug', '--ops-port', '0', '--trust-proxies', '1', ...paths);
    const apiKey = service.apiKey!;
    const address = '203.0.113.77';
    const ids: (string | null)[] = [];
    const send = async (path: string, init: RequestInit = {}) => {
      const sent = { 'x-forwarded-for': address, 'x-request-id': 'a-text-of-mine' };
      const reply = await fetch(`${mainUrl(service)}${path}`, { ...init, headers: sent });
      ids.push(reply.headers.get('x-request-id'));
      return { body: await reply.text(), headers: reply.headers };
    };
    const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
    const { headers } = await send('/api/', form(report(apiKey)));
    const code = headers.get('x-deletion-code')!;
    const { body } = await send('/api/', form(query(apiKey)));
    const link = new URL(body.split('-').at(-1)!).pathname;
    await send(link);
    await send(`/api/?${String(new URLSearchParams(query(apiKey)))}`);
    await send(`/classic/api/?${String(new URLSearchParams(query(apiKey)))}`);
    await send(`/classic/api/?showreport=${link.slice(-40, -24)}`);
    await send('/api/', form(query('0123456789abcdef')));
    await send('/some/where');
    await send('/api/', form({ _api: apiKey, _action: 'delete', _code: code }));
    await expect.poll(() => logOf(service).length).toBe(ids.length);
    const lines = logOf(service);
    expect(lines.map(({ requestId }) => requestId)).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(lines.map(({ action, outcome }) => `${String(action)} ${String(outcome)}`)).toEqual([
      'report ok',
      'query ok',
      'viewer ok',
      'query ok',
      'query ok',
      'viewer ok',
      'query unknown-key',
      'other not-found',
      'delete ok',
    ]);
    for (const line of lines)
      expect(Object.keys(line)).toEqual(['level', 'time', 'event', 'requestId', 'action', 'outcome', 'status', 'ms']);
    const { text } = await scrape(service);
    await service.stop('SIGTERM');
    const secrets = [
      apiKey,
      '0123456789abcdef',
      HASH,
      TEXT,
      address,
      code,
      link.slice(-40, -24),
      'a-text-of-mine',
      '/some',
    ];
    for (const secret of secrets) for (const place of [service.output.err, text]) expect(place).not.toContain(secret);
  });

  it('is bounded: what is above a hundred lines a second is counted', async () => {
    const service = await start('--log-level', 'debug');
    for (let n = 0; n < 3; n++) {
      // The requests wait until the service continues. So it reads more than a hundred in a second, however slow it is.
      service.process.kill('SIGSTOP');
      const asked = Promise.all(Array.from({ length: 200 }, () => read(`${mainUrl(service)}/elsewhere`)));
      await new Promise((resolve) => setTimeout(resolve, 500));
      service.process.kill('SIGCONT');
      await asked;
    }
    await service.stop('SIGTERM');
    const lines = logOf(service);
    const requests = lines.filter(({ event }) => event === 'request').length;
    const leftOut = lines.reduce((sum, line) => sum + Number(line['leftOut'] ?? 0), 0);
    expect(requests + leftOut).toBe(600);
    expect(leftOut).toBeGreaterThan(0);
  });
});

it('--log-level error leaves out warnings, and nothing breaks without a reader of the log', async () => {
  const service = await start('--log-level', 'error', '--public-url', 'https://fraud-reports.example');
  expect(logOf(service)).toEqual([]);
  const loud = await start('--log-level', 'debug');
  loud.process.stderr!.destroy();
  for (let n = 0; n < 5; n++) expect((await post(loud, query(loud.apiKey!))).status).toBe(200);
  expect(await loud.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});
