import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, reasonToSkip } from '../browser/chromium.ts';
import { startService } from '../cli/service.ts';
import { ROOT } from '../docs/terminal.ts';
import { findProgram } from '../examples/deploy.ts';
import { openLook } from '../web/visit.ts';
import { visitorOf } from './visitor.ts';

describe.skipIf(reasonToSkip())('the playground as a user serves it', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Loads the page, cuts the network, and files a report. */
  const use = async (address: string, policyIn: 'header' | 'document'): Promise<void> => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { policyIn });
    const { ready, report } = visitorOf(() => page);
    await page.goto(address);
    await ready();
    await page.context().setOffline(true);
    await report('North Shop');
    expect(problems).toEqual([]);
    await close();
  };

  it.skipIf(!findProgram('python3', 'python3'))('npm run playground, and the file server that it names', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'playground'], { cwd: ROOT });
    const [, args] = /^or: +python3 (.*) 8000$/m.exec(stdout)!;
    const server = spawn('python3', [...args!.split(' '), '0'], {
      cwd: ROOT,
      env: { ...process.env, PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const port = await new Promise<string>((resolve) =>
        server.stdout.setEncoding('utf8').on('data', (said: string) => {
          const [, found] = /port (\d+)/.exec(said) ?? [];
          if (found) resolve(found);
        }),
      );
      await use(`http://127.0.0.1:${port}/`, 'document');
    } finally {
      server.kill();
    }
  });

  it('redflag serve, at /playground', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redflag-served-'));
    const service = await startService([], { cwd: folder });
    try {
      await use(`${new URL(service.apiUrl).origin}/playground`, 'header');
    } finally {
      await service.stop('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
