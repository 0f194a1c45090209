import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

// What no formatter, compiler or linter of this project looks at.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WIDTH = 120;
/** What may stand beside a text that no formatter breaks: indentation apart, a name, a call, brackets. */
const BESIDE_TEXT = 40;

const sourcesOf = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.(tsx?|mts|mjs|cjs)$/.test(name) && !/\.generated\.|\/node_modules\//.test(name)),
  );

/** Numbers of the lines that are too long. A string, a template, a regular expression and a lone address may be. */
function longLines(name: string, text: string): number[] {
  const lines = text.split('\n');
  if (lines.every((line) => line.length <= WIDTH)) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  const starts = source.getLineStarts();
  /** How much of each line is inside a literal. */
  const literal = lines.map(() => 0);
  const visit = (node: ts.Node): void => {
    if (!ts.isLiteralExpression(node) && !ts.isTemplateExpression(node)) return ts.forEachChild(node, visit);
    for (let at = source.getLineAndCharacterOfPosition(node.getStart()).line; starts[at]! < node.end; at++)
      literal[at]! += Math.min(node.end, starts[at]! + lines[at]!.length) - Math.max(node.getStart(), starts[at]!);
  };
  visit(source);
  return lines.flatMap((line, at) => {
    const isText = literal[at]! > 0 && line.trim().length - literal[at]! <= BESIDE_TEXT;
    const isAddress = /^\s*(\/\/|\*)\s*\S*https?:\S+$/.test(line);
    return line.length <= WIDTH || isText || isAddress ? [] : [at + 1];
  });
}

/** A row of a database read by the number of its column, or destructured with holes for other columns. */
const BY_COLUMN_NUMBER = /\b\w*[rR]ow!?\[\d|\b\w*[rR]ows!?\[[^\]]+\]!?\[\d|\]!?\[0\]!?\[\d|[\w[], , /;

describe('what the sources look like', () => {
  it('a line has at most 120 characters', () => {
    const found = sourcesOf('src', 'test', 'bench', 'scripts', 'examples').flatMap((name) =>
      longLines(name, readFileSync(ROOT + name, 'utf8')).map((line) => `${name}:${line}`),
    );
    expect(found).toEqual([]);
  });

  it('the measure of lines leaves out long texts and nothing else', () => {
    const long = 'x'.repeat(130);
    const lines = [
      `// ${long}`,
      `const a = '${long}';`,
      `const b = \`${long}`,
      `\`;`,
      `const ${long} = '';`,
      `/** See https://example.org/${long} */`,
      `// https://example.org/${long}`,
      `call(${'word, '.repeat(20)}'${long}');`,
      `throw new TypeError('${long}'); // why`,
    ];
    expect(longLines('sample.ts', lines.join('\n'))).toEqual([1, 5, 6, 8]);
  });

  it('a row of the store is read by the names of its columns', () => {
    const found = sourcesOf('src/core/store', 'src/stores').filter((name) =>
      BY_COLUMN_NUMBER.test(readFileSync(ROOT + name, 'utf8')),
    );
    expect(found).toEqual([]);
  });

  it.each(['row[7]', 'row![0]', 'rows[at]![3]', 'found[at]![0]![1]', '([, , name]) => name', '[kind, , hash] = row'])(
    'sees %s',
    (text) => expect(text).toMatch(BY_COLUMN_NUMBER),
  );
});
