import { createSum, parseHead, parseRow } from './export-format.ts';
import { readLines } from './lines.ts';
import type { RowSource, SourceHead, SourceRow } from './row-source.ts';
import { ExportError } from './transfer-errors.ts';

/**
 * An export as a source. Of its rows nothing is in memory but the one at hand.
 * @param open gives the bytes of the export from the first one on, each time it is called; in pieces of any size, as bytes or as text.
 */
export function readExport(open: () => AsyncIterable<Uint8Array | string>): RowSource {
  return {
    async head(): Promise<SourceHead> {
      for await (const { text } of readLines(open())) return parseHead(text);
      throw new ExportError(1, 'the file is empty');
    },

    async *rows(): AsyncGenerator<SourceRow> {
      const sum = createSum();
      const read = { number: 0, hasEnded: false };
      for await (const { number, text, bytes } of readLines(open())) {
        read.number = number;
        if (read.hasEnded) throw new ExportError(number, 'something follows the last line');
        const parsed = number === 1 ? parseHead(text) : parseRow(number, text);
        if (parsed === undefined) {
          if (text !== sum.lastLine())
            throw new ExportError(number, 'the last line does not fit those before it: the file was changed');
          read.hasEnded = true;
        } else if ('table' in parsed) {
          sum.add(bytes, parsed.table);
          yield { ...parsed, line: number };
        } else {
          sum.add(bytes);
        }
      }
      if (!read.hasEnded) throw new ExportError(read.number + 1, 'the file is cut off: its last line is missing');
    },
  };
}
