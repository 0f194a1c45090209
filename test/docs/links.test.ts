import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './terminal.ts';

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const DECISIONS = markdownIn('docs/decisions').filter((page) => !page.endsWith('README.md'));
/** One page for all versions of the scoring model. It is longer than others. */
const CONSTANTS = 'docs/decisions/0083-how-scoring-constants-are-chosen.md';
const PAGES = [...markdownIn('.'), ...markdownIn('docs'), ...markdownIn('docs/decisions')];

/** The page without its fenced blocks. */
const proseOf = (page: string): string => read(page).replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The relative links and images of a page. */
function linksOf(page: string): { path: string; anchor: string | undefined }[] {
  return [...proseOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, target, anchor]) => ({
    path: target === '' ? page : join(dirname(page), target!),
    anchor,
  }));
}

const pathsFrom = (page: string): string[] => linksOf(page).map(({ path }) => path);

describe('the links between the pages', () => {
  it.each(PAGES)('%s links to files and headings that exist', (page) => {
    for (const { path, anchor } of linksOf(page)) {
      expect(existsSync(join(ROOT, path)), `${page} → ${path}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(path), `${page} → ${path}#${anchor}`).toContain(anchor);
    }
  });

  it('README.md and the index of the guides lead to every guide, and the index of the decisions to each', () => {
    const guides = markdownIn('docs');
    const isNoIndex = (page: string): boolean => page !== 'docs/README.md';
    expect(pathsFrom('README.md')).toEqual(expect.arrayContaining(guides));
    // The site has the guides that this index lists.
    expect(pathsFrom('docs/README.md')).toEqual(expect.arrayContaining(guides.filter(isNoIndex)));
    expect(pathsFrom('docs/decisions/README.md').sort()).toEqual([...DECISIONS].sort());
  });
});

describe('the files that pages name', () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
  const isExport = (path: string): boolean => Object.hasOwn(exports, path.replace(/^redflag\//, './'));
  const isPath = (span: string): boolean =>
    /^[\w-]+(\/[\w.-]+)+\/?$/.test(span) && /\/$|\.(ts|mjs|json|yml)$/.test(span);
  it.each(['ARCHITECTURE.md', ...markdownIn('docs'), ...DECISIONS])('%s', (page) => {
    const spans = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
    for (const path of spans.filter(isPath))
      expect(
        isExport(path) || ['', 'src'].some((folder) => existsSync(join(ROOT, folder, path))),
        `${page} names ${path}`,
      ).toBe(true);
  });
});

describe('the size of the pages', () => {
  it.each([
    ['README.md', 300],
    ['ARCHITECTURE.md', 150],
  ])('%s has at most %i lines', (page, most) => {
    expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(most);
  });

  it.each(DECISIONS.filter((page) => page !== CONSTANTS))('%s is one page: context, decision, consequences', (page) => {
    expect(anchorsOf(page).slice(1)).toEqual(['context', 'decision', 'consequences']);
    expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(42);
  });

  it(`${CONSTANTS} has the same parts, with headings inside`, () => {
    const parts = [...read(CONSTANTS).matchAll(/^## (.+)$/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Context', 'Decision', 'Consequences']);
  });
});

describe('the decisions', () => {
  const index = read('docs/decisions/README.md');
  const number = (page: string): number => Number(basename(page).slice(0, 4));
  const numbers = DECISIONS.map(number);

  it('have numbers of their own', () => {
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(DECISIONS)('%s has a title with its number, and the status that the index has', (page) => {
    const [title, , status] = read(page).split('\n');
    expect(title).toMatch(new RegExp(`^# ${number(page)}\\. \\S`));
    const form = /^Status: (accepted|(?:partly )?superseded by \d+)[.:]/;
    const text = status!.replace(/\[(\d+)\]\([^)]*\)/g, '$1');
    expect(text).toMatch(form);
    const [, stated] = form.exec(text)!;
    expect(index).toContain(
      `| ${number(page)} | [${title!.replace(/^# \d+\. /, '')}](${basename(page)}) | ${stated} |`,
    );
    const successor = /\d+$/.exec(stated!);
    if (successor) expect(numbers).toContain(Number(successor[0]));
  });

  it('are in the index by layer', () => {
    const groups = ['Core', 'Stores', 'Operator', 'Lab', 'Sealed', 'Service', 'Project and tests'];
    expect([...index.matchAll(/^## (.+)$/gm)].map(([, group]) => group)).toEqual(groups);
  });
});
