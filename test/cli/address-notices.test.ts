import { expect, it } from 'vitest';
import { addressNotices } from '../../src/service/cli/serve-settings.ts';

it.each([
  ['127.0.0.1', undefined, 'http://127.0.0.1:8080', []],
  ['0.0.0.0', undefined, 'http://0.0.0.0:8080', [/other machines cannot open.*--public-url/]],
  ['::', undefined, 'http://[::]:8080', [/other machines cannot open/]],
  ['0.0.0.0', 'https://reports.example', 'https://reports.example', []],
  ['127.0.0.1', 'https://fraud-reports.example', 'https://fraud-reports.example', [/%2D.*--public-url/]],
])('on %s with --public-url %s', (host, given, publicUrl, expected) => {
  const notices = addressNotices(host, given, publicUrl);
  expect(notices).toHaveLength(expected.length);
  for (const [at, pattern] of expected.entries()) expect(notices[at]).toMatch(pattern);
});
