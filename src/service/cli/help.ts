import { ownersOf, splitKey, wordsOf, type Declaration } from './declaration.ts';
import { flag, type Option } from './option.ts';

const WIDTH = 100;
/** A longer head has a line of its own. */
const MAX_HEAD_CHARACTERS = 36;
/** Longer words of a choice are part of the description. */
const MAX_WORDS_CHARACTERS = 40;

/** The option that every command has. */
export const HELP = { help: flag('usage and options of a command') };

/** What a user writes, and what it means. Both are empty for a blank line. */
type Row = readonly [head: string, meaning: string];

/** Returns the help text of a command. If it has parts, it lists them. */
export function formatHelp(declared: Declaration): string {
  const { name, title, about, forms, parts, notes } = declared;
  const own = Object.keys(forms).flatMap((key) => formRows(declared, key));
  const shared = Object.keys(forms).flatMap((key) => optionRows(declared, key, { areShared: true, indent: '  ' }));
  const hasLines = own.some(([head]) => head.startsWith('  redflag '));
  const listed = Object.values(parts ?? {}).map((part): Row => [`  ${nameOf(part)}`, part.title]);
  const blank: Row[] = hasLines && shared.length > 0 ? [['', '']] : [];
  const rows = parts ? listed : [...own, ...blank, ...shared];
  const first = hasLines || parts ? `redflag ${name}`.trimEnd() : nameOf(declared);
  return [`${first}: ${title}`, about, formatRows(rows), notes]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => `${part?.trimEnd()}\n`)
    .join('\n');
}

/** Returns a command as in `redflag explain HASH…`; with `…` if it has several forms. */
function nameOf({ name, forms }: Declaration): string {
  const isPlain = Object.keys(forms).join() === '';
  const values = isPlain ? (forms['']?.usage ?? forms['']?.value?.placeholder) : '…';
  return `redflag ${name} ${values ?? ''}`.trimEnd();
}

/** Returns the line of a form, if it has one, and the options that are shown below it. */
function formRows(declared: Declaration, key: string): Row[] {
  const { value, usage = value?.placeholder ?? '', summary, options } = declared.forms[key]!;
  const { word, option } = splitKey(key);
  const own = options[option];
  const written = ['  redflag', declared.name, word, own && usageOf(option, own), usage].filter(Boolean);
  const meaning = summary ?? own?.help;
  const line: Row[] = meaning === undefined ? [] : [[written.join(' '), meaning]];
  const indent = meaning === undefined ? '  ' : '      ';
  return [...line, ...optionRows(declared, key, { areShared: false, indent })];
}

/** Returns the options of a form that are shared, or not, unless an earlier form has them. */
function optionRows(
  { name, forms }: Declaration,
  key: string,
  { areShared, indent }: { readonly areShared: boolean; readonly indent: string },
): Row[] {
  const keys = Object.keys(forms);
  return Object.entries(forms[key]!.options).flatMap(([option, declared]) => {
    // Options of the same name may mean different things in different forms.
    const places = keys.filter((one) => forms[one]?.options[option] === declared);
    if (places[0] !== key || areShared === isOfOneForm(places) || option === splitKey(key).option) return [];
    const isOfEach = !areShared || wordsOf(places).length === wordsOf(keys).length;
    const owners = isOfEach ? [] : ownersOf(forms, option).map((one) => one || name);
    return [[`${indent}${usageOf(option, declared)}`, describe(declared, owners)]];
  });
}

/**
 * Returns true if an option is shown below the first of these forms, such as `report` and `report --sealed`, or `query
 * --sealed` and `report --sealed`. The options of other forms are shared.
 */
function isOfOneForm(places: readonly string[]): boolean {
  const isEqual = (part: 'word' | 'option'): boolean => {
    const parts = new Set(places.map((key) => splitKey(key)[part]));
    return parts.size === 1 && !parts.has('');
  };
  return places.length === 1 || isEqual('word') || isEqual('option');
}

/** Returns how an option is written: `--port N`. */
function usageOf(name: string, { kind, placeholder, members }: Option): string {
  const words = kind === 'text' ? members.join('|') : '';
  const value = words !== '' && words.length <= MAX_WORDS_CHARACTERS ? words : placeholder;
  return `--${name}${value && ` ${value}`}`;
}

function describe(option: Option, owners: readonly string[]): string {
  const { help, kind, default: fallback, members } = option;
  const words = kind === 'text' && members.join('|').length > MAX_WORDS_CHARACTERS ? `: ${members.join(', ')}` : '';
  const shown = kind === 'flag' || fallback === undefined ? '' : `default ${fallback}`;
  const further = [owners.join(', '), shown].filter((part) => part !== '').join('; ');
  return `${help}${words}${further && ` (${further})`}`;
}

/** Returns rows as two columns, with at most 100 characters a line. */
function formatRows(rows: readonly Row[]): string {
  const lengths = rows.map(([head]) => head.length).filter((length) => length <= MAX_HEAD_CHARACTERS);
  const column = 2 + Math.max(...lengths);
  return rows
    .flatMap(([head, meaning]) => {
      const lines = wrap(meaning, WIDTH - column);
      const first = head.length < column ? [head.padEnd(column) + lines.shift()!] : [head];
      return [...first, ...lines.map((line) => ' '.repeat(column) + line)];
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
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
