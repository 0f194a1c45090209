import { describe, expect, it } from 'vitest';
import { isShown, readPage } from './page.ts';

describe('readPage', () => {
  it('reads commands with their lines, continuation and output, and code', () => {
    const page = [
      'Text',
      '```console',
      '$ one \\',
      '    more',
      'out',
      '',
      'put',
      '',
      '$ two',
      '```',
      '```sh serves',
      '$ no',
      '```',
      'With `redflag serve --limits query=1`:',
      '',
      '```console',
      '$ three',
      '```',
      '```console slow',
      '$ four',
      '```',
      '```js file="slow.mjs"',
      'five',
      'six',
      '```',
      '```js fragment',
      '```',
    ].join('\n');
    expect(readPage(page)).toEqual([
      {
        kind: 'console',
        service: undefined,
        isSlow: false,
        exchanges: [
          { line: 3, command: 'one \\\n    more', expected: 'out\n\nput' },
          { line: 9, command: 'two', expected: '' },
        ],
      },
      { kind: 'code', line: 11, language: 'sh', file: undefined, isFragment: false, serves: true, text: '$ no\n' },
      {
        kind: 'console',
        service: ['--limits', 'query=1'],
        isSlow: false,
        exchanges: [{ line: 17, command: 'three', expected: '' }],
      },
      { kind: 'console', service: undefined, isSlow: true, exchanges: [{ line: 20, command: 'four', expected: '' }] },
      {
        kind: 'code',
        line: 22,
        language: 'js',
        file: 'slow.mjs',
        isFragment: false,
        serves: false,
        text: 'five\nsix\n',
      },
      { kind: 'code', line: 26, language: 'js', file: undefined, isFragment: true, serves: false, text: '\n' },
    ]);
  });

  it('refuses a block without end and output without a command', () => {
    expect(() => readPage('```console\n$ x')).toThrow('line 1');
    expect(() => readPage('\n```console\nx\n```')).toThrow('line 3');
  });
});

describe('isShown', () => {
  it.each([
    ['', '', true],
    ['', '\n', true],
    ['OK', 'OK', true],
    ['OK', 'OK\n', true],
    ['OK', 'OK.', false],
    ['OK', 'O', false],
    ['OK', '', false],
    ['a.c', 'abc', false],
    ['x: <16 hex>', 'x: 0123456789abcdef', true],
    ['x: <16 hex>', 'x: 0123456789abcde', false],
    ['x: <16 hex>', 'x: 0123456789ABCDEF', false],
    ['<n>-<n>-1.9', '19-1-1.9', true],
    ['<n>-<n>-1.9', '19--1.9', false],
    ['<time>', '2026-01-02T03:04:05.678Z', true],
    ['Date: <time>', 'Date: Fri, 02 Jan 2026 03:04:05 GMT', true],
    ['<time>', 'today', false],
    ['in <path>/b', 'in /a/b', true],
    ['in <path>/b', 'in a/b', false],
    ['a\nb', 'a\r\nb\r\n', true],
    ['a\n...\nb', 'a\nb', true],
    ['a\n...\nb', 'a\nx\ny\nb', true],
    ['a\n...\nb', 'a\nx\ny', false],
    ['...\nb', 'a\nb', true],
    ['a\n...', 'a\nx\ny', true],
    ['a\n...', 'ab', false],
  ])('%j shows %j: %j', (expected, output, shown) => {
    expect(isShown(expected, output)).toBe(shown);
  });
});
