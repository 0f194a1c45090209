import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';

const EXECUTABLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/**
 * Why browser tests cannot run here, or undefined when they can. In CI a missing browser is no reason to skip: the tests
 * run and fail.
 */
export function reasonToSkip(): string | undefined {
  if (existsSync(EXECUTABLE) || process.env['CI']) return undefined;
  return `no browser at ${EXECUTABLE}; set CHROMIUM_PATH, or install chromium`;
}

/** A browser that talks to nobody but the test. */
function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
}

/** A server on loopback that answers with `listener`, and a browser beside it. */
export async function openBrowser(listener: RequestListener): Promise<{ readonly origin: string; readonly browser: Browser; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    browser,
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
