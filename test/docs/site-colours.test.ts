import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toPage } from '../../src/service/web/document.tsx';
import { STYLE } from '../../src/lab/page/style.ts';

const SITE = new URL('../../scripts/site/', import.meta.url);

/** Custom properties of the documentation site, and those of the service's pages that they must equal. */
const SAME = {
  'color-background': '--page',
  'color-background-secondary': '--card',
  'color-background-active': '--accent-soft',
  'color-accent': '--line',
  'color-text': '--text',
  'color-text-aside': '--quiet',
  'color-link': '--accent',
  'code-background': '--card',
};

describe('the documentation site', () => {
  const css = readFileSync(new URL('site.css', SITE), 'utf8');
  const dark = STYLE.indexOf('prefers-color-scheme: dark');

  it.each([
    ['light', STYLE.slice(0, dark)],
    ['dark', STYLE.slice(dark)],
  ])('has the %s colours of the pages of the service', (theme, style) => {
    const of = (text: string, name: string) => new RegExp(`${name}: ([^;]+);`).exec(text)?.[1];
    for (const [site, page] of Object.entries(SAME)) expect(of(css, `--${theme}-${site}`), page).toBe(of(style, page));
    const own = css.slice(css.indexOf(`:root[data-theme='${theme}']`));
    for (const [site, page] of [
      ['--ours', '--risk'],
      ['--other', '--edge'],
    ] as const)
      expect(of(own, site), page).toBe(of(style, page));
  });

  it('has the icon of the pages of the service', () => {
    const icon = readFileSync(new URL('favicon.svg', SITE), 'utf8').trim();
    const href = /rel="icon" href="data:image\/svg\+xml,([^"]+)"/.exec(toPage('Title', 'text').html)![1]!;
    const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&#39;': "'", '&amp;': '&' };
    expect(decodeURIComponent(href.replace(/&(?:lt|gt|#39|amp);/g, (entity) => entities[entity]!))).toBe(icon);
  });
});
