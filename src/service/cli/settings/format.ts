import type { Option, Options } from './option.ts';

const WIDTH = 100;
/** The column at which descriptions begin. */
const INDENT = 22;

/** Returns the help text of all options, with at most 100 characters a line. */
export function formatOptions(options: Options): string {
  return Object.entries(options)
    .map(([name, option]) => {
      const words = option.kind === 'text' ? option.members.join('|') : '';
      const head = `  ${usageOf(name, words === '' ? option : { ...option, placeholder: words })}`;
      const lines = wrap(describe(option), WIDTH - INDENT);
      const first = head.length < INDENT - 1 ? [head.padEnd(INDENT) + (lines.shift() ?? '')] : [head];
      return [...first, ...lines.map((line) => ' '.repeat(INDENT) + line)].map((line) => `${line}\n`).join('');
    })
    .join('');
}

/** Returns how an option is written: `--port N`. */
export function usageOf(name: string, { placeholder }: Option): string {
  return `--${name}${placeholder && ` ${placeholder}`}`;
}

function describe({ help, kind, default: fallback }: Option): string {
  return kind === 'flag' || fallback === undefined ? help : `${help} (default ${fallback})`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  // A list without spaces may be longer than a line, so a line may also end after a comma.
  for (const piece of text.split(/(?<=[ ,])(?! )/)) {
    if (line !== '' && line.length + piece.trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = piece;
    } else line += piece;
  }
  return [...lines, line];
}
