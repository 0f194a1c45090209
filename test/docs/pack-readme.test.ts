import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { PAGES, toPacked, withAbsoluteLinks } from '../../scripts/pack-readme.mjs';
import { ROOT } from './terminal.ts';

const REPOSITORY = 'https://example.org/redflag';
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const description = JSON.parse(read('package.json')) as { files: string[] };

it('the README of the package leads to the repository, also from another page', () => {
  expect(withAbsoluteLinks('[a](docs/a.md#b) ![c](c.svg) [d](#d) [e](https://e.org/)', REPOSITORY)).toBe(
    `[a](${REPOSITORY}/blob/main/docs/a.md#b) ![c](${REPOSITORY}/raw/main/c.svg) [d](#d) [e](https://e.org/)`,
  );
  const readme = read('README.md');
  const packed = withAbsoluteLinks(readme, REPOSITORY) as string;
  const targets = [...packed.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
  expect(targets.length).toBeGreaterThan(15);
  for (const target of targets) expect(target).toMatch(/^(https?:|#)/);
  expect(packed.replaceAll(`${REPOSITORY}/blob/main/`, '').replaceAll(`${REPOSITORY}/raw/main/`, '')).toBe(readme);
});

it('a link of another page is read from its folder, and stays if the package has the file', () => {
  const kept = (path: string): boolean => path === 'docs/b.md';
  expect(withAbsoluteLinks('[a](a.md#x) [b](b.md) [c](../c/)', REPOSITORY, 'docs/page.md', kept)).toBe(
    `[a](${REPOSITORY}/blob/main/docs/a.md#x) [b](b.md) [c](${REPOSITORY}/blob/main/c/)`,
  );
});

it('the pages are those of the package', () => {
  const own = description.files.filter((file) => file.endsWith('.md'));
  // npm packs README.md in any case. Named in `files`, it would also pack that of docs/.
  expect([...(PAGES as string[])].sort()).toEqual([...own, 'README.md', 'examples/README.md'].sort());
});

it.each(PAGES as string[])('%s of the package leads to files of the package or to the repository', (page) => {
  const packed = toPacked(page, read(page), description) as string;
  const targets = [...packed.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  expect(targets.length).toBeGreaterThan(0);
  for (const target of targets.filter((one) => !/^https?:/.test(one))) {
    const path = join(dirname(page), target);
    expect(
      description.files.some((file) => path === file || path.startsWith(`${file}/`)),
      target,
    ).toBe(true);
  }
  expect(packed.match(/\]\(/g)).toHaveLength(read(page).match(/\]\(/g)!.length);
});
