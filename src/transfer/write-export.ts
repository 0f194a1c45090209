import { utf8ToBytes } from '@noble/hashes/utils.js';
import { createSum, formatHead, formatRow } from './export-format.ts';
import type { RowSource } from './row-source.ts';

/** The lines of an export, each with its end. The same source gives the same bytes. */
export async function* writeExport(source: RowSource): AsyncGenerator<string> {
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
