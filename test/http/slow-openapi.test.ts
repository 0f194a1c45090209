import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createOpenApi } from '../../src/core/http/openapi.ts';

const folder = mkdtempSync(join(tmpdir(), 'redflag-openapi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the linter says, with all its rules but these. The address `/api/` of the specification ends with a slash. */
function lint(
  document: unknown,
  without: readonly string[] = [],
): { readonly status: number | null; readonly out: string } {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const skipped = ['no-path-trailing-slash', ...without].map((rule) => `--skip-rule=${rule}`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--extends=recommended-strict', ...skipped],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  return { status, out: stdout + stderr };
}

it('the OpenAPI document has no fault that a linter finds', () => {
  const { status, out } = lint(createOpenApi());
  expect(out).toContain('is valid');
  expect(status).toBe(0);
});

it('nor has one of other options, in which errors have status 200', () => {
  const bounds = { identifiers: 2 };
  const other = createOpenApi({ publicUrl: 'https://a.example/b', offenceTypes: ['own'], bounds, errorStatus: 200 });
  expect(lint(other, ['operation-4xx-response'])).toMatchObject({ status: 0 });
});

it('the linter finds the faults of a damaged one', () => {
  const { paths, ...rest } = createOpenApi();
  expect(lint({ ...rest, paths: { '/report/{other}': paths['/report/{hash}'] } })).toMatchObject({
    status: 1,
    out: expect.stringContaining('path-parameters-defined'),
  });
});
