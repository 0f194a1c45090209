import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { HASH_IN_ANY_CASE, toKind, type Identifier } from '../../../core/domain/identifier.ts';
import { hashIdentifiers } from '../../../hash.ts';
import { isBlank } from '../../../core/identifiers/clear-value.ts';
import { NOT_IDENTIFIER } from '../../../core/identifiers/not-identifier.ts';
import { formOfKind } from '../../../core/identifiers/value-form.ts';
import { describeNotCanonical, openReading, type CLEAR_VALUES } from '../clear-values.ts';
import { UsageError } from '../errors.ts';
import type { ValuesOf } from '../option.ts';
import { printWarnings } from '../output.ts';
import { readLines } from '../lines.ts';
import { refuseIdentifier } from '../refuse-identifier.ts';
import type { WatchedCustomer } from '../../../sealed.ts';
import { MAX_IDENTIFIERS } from '../../../sealed/client/query-identifiers.ts';
import { CLIENT_VARIABLES } from '../settings/sources.ts';

const { url: URL_VARIABLE, apiKey: KEY_VARIABLE } = CLIENT_VARIABLES;

/** Returns the API key from the file of `--key-file`, or from its variable. Other users can read a command line. */
export async function readKey(file: string | undefined): Promise<string> {
  const key = (file === undefined ? (process.env[KEY_VARIABLE] ?? '') : await readText('key-file', file)).trim();
  if (key === '' && file === undefined)
    throw new UsageError(`client expects an API key: set ${KEY_VARIABLE}, or name a file with --key-file`);
  if (!/^\S+$/.test(key))
    throw new UsageError(`${file === undefined ? KEY_VARIABLE : '--key-file'} expects one API key`);
  return key;
}

/** Returns the service's address, and how messages name it. An empty variable counts as unset. */
export function readUrl(given: string | undefined): { readonly url: string; readonly label: string } {
  const url = given ?? (process.env[URL_VARIABLE] || undefined);
  if (url === undefined)
    throw new UsageError(`client expects the address of a service: set ${URL_VARIABLE}, or use --url`);
  return { url, label: given === undefined ? URL_VARIABLE : '--url' };
}

/**
 * Returns the text of a file, or of standard input for `-`. Unless `fatal`, U+FFFD stands for what is not UTF-8, and a
 * warning says so.
 */
export async function readText(option: string, file: string, { fatal } = { fatal: true }): Promise<string> {
  try {
    const bytes = file === '-' ? await readInput() : await readFile(file);
    if (!fatal && !isUtf8(bytes))
      printWarnings([`--${option} has bytes that are not UTF-8; U+FFFD is sent in their place`]);
    return new TextDecoder('utf-8', { fatal }).decode(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `--${option} expects text in UTF-8`
        : `--${option} expects a file that can be read (${code})`,
    );
  }
}

async function readInput(): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

export interface Hashing extends ValuesOf<typeof CLEAR_VALUES> {
  /** The values are hashes already. */
  readonly hashed: boolean;
  readonly prefix: string;
  readonly iterations: number;
}

const NONE_LEFT = 'no identifier is left; nothing was sent';

/**
 * Returns the identifiers of pairs such as `email=client@example.com`, hashed here. One pair `-` stands for the lines
 * of standard input. Leaves out values that are empty or no identifier, and warns of each. Throws UsageError with the
 * number of a pair, never with its value, and if all are left out.
 */
