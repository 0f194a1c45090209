import { utf8ToBytes } from '@noble/hashes/utils.js';
import { createSum, formatHead, formatRow } from './export-format.ts';
import { requireSource, type RowSource } from './row-source.ts';

/**
 * Yields the lines of an export with their line ends. Equal sources yield equal bytes. Throws TypeError if the argument
 * is not a source.
 */
export async function* writeExport(source: RowSource): AsyncGenerator<string> {
  requireSource(source);
  const sum = createSum();
  const head = `${formatHead(await source.head())}\n`;
  sum.add(utf8ToBytes(head));
  yield head;
  for await (const { table, row } of source.rows()) {
    const line = `${formatRow(table, row)}\n`;
    sum.add(utf8ToBytes(line), table);
    yield line;
  }
  yield `${sum.lastLine()}\n`;
}
