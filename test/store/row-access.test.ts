import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const ROOMS = ['core/store', 'stores/sqljs', 'stores/sqlite', 'stores/postgres', 'stores/durable-object'];
const files = ROOMS.flatMap((room) =>
  readdirSync(join(SOURCES, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`),
);

/** Code without comments, texts and regular expressions of one line. */
function codeOf(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/\/(?:[^/\\\n ]|\\.)+\/[gimsuy]*(?=[.,;)])/g, "''");
}

/** Numbers as an index, and list patterns with holes. */
function positionsIn(code: string): string[] {
  return [...code.matchAll(/[\w)\]!]\s*(?:\?\.)?\[\s*-?\d+\s*\]|\.at\(\s*\d+\s*\)\.|[[,]\s*,/g)].map(
    ([found]) => found,
  );
}

// A row is a list of values only where drivers return it and in the files that give its values names.
const HANDLE_LISTS =
  /^(core\/store\/(sql\/(rows|pairs|pages|table|statement|columns|check|audit-chain|transfer|migration)|sqlite\/.+|sqljs\/database)|stores\/(sqlite\/.+|durable-object\/driver|postgres\/(run|replica)))\.ts$/;

describe('the sources of stores', () => {
  it.each(files)('%s names columns and uses no numbers for them', (file) => {
    expect(positionsIn(codeOf(readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
  });

  it('hands rows as lists only to the files that give them names', () => {
    for (const file of files) {
      const usesLists = /\bSqlRow\b/.test(codeOf(readFileSync(join(SOURCES, file), 'utf8')));
      if (usesLists) expect(file).toMatch(HANDLE_LISTS);
    }
  });

  it('would find an index, a hole and a list of rows', () => {
    expect(positionsIn(codeOf('const a = row[7];'))).toHaveLength(1);
    expect(positionsIn(codeOf('const a = rows[0]![0];'))).toHaveLength(2);
    expect(positionsIn(codeOf('const [, , a] = row;'))).not.toHaveLength(0);
    expect(positionsIn(codeOf('rows.map(([id, , name]) => id)'))).not.toHaveLength(0);
    expect(positionsIn(codeOf("sql('SELECT a[0], , b') // row[1]"))).toEqual([]);
  });
});