export async function readIdentifiers(pairs: readonly string[], options: Hashing): Promise<Identifier[]> {
  if (pairs.length > 1 && pairs.includes('-'))
    throw new UsageError('- means standard input; pass it without other identifiers');
  const given = pairs[0] === '-' ? await readPairs() : pairs;
  if (given.length === 0)
    throw new UsageError('client expects at least one identifier, such as email=client@example.com');
  const { hashed, prefix, iterations } = options;
  if (hashed && options.canonical) throw new UsageError('--hashed and --canonical exclude each other');
  const read = given.map((pair, index) => readPair(pair, `identifier ${index + 1}`, hashed));
  for (const [index, { value }] of read.entries())
    if (isBlank(value)) printWarnings([`identifier ${index + 1} is left out: it is empty`]);
  if (read.every(({ value }) => isBlank(value))) throw new UsageError(NONE_LEFT);
  for (const [index, { kind }] of read.entries()) {
    const form = formOfKind(kind);
    if (form !== 'other' && form !== 'name' && !kind.includes(form))
      printWarnings([`identifier ${index + 1} has the kind ${kind}, which is another one than ${form}; use ${form}=`]);
  }
  if (hashed) return read.flatMap(({ kind, value }) => (isBlank(value) ? [] : [{ kind, hash: value.toLowerCase() }]));
  const readClear = await openReading(options);
  const kept = read.flatMap(({ kind, value }, index) => {
    if (isBlank(value)) return [];
    const clear = readClear(kind, value);
    if (typeof clear !== 'string') {
      if (!clear.isCanonical) printWarnings([`identifier ${index + 1} ${describeNotCanonical(clear)}`]);
      return [{ kind, index, text: clear.text }];
    }
    printWarnings([`identifier ${index + 1} is left out: it ${NOT_IDENTIFIER[clear]}; --keep-all sends it`]);
    return [];
  });
  if (kept.length === 0) throw new UsageError(NONE_LEFT);
  const texts = kept.map(({ text }) => text);
  const hashes = await hashIdentifiers(texts, { prefix, iterations }).catch((error: unknown) =>
    refuseIdentifier(error, (index) => `identifier ${(kept[index]?.index ?? 0) + 1}`),
  );
  return kept.map(({ kind }, index) => ({ kind, hash: hashes[index] ?? '' }));
}

/** Returns the customers of a file: a name and hashes such as `email=HASH` on each line, with spaces between them. */
export async function readWatched(file: string): Promise<WatchedCustomer[]> {
  const customers = new Map<string, WatchedCustomer>();
  let number = 0;
  for (const line of (await readText('watch', file)).split(/\r?\n/)) {
    number++;
    const [name = '', ...pairs] = line.trim().split(/\s+/);
    if (name === '') continue;
    const where = `line ${number}`;
    if (pairs.length === 0 || pairs.length > MAX_IDENTIFIERS)
      throw new UsageError(`${where} expects a name and 1 to ${MAX_IDENTIFIERS} hashes, such as email=HASH`);
    if (customers.has(name)) throw new UsageError(`${where} expects a name that no other line has`);
    const identifiers = pairs.map((pair) => {
      if (!HASH_IN_ANY_CASE.test(pair.slice(pair.indexOf('=') + 1)))
        throw new UsageError(`${where} expects hashes of 40 hex characters, such as email=HASH`);
      const { kind, value } = readPair(pair, where, true);
      return { kind, hash: value.toLowerCase() };
    });
    customers.set(name, { name, identifiers });
  }
  if (customers.size === 0) throw new UsageError('client watch expects a file with at least one customer');
  return [...customers.values()];
}

async function readPairs(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(process.stdin)) if (line.trim() !== '') lines.push(line.trim());
  return lines;
}

function readPair(pair: string, where: string, hashed: boolean): { readonly kind: string; readonly value: string } {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0));
  const kind = toKind(name);
  const value = pair.slice(at + 1);
  if (kind === undefined && toKind(name.toLowerCase()) !== undefined)
    throw new UsageError(`${where} expects its kind in lower case, such as email=client@example.com`);
  if (kind === undefined) throw new UsageError(`${where} expects KIND=VALUE, such as email=client@example.com`);
  const isHash = HASH_IN_ANY_CASE.test(value);
  if (hashed && !isHash && !isBlank(value))
    throw new UsageError(`${where} expects a hash of 40 hex characters, because of --hashed`);
  if (!hashed && isHash) throw new UsageError(`${where} looks like a hash; add --hashed if the values are hashes`);
  return { kind, value };
}
