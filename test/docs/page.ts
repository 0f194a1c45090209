// Reads the blocks of a page that the tests run.
//
//   ```js file="shop.mjs"
//   console.log('hello');
//   ```
//   With `redflag serve --limits query=1`:
//
//   ```console
//   $ node shop.mjs
//   hello
//   ```
//
// - A block with `file` is saved under that name in the folder of the terminal.
// - A block of the language `console` is a terminal. A line that begins with `$ ` is a command, and continues while
//   lines end in a backslash. The lines up to the next command are the whole output of both streams, without line
//   breaks at the end. The command must exit with 0.
// - In the output `<16 hex>` (any number) matches that many lowercase hex characters. `<time>` matches a moment in ISO
//   8601 or in the format of HTTP. `<n>` matches digits, and `<path>` the absolute path of a folder. `...` alone on a
//   line matches any number of lines, also none.
// - "With `redflag serve …`:", alone on the line before a terminal and its blank line, starts a service of the block's
//   own with these options.
// - `slow` leaves a block to the slow tests. No other block may depend on it.
// - `serves` marks an `sh` block with one line, `npx redflag serve …`. The test kills the service of the page, and
//   starts this one in the folder of the terminal.
// - `fragment` marks code that cannot run alone. The tests check its syntax and its imports from redflag.

/** One command and its output. */
export interface Exchange {
  /** Line of the command, counted from 1. */
  readonly line: number;
  readonly command: string;
  readonly expected: string;
}

/** A fenced block of the language `console`. */
export interface ConsoleBlock {
  readonly kind: 'console';
  /** Options of a service of the block's own; undefined when the block uses the page's service. */
  readonly service: readonly string[] | undefined;
  /** True when only the slow tests run the block. */
  readonly isSlow: boolean;
  readonly exchanges: readonly Exchange[];
}

/** A fenced block of any other language. */
export interface CodeBlock {
  readonly kind: 'code';
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** Name under which the code is saved; undefined when it is not saved. */
  readonly file: string | undefined;
  readonly isFragment: boolean;
  readonly serves: boolean;
  readonly text: string;
}

/** Returns the fenced blocks of a page in order. Throws for an unclosed block and for output before a command. */
export function readPage(markdown: string): (ConsoleBlock | CodeBlock)[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: (ConsoleBlock | CodeBlock)[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^```(\w*)(.*)$/.exec(lines[at]!);
    if (opening === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: the block is not closed`);
    const [, language, words] = opening as unknown as [string, string, string];
    const inside = lines.slice(at + 1, end);
    const value = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(words)?.[1];
    const flag = (name: string): boolean =>
      words
        .replace(/"[^"]*"/g, '')
        .split(' ')
        .includes(name);
    blocks.push(
      language === 'console'
        ? {
            kind: 'console',
            service: /^With `redflag serve (.+)`:$/.exec(lines[at - 2] ?? '')?.[1]!.split(' '),
            isSlow: flag('slow'),
            exchanges: readExchanges(inside, at + 2),
          }
        : {
            kind: 'code',
            line: at + 1,
            language,
            file: value('file'),
            isFragment: flag('fragment'),
            serves: flag('serves'),
            text: `${inside.join('\n')}\n`,
          },
    );
    at = end;
  }
  return blocks;
}

function readExchanges(lines: readonly string[], firstLine: number): Exchange[] {
  const exchanges: { line: number; command: string; output: string[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const text = lines[at]!;
    const last = exchanges.at(-1);
    if (text.startsWith('$ ')) {
      const line = firstLine + at;
      let command = text.slice(2);
      while (command.endsWith('\\') && at + 1 < lines.length) command += `\n${lines[(at += 1)]!}`;
      exchanges.push({ line, command, output: [] });
    } else if (last !== undefined) last.output.push(text);
    else if (text !== '') throw new Error(`line ${firstLine + at}: output without a command`);
  }
  return exchanges.map(({ line, command, output }) => ({ line, command, expected: trimEnd(output.join('\n')) }));
}

const PLACEHOLDER = /<(?:(\d+) hex|time|n|path)>/g;
const PATTERNS: Readonly<Record<string, string>> = { '<n>': String.raw`\d+`, '<path>': String.raw`\/\S*` };
const TIME = String.raw`(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)`;

/** True when the output matches what the page shows. */
export function isShown(expected: string, output: string): boolean {
  const lines = expected
    .split('\n')
    .map((line) => (line === '...' ? String.raw`(?:[^\n]*\n)*?` : `${toPattern(line)}\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${trimEnd(output.replaceAll('\r\n', '\n'))}\n`);
}

function toPattern(line: string): string {
  let pattern = '';
  let from = 0;
  for (const match of line.matchAll(PLACEHOLDER)) {
    pattern += escape(line.slice(from, match.index));
    pattern += match[1] !== undefined ? `[0-9a-f]{${match[1]}}` : (PATTERNS[match[0]] ?? TIME);
    from = match.index + match[0].length;
  }
  return pattern + escape(line.slice(from));
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** The text without its trailing line breaks. */
export function trimEnd(text: string): string {
  return text.replace(/\n+$/, '');
}
