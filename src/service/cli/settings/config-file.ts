import { open } from 'node:fs/promises';
import { holdsPassword } from '../../data-folder/address.ts';
import { messageOf, UsageError } from '../errors.ts';
import { closest } from './closest.ts';
import { formatList, type Option, type Options } from '../option.ts';

/** The permission to read for users who are neither the owner nor in the group. */
const OTHERS_READ = 0o004;

/** A configuration file: its settings by name, in the form of the command line. */
export interface ConfigFile {
  readonly texts: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/**
 * Reads a JSON object whose keys are the names of options. Throws UsageError if the file cannot be read, is not such an
 * object, or has an unknown key, a key twice, or a value of another type. Values are not validated further.
 */
export async function readConfigFile(path: string, options: Options): Promise<ConfigFile> {
  const { text, mode } = await readWithMode(path);
  const texts = new Map<string, string>();
  // A file cannot name another one.
  const names = Object.keys(options).filter((name) => name !== 'config');
  for (const [name, value] of Object.entries(parseObject(path, text))) {
    const option = names.includes(name) ? options[name] : undefined;
    if (option === undefined) throw unknownKey(path, name, names);
    texts.set(name, toText(option, value, name, path));
  }
  const hasPassword = names.some((name) => options[name]?.isAddress && holdsPassword(texts.get(name) ?? ''));
  // Windows has no such permissions.
  const isOpen = process.platform !== 'win32' && (mode & OTHERS_READ) !== 0;
  return {
    texts,
    warnings:
      hasPassword && isOpen ? [`${path} holds a password, and every user can read it; run chmod o-r ${path}`] : [],
  };
}

async function readWithMode(path: string): Promise<{ readonly text: string; readonly mode: number }> {
  try {
    const file = await open(path);
    try {
      return { text: await file.readFile('utf8'), mode: (await file.stat()).mode };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`the configuration file ${path} cannot be read (${code})`);
  }
}

function parseObject(path: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message may show a part of the file. Take only the position.
    const at = /at position (\d+)/.exec(messageOf(error))?.[1];
    const where = at === undefined ? '' : `, line ${text.slice(0, Number(at)).split('\n').length}`;
    throw new UsageError(`${path} is not valid JSON${where}`);
  }
  if (!isObject(value)) throw new UsageError(`${path} expects an object such as { "port": 8080 }`);
  const twice = repeatedKey(text);
  if (twice !== undefined) throw new UsageError(`${path} has the key ${showKey(twice)} twice`);
  return value;
}

/** Returns a key that one object of a valid JSON text has twice. JSON.parse would ignore the first one. */
function repeatedKey(text: string): string | undefined {
  const open: Set<unknown>[] = [];
  for (const [token, quoted, colon] of text.matchAll(/("(?:[^"\\]|\\.?)*(?:"|$))(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined && quoted !== undefined) {
      const key = JSON.parse(quoted) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

/** Returns a value of the file in the form of the command line. */
function toText(option: Option, value: unknown, name: string, path: string): string {
  const expects = (what: string): UsageError => new UsageError(`"${name}" in ${path} expects ${what}`);
  switch (option.kind) {
    case 'text':
      if (typeof value !== 'string') throw expects('a text in quotes');
      return value;
    case 'number':
      if (typeof value !== 'number') throw expects('a number');
      return String(value);
    case 'flag':
      if (typeof value !== 'boolean') throw expects('true or false');
      return String(value);
    case 'list': {
      if (!isObject(value)) throw expects(`an object such as ${exampleOf(option)}`);
      for (const [member, number] of Object.entries(value)) {
        if (!option.members.includes(member)) throw unknownKey(path, member, option.members, `in "${name}" `);
        if (typeof number !== 'number') throw expects(`numbers, such as ${exampleOf(option)}`);
      }
      return formatList(value);
    }
  }
}

function exampleOf({ default: fallback = '' }: Option): string {
  const [name, value] = (fallback.split(',')[0] ?? '').split('=');
  return `{ "${name}": ${value} }`;
}

function unknownKey(path: string, key: string, names: readonly string[], where = ''): UsageError {
  const similar = closest(key, names);
  const help = similar === '' ? '; redflag serve --help lists the keys' : similar;
  return new UsageError(`${path} has ${where}the unknown key ${showKey(key)}${help}`);
}

/** Shows a key only if it looks like a name: it may be a value in the wrong place. */
function showKey(key: string): string {
  return /^[\w-]{1,40}$/.test(key) ? `"${key}"` : '(not shown)';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
