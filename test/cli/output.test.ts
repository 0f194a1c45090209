import { describe, expect, it } from 'vitest';
import { formatTable, toJson } from '../../src/service/cli/output.ts';

describe('JSON on a terminal', () => {
  it('has characters that change it, or the order of the text, only as escapes', () => {
    const answer = { name: '\u007f\u0080\u009b31m\u009f\u202e\u2066\u061c\u001b é ✓' };
    const json = toJson(answer, 2);
    expect(json).toBe('{\n  "name": "\\u007f\\u0080\\u009b31m\\u009f\\u202e\\u2066\\u061c\\u001b é ✓"\n}\n');
    expect(JSON.parse(json)).toEqual(answer);
  });
});

describe('a table on a terminal', () => {
  it('has aligned columns, and a line for each row', () => {
    const rows = [
      ['NAME', 'KEYS', 'SINCE'],
      ['Corner Shop', '2', ''],
    ];
    expect(formatTable(rows)).toBe('NAME         KEYS  SINCE\nCorner Shop  2\n');
  });

  it('is about as long as its cells, however long one of them is', () => {
    const rows = [['x'.repeat(1_000_000), 'last'], ...Array.from({ length: 2_000 }, () => ['a', 'b'])];
    expect(formatTable(rows).length).toBeLessThan(1_000_000 + 2_001 * 100);
  });

  it('has nothing in it that changes the terminal or the order of the text', () => {
    expect(formatTable([['\u001b]0;owned\u0007\u001b[2J', 'a\u202eb\nc']])).toBe(
      '\ufffd]0;owned\ufffd\ufffd[2J  a\ufffdb c\n',
    );
  });
});
