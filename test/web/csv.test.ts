import { expect, it } from 'vitest';
import { csvCell } from '../../src/service/web/csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['\uff1d1', "'\uff1d1"],
  ['=HYPERLINK("http://evil.example";"x")', `"'=HYPERLINK(""http://evil.example"";""x"")"`],
  // A reader of semicolons begins a cell there, whatever the quotes around it.
  ['x;=cmd', `"x;'=cmd"`],
  ['x\n"+1', `"x\n'""+1"`],
  ['a; =b;c', '"a; =b;c"'],
  ['a,b;"c"', '"a,b;""c"""'],
  ['shop-1', 'shop-1'],
  ['', ''],
])('%j is %s', (text, cell) => expect(csvCell(text)).toBe(cell));
