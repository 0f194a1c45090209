import type { Command } from '../arguments.ts';

/** A word that a command line may have. */
export interface Word {
  readonly text: string;
  /** One line; may be empty. */
  readonly description: string;
  /** The values of an option: undefined for a flag, and empty if any text is one. */
  readonly values?: readonly string[] | undefined;
}

/** What may follow on a command line after some words. */
export interface Place {
  /** The words, as in `keys create`; empty for the beginning. */
  readonly after: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/** A line such as `  redflag keys create NAME     add a reporter`. */
const USAGE = /^ {2}redflag (.*)$/;
/** A line such as `      --scope query|report     what the key may do`. */
const OPTION = /^( +)(--[a-z][a-z0-9-]*)(?: (\S+))?(?: {2}(.*))?$/;
/** An option within a usage line. Its value has capitals. */
const INLINE = /(--[a-z][a-z0-9-]*)(?: ([A-Z]\S*))?/g;
/** Closed values, in place of a name in capitals. */
const NAMES = /^[a-z][a-z0-9-]*(?:\|[a-z][a-z0-9-]*)*$/;
/** Closed values that are too long for that: they are the description. */
const LIST = /^[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)+$/;
/** The help of a command that has the options of another one. */
const SAME_OPTIONS = /^Takes all options of redflag ([a-z]+)\./m;

/**
 * Returns what may follow after each command and subcommand. Reads the help texts, which are the only list of
 * subcommands, options and their values.
 */
export function readPlaces(help: string, commands: Readonly<Record<string, Command>>): Place[] {
  const [top] = readHelp('', help);
  const everywhere = top?.options.filter(({ text }) => text === '--help') ?? [];
  const places = Object.entries(commands).flatMap(([name, command]) => readCommand(name, command));
  const inherited = (name: string): readonly Word[] => {
    const other = SAME_OPTIONS.exec(commands[name.split(' ')[0] ?? '']?.help ?? '')?.[1];
    return places.find(({ after }) => after === other)?.options ?? [];
  };
  return [
    ...(top ? [top] : []),
    ...places.map((place) => ({
      ...place,
      options: unique([...place.options, ...inherited(place.after), ...everywhere]),
    })),
  ];
}

function readCommand(name: string, { help, parts = {} }: Command): Place[] {
  const own = readHelp(name, help).filter(({ after }) => !Object.hasOwn(parts, after.slice(name.length + 1)));
  return [...own, ...Object.entries(parts).flatMap(([part, command]) => readCommand(`${name} ${part}`, command))];
}

/** Returns the place after a command, and one for each of its subcommands, which also has the command's options. */
function readHelp(name: string, help: string): Place[] {
  const commands: Word[] = [];
  const options: Word[] = [];
  const ownOptions = new Map<string, Word[]>();
  /** The subcommands of the last usage line. */
  let current: readonly string[] = [];
  const start = name === '' ? '' : `${name} `;
  const lines = help.split('\n');
  for (const [at, line] of lines.entries()) {
    const usage = USAGE.exec(line)?.[1];
    if (usage !== undefined) {
      const words = usage.startsWith(start) ? usage.slice(start.length) : '';
      const [first = ''] = words.split(' ', 1);
      const gap = words.indexOf('  ');
      const description = describe(gap < 0 ? '' : words.slice(gap), lines.slice(at + 1));
      current = NAMES.test(first) ? first.split('|') : [];
      for (const text of current) {
        commands.push({ text, description });
        if (!ownOptions.has(text)) ownOptions.set(text, []);
      }
      for (const [, text = '', value] of usage.matchAll(INLINE)) addOption(text, value, description);
      continue;
    }
    const [, indent = '', text, value, begin = ''] = OPTION.exec(line) ?? [];
    if (text === undefined) continue;
    if (indent.length <= 2) current = [];
    addOption(text, value, describe(begin, lines.slice(at + 1)));
  }
  return [
    { after: name, commands: unique(commands), options: unique(options) },
    ...[...ownOptions].map(([sub, own]) => ({
      after: `${name} ${sub}`.trim(),
      commands: [],
      options: unique([...own, ...options]),
    })),
  ];

  function addOption(text: string, value: string | undefined, description: string): void {
    const values = value === undefined ? undefined : readValues(value, description);
    const lists = current.length === 0 ? [options] : current.map((sub) => ownOptions.get(sub) ?? options);
    for (const list of lists) list.push({ text, description, values });
  }
}

function readValues(value: string, description: string): readonly string[] {
  if (NAMES.test(value)) return value.split('|');
  return LIST.test(description) ? description.split(', ') : [];
}

/** Returns the first part of a description that may continue on further lines. */
function describe(begin: string, next: readonly string[]): string {
  const end = next.findIndex((line) => !/^ {4}/.test(line) || OPTION.test(line));
  const whole = [begin, ...next.slice(0, end === -1 ? next.length : end)].map((line) => line.trim()).join(' ');
  const [sentence = ''] = whole.split(/[;:(]|\. /, 1);
  return sentence.trim();
}

/** Keeps the first of the words with the same text. */
function unique(words: readonly Word[]): Word[] {
  return words.filter(({ text }, at) => words.findIndex((word) => word.text === text) === at);
}
