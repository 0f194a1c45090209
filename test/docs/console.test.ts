import { describe, expect, it } from 'vitest';
import { isShown, readConsole } from './console.ts';

describe('readConsole', () => {
  it('finds commands with their lines, their continuation and their output', () => {
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
      '```sh',
      '$ no',
      '```',
      '```console service="--limits query=1"',
      '$ three',
      '```',
      '```console slow',
      '$ four',
      '```',
    ].join('\n');
    expect(readConsole(page)).toEqual([
      {
        service: undefined,
        isSlow: false,
        exchanges: [
          { line: 3, command: 'one \\\n    more', expected: 'out\n\nput' },
          { line: 9, command: 'two', expected: '' },
        ],
      },
      { service: ['--limits', 'query=1'], isSlow: false, exchanges: [{ line: 15, command: 'three', expected: '' }] },
      { service: undefined, isSlow: true, exchanges: [{ line: 18, command: 'four', expected: '' }] },
    ]);
  });

  it('refuses a block without end and output without a command', () => {
    expect(() => readConsole('```console\n$ x')).toThrow('line 1');
    expect(() => readConsole('\n```console\nx\n```')).toThrow('line 3');
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
