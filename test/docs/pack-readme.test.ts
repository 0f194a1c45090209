import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { withAbsoluteLinks } from '../../scripts/pack-readme.mjs';

const REPOSITORY = 'https://example.org/redflag';
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

it('the README of the package leads to the repository, also from another page', () => {
  expect(withAbsoluteLinks('[a](docs/a.md#b) ![c](c.svg) [d](#d) [e](https://e.org/)', REPOSITORY)).toBe(
    `[a](${REPOSITORY}/blob/main/docs/a.md#b) ![c](${REPOSITORY}/raw/main/c.svg) [d](#d) [e](https://e.org/)`,
  );
  const packed = withAbsoluteLinks(readme, REPOSITORY) as string;
  const targets = [...packed.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
  expect(targets.length).toBeGreaterThan(15);
  for (const target of targets) expect(target).toMatch(/^(https?:|#)/);
  expect(packed.replaceAll(`${REPOSITORY}/blob/main/`, '').replaceAll(`${REPOSITORY}/raw/main/`, '')).toBe(readme);
});
