import { count } from '../../core/domain/text.ts';
import { isCountry, type CanonicalDoubt, type CanonicalOptions } from '../../core/identifiers/canonical-value.ts';
import { readClearValue, type ClearValue } from '../../core/identifiers/clear-value.ts';
import { isSharedHost } from '../../core/identifiers/platforms.ts';
import type { NotIdentifier } from '../../core/identifiers/not-identifier.ts';
import { UsageError } from './errors.ts';
import { flag, text, type ValuesOf } from './option.ts';

/** The options of a command that hashes values that people or programs wrote. */
export const CLEAR_VALUES = {
  canonical: flag(
    'first write each value in the canonical form of its kind, such as +15550100199; use it on both sides',
  ),
  country: text(
    'CC',
    'with --canonical: country of phone numbers without a country code, such as DE (needs libphonenumber-js)',
    { read: parseCountry },
  ),
  mailbox: flag('with --canonical: also join the spellings of one mailbox, such as dora+shop@… and dora@…'),
  'keep-all': flag('also use values that are no identifier, such as none, 4.92E+11 or 127.0.0.1'),
};

function parseCountry(value: string): string {
  if (!isCountry(value)) throw new UsageError('expects a country of two letters, such as DE or GB');
  return value.toUpperCase();
}

const DOUBTS: Readonly<Record<CanonicalDoubt, string>> = {
  'unclear-zeros': 'a part with a zero before it may be decimal or octal',
  'two-readings': 'it may be a number of this country or of another one',
  'unused-number': 'its country does not give out such numbers',
  'wrong-length': 'its country has no numbers of this length',
  'no-area-code': 'it may lack its area code',
  extension: 'the extension may be the person, so it stays',
};

/** Says, after its place, that `--canonical` did not change a value to the form of its kind. */
export function describeNotCanonical({ doubt }: ClearValue): string {
  return `has no canonical form of its kind, so it may not match${doubt === undefined ? '' : `: ${DOUBTS[doubt]}`}`;
}

/** Returns what to hash, or why the value is left out. `kind` may be the name of a column. */
export type ReadClear = (kind: string | undefined, value: string) => ClearValue | NotIdentifier;

/** Maximum number of values whose readings are kept, and their length in UTF-16 units: at most some 30 MB. */
const [MAX_KNOWN, LONGEST_KNOWN] = [65_536, 128];

/**
 * Returns the function that reads clear values, each of a file once if it has at most 65,536 different ones. Throws
 * UsageError for options that do not fit together.
 */
export async function openReading(values: ValuesOf<typeof CLEAR_VALUES>): Promise<ReadClear> {
  const { canonical, country, mailbox, 'keep-all': keepAll } = values;
  if (!canonical && (country !== undefined || mailbox))
    throw new UsageError(`--${mailbox ? 'mailbox' : 'country'} expects --canonical`);
  const options: CanonicalOptions = { mailbox, ...(country === undefined ? {} : await loadCountry(country)) };
  const reading = { canonical: canonical ? options : undefined, keepAll, isSharedHost };
  // Files are read twice, and their values recur.
  const known = new Map<string, ReturnType<ReadClear>>();
  return (kind, value) => {
    const name = `${kind ?? ''} ${value}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const read = readClearValue(kind, value, reading);
    if (known.size >= MAX_KNOWN) known.clear();
    if (value.length <= LONGEST_KNOWN) known.set(name, read);
    return read;
  };
}

async function loadCountry(country: string): Promise<CanonicalOptions> {
  const library = await import('libphonenumber-js').catch(() => {
    throw new UsageError('--country needs the package libphonenumber-js: npm install libphonenumber-js');
  });
  if (!library.isSupportedCountry(country))
    throw new UsageError('--country expects a country of ISO 3166-1, such as DE');
  return { country, parsePhone: library.parsePhoneNumberFromString };
}

/** Says how many values were hashed in a form that `--canonical` would change. */
export function describeChanges(values: number): string {
  return `Written in another form than the canonical one: ${count(values, 'value')}; --canonical changes ${values === 1 ? 'it' : 'them'}.`;
}

/** Counts of values that were read. */
export interface ValueCounts {
  readonly leftOut: LeftOut;
  /** Without the canonical form of their kind. */
  notCanonical: number;
  /** Those that `--canonical` would write differently. */
  wouldChange: number;
}

/** What the messages call each reason. */
const REASONS: Readonly<Record<NotIdentifier, string>> = {
  placeholder: 'no value',
  destroyed: 'damaged',
  nobody: 'no person',
  hash: 'already hashed',
};

/** Counts values that are left out, by reason. */
export type LeftOut = Partial<Record<NotIdentifier, number>>;

/** Returns how many values are left out and why, as in `2 left out (1 no value, 1 damaged)`. */
export function describeLeftOut(counts: LeftOut): string {
  const each = (Object.keys(REASONS) as NotIdentifier[]).filter((reason) => counts[reason]);
  const sum = each.reduce((total, reason) => total + counts[reason]!, 0);
  return `${sum} left out (${each.map((reason) => `${counts[reason]} ${REASONS[reason]}`).join(', ')})`;
}
