import { existsSync } from 'node:fs';
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
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
}
