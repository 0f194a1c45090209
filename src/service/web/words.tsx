const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A moment (ms, UTC) in words. Pages run no script, so they cannot know the reader's time zone. */
export function Time({ at }: { readonly at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{MOMENT.format(at)} UTC</time>;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a moment (ms, UTC). */
export function Day({ at }: { readonly at: number }) {
  return <time dateTime={new Date(at).toISOString().slice(0, 10)}>{DAY.format(at)}</time>;
}

/** Returns `a, b and c`. */
export function formatList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const KINDS: Readonly<Record<string, string>> = { ip: 'IP address', phone: 'phone number' };

/** Returns a kind of identifier in words. Any name is a kind. */
export function nameOfKind(kind: string): string {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind]! : nameOfType(kind);
}

/** Returns an offence type in words. */
export function nameOfType(type: string): string {
  return type.replaceAll('_', ' ');
}

const WHOLE = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** Returns a number with separators of thousands. */
export function formatWhole(value: number): string {
  return WHOLE.format(value);
}
