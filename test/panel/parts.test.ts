import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { columnChart, toCeiling } from '../../src/lab/page/chart.ts';
import { Field, readWhole } from '../../src/service/panel/parts.tsx';

it.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [7, 8],
  [9, 10],
  [10, 10],
  [11, 15],
  [101, 150],
  [999, 1000],
  [123_456, 150_000],
])('the top of a picture of at most %i is %i', (most, top) => expect(toCeiling(most)).toBe(top));

it('bars of zeros are a sentence, and a small value is visible next to a large one', () => {
  const draw = (...values: number[]): string =>
    columnChart('A summary', {
      of: 'Hour',
      labels: values.map((_, at) => `${at}`),
      series: [{ name: 'One', style: 'one', values }],
      none: 'Nothing happened.',
    }).text;
  expect(draw(0, 0)).toBe('<p class="quiet">Nothing happened.</p>');
  expect(draw(0, 1)).toContain('role="img" aria-label="A summary"');
  const heights = [...draw(1, 10_000).matchAll(/<rect class="one"[^>]* height="([\d.]+)"/g)].map(([, text]) => text);
  expect(heights).toEqual(['2', '140']);
  expect(draw(1, 10_000)).not.toMatch(/style=|NaN/);
});

it.each([
  ['5', 5],
  ['5,000', 5000],
  [' 1 000 ', 1000],
  ['0', undefined],
  ['5001', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['1.5', undefined],
  ['', undefined],
  [undefined, undefined],
  ['9'.repeat(400), undefined],
])('reads %j as a number from 1 to 5000: %j', (text, value) => expect(readWhole(text, 1, 5000)).toBe(value));

it('a field names its hint and its error for screen readers', () => {
  const plain = renderToString(h(Field, { name: 'a', label: 'A' }));
  expect(plain).toContain('<label for="a">A</label>');
  expect(plain).not.toMatch(/aria-/);
  const wrong = renderToString(
    h(Field, { name: 'a', label: 'A', hint: 'How', error: 'Wrong', type: 'lines', value: '<b>' }),
  );
  expect(wrong).toContain('aria-invalid="true" aria-describedby="a-hint a-error"');
  expect(wrong).toContain('<p class="error" id="a-error">Wrong</p>');
  expect(wrong).toContain('>&lt;b></textarea>');
});
