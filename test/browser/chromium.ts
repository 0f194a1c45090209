import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const EXECUTABLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/**
 * Returns why browser tests cannot run here; undefined if they can. In CI a missing browser is no reason to skip: the
 * tests run and fail.
 */
export function reasonToSkip(): string | undefined {
  if (existsSync(EXECUTABLE) || process.env['CI']) return undefined;
  return `no browser at ${EXECUTABLE}; set CHROMIUM_PATH, or install chromium`;
}

/** A browser that talks to nobody but the test. */
const ARGUMENTS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser that keeps what it is given in a folder, and can be killed. */
export interface KeptBrowser {
  readonly context: BrowserContext;
  /** `kill -9`, of all its processes at once. */
  kill(): Promise<void>;
}

/** Starts a browser on a folder, which may be what an earlier one left. */
export async function startChromium(folder: string): Promise<KeptBrowser> {
  const child = spawn(
    EXECUTABLE,
    [...ARGUMENTS, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (): Promise<void> => {
    // The group: its processes for pages and for storage, too.
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await exited;
  };
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
        if (found) resolve(found);
      });
      void exited.then(() => reject(new Error(`the browser ended: ${said}`)));
    });
    const browser = await chromium.connectOverCDP(address);
    return { context: browser.contexts()[0]!, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** A server on loopback. */
export interface OpenServer {
  /** e.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Answers with this listener from now on. */
  answer(listener: RequestListener): void;
  /** Cuts all connections, also those on which a browser has not sent a request. */
  close(): Promise<void>;
}

/** Starts a server on loopback. Without a listener, it answers after `answer`, for services that need its address. */
export async function openServer(listener?: RequestListener): Promise<OpenServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (next) => void server.removeAllListeners('request').on('request', next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a browser that keeps nothing. Its actions may take a minute each, because a busy machine is slow. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: [...ARGUMENTS] });
  return browser.on('context', (context) => context.setDefaultTimeout(60_000));
}

/** Starts a server as `openServer` does, and a browser beside it that keeps nothing. */
export async function openBrowser(listener?: RequestListener): Promise<OpenServer & { readonly browser: Browser }> {
  const server = await openServer(listener);
  const browser = await launchBrowser();
  return {
    ...server,
    browser,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
