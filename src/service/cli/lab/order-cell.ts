import type { Cell } from '../csv/records.ts';
import { decode } from '../csv/rows.ts';

/** Returns the text of a cell, trimmed; undefined if it is not UTF-8. WeChat Pay writes a backtick before each text. */
export function readCell(cell: Cell | undefined): string | undefined {
  return cell === undefined ? '' : decode(cell)?.trim().replace(/^`/, '').trim();
}
