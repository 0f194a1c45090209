import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../docs/terminal.ts';
import { freePort } from '../free-port.ts';
import { readDeploy } from './deploy.ts';
import { build, canBuild, type Image } from './image.ts';

const EMAIL = 'e6046ea1e61328d5ad100fdf7507b841b5112932';
const DATA = 'var/lib/redflag/redflag-data';

describe.skipIf(!canBuild())('the image of the Dockerfile, built from the packed package', () => {
  let folder: string;
  let image: Image;
  let port: number;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-image-'));
    // `dist` as it is, because other tests use it meanwhile.
    const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim();
    image = build(readDeploy('Dockerfile'), join(folder, 'stages'), folder, { REDFLAG: `/context/${packed}` });
    port = await freePort();
    // The image listens on all addresses and on port 8080, which may be in use here.
    env = { REDFLAG_HOST: '127.0.0.1', REDFLAG_PORT: `${port}`, REDFLAG_TRUST_PROXIES: '1' };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (command: readonly string[], own: Record<string, string> = env) => {
    const child = image.run(command, own);
    const output = { out: '', err: '' };
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (output.out += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (output.err += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    return { code, ...output };
  };
  const isHealthy = async (): Promise<boolean> =>
    (await run(image.healthcheck.map((word) => word.replace('8080', `${port}`)))).code === 0;
  const start = async () => {
    const child = image.run(image.command, env);
    let output = '';
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    await new Promise<void>((resolve, reject) => {
      child.stderr!.on('data', (text: Buffer) => (output += text.toString()));
      child.stdout!.on('data', (text: Buffer) => {
        if (/^Listening on /m.test((output += text.toString()))) resolve();
      });
      void ended.then(() => reject(new Error(`the service ended: ${output}`)));
    });
    return async () => {
      child.kill('SIGTERM');
      return ended;
    };
  };
  const post = async (fields: Record<string, string>): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/api/`, { method: 'POST', body: new URLSearchParams(fields) })).text();

  it('runs as a user that can write to the volumes only', async () => {
    const tries = ['/app/x', '/app/node_modules/redflag/dist/cli.js', '/x', '/tmp/x', '/var/lib/redflag/x'];
    const script = `
      const fs = require('node:fs');
      const write = (path) => { try { fs.writeFileSync(path, ''); return true; } catch { return false; } };
      console.log(process.getuid(), JSON.stringify(${JSON.stringify([...tries, `/${DATA}/x`])}.filter(write)));
      fs.rmSync('/${DATA}/x');`;
    expect(await run(['node', '-e', script])).toEqual({ code: 0, out: `1000 ["/${DATA}/x"]\n`, err: '' });
  });

  it('does not start on all addresses before its proxy is declared', async () => {
    const { code, err } = await run(image.command, { REDFLAG_PORT: `${port}` });
    expect([1, 2], err).toContain(code);
    expect(err).toMatch(/--trust-proxies/);
    expect(readdirSync(join(image.root, DATA))).toEqual([]);
  });

  it('serves, is healthy while it does, and stops at SIGTERM; its data and keys are in the volumes', async () => {
    expect(await isHealthy()).toBe(false);
    const stop = await start();
    expect(await isHealthy()).toBe(true);
    const created = await run(['redflag', 'keys', 'create', 'Corner Shop']);
    const _api = /^API key: ([0-9a-f]{16})$/m.exec(created.out)![1]!;
    const report = { _api, _action: 'report', _type: 'fraud', _value: '6', _text: 'Never paid', email: EMAIL };
    expect(await post(report)).toBe('OK');
    expect(await stop()).toEqual([0, null]);
    expect(await isHealthy()).toBe(false);
    expect(readdirSync(join(image.root, DATA))).toContain('redflag.journal');
    expect(readdirSync(join(image.root, DATA))).not.toContain('secret');
    expect(readdirSync(join(image.root, `${DATA}-keys`))).toEqual(expect.arrayContaining(['pepper', 'secret']));

    const stopAgain = await start();
    expect(await post({ _api, _action: 'query', email: EMAIL })).toMatch(/^\d+-1-/);
    expect(await stopAgain()).toEqual([0, null]);
  });

  it('has the driver of PostgreSQL', async () => {
    const store = { REDFLAG_STORE: 'postgres://redflag@127.0.0.1:1/redflag' };
    const { code, err } = await run(image.command, { ...env, ...store });
    expect(code).toBe(1);
    expect(err).not.toMatch(/npm install pg/);
  });
});
