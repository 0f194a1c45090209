import { describe, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { drawCharts } from '../../scripts/site/charts.mjs';

const row = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const page = (topic: string, header: readonly string[], ...rows: (readonly string[])[]): string =>
  `<!-- bench:${topic} --><table>${row(header, 'th')}${rows.map((cells) => row(cells)).join('')}</table><!-- /bench:${topic} -->`;

const HASH = ['v20.1.0', 'ms', 'quartiles', 'times <code>createHash</code>'];

describe('charts of the documentation site', () => {
  it('draw the figures of the table, which stays as their text', () => {
    const html = page(
      'hash',
      HASH,
      ['<strong>redflag</strong>', '1', '', '1,600.5'],
      ['R&amp;D', '2', '', '800.25 (1 to 2)'],
    );
    const drawn = drawCharts(html);
    expect(drawn).toContain(html.slice(html.indexOf('<table>')));
    const bars = [...drawn.matchAll(/<rect class="(\w+)" x="0" y="\d+" width="([\d.]+)%"/g)].map((bar) => bar.slice(1));
    expect(bars).toEqual([
      ['ours', '80.00'],
      ['other', '40.00'],
    ]);
    expect([...drawn.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text)).toEqual([
      'redflag',
      '1,600.5',
      'R&amp;D',
      '800.25',
    ]);
    expect(drawn).toContain('Node v20.1.0</figcaption>');
    expect(drawn).not.toContain('style=');
  });

  it('compare redflag with the alternative, and name both', () => {
    const header = ['queries', 'server', 'redflag a second', 'constant a second'];
    const drawn = drawCharts(page('http', header, ['folder', 'Express', '10', '40']));
    expect(drawn).toContain('>folder, Express</text>');
    expect([...drawn.matchAll(/<rect class="(\w+)"[^>]* width="([\d.]+)%"/g)].map((bar) => bar.slice(1))).toEqual([
      ['ours', '20.00'],
      ['other', '80.00'],
    ]);
    expect(drawn).toContain('<span class="ours">redflag</span><span class="other">a constant reply</span>');
  });

  it('leave tables outside the marks alone', () => {
    const html = page('hash', HASH, ['a', '1', '', '1']).replaceAll('bench:', 'other:');
    expect(drawCharts(html)).toBe(html);
  });

  it.each([
    ['another column', page('hash', ['v20', 'ms', 'times', 'quartiles'], ['a', '1', '', '1']), /expected column 3/],
    ['no table of a chart', page('hash', ['else'], ['a']), /expected a table that begins with/],
    ['a figure that is no number', page('hash', HASH, ['a', '1', '', 'fast']), /expected a number/],
  ])('end the build: %s', (_name, html, message) => {
    expect(() => drawCharts(html)).toThrow(message);
  });
});
