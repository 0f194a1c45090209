// Looks for values that must not be somewhere, in every form in which they could be there.

/** A value that must not be anywhere, except at some places. */
export interface Needle {
  /** What it is, for messages: the value itself stays out of them. */
  readonly what: string;
  readonly value: string;
}

/** All forms of a value in which the search finds it, as strings of bytes (latin1), by the name of the form. */
export function formsOf(value: string): Map<string, string> {
  const forms = new Map<string, string>();
  const text = Buffer.from(value);
  const add = (form: string, bytes: string): void => {
    // Anything shorter is found by chance.
    if (bytes.length >= 7) forms.set(form, bytes);
  };
  const addBytes = (name: string, bytes: Buffer): void => {
    add(`${name} as hex`, bytes.toString('hex'));
    add(`${name} as HEX`, bytes.toString('hex').toUpperCase());
    // Base64 depends on what stands before the value: 0, 1 or 2 bytes of a group of three.
    for (const before of [0, 1, 2]) {
      const whole = Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .replace(/=+$/, '');
      const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
      add(`${name} as base64, ${before} after a group`, own);
      add(`${name} as base64url, ${before} after a group`, own.replaceAll('+', '-').replaceAll('/', '_'));
    }
  };
  add('raw', text.toString('latin1'));
  add('in upper case', value.toUpperCase());
  add('in lower case', value.toLowerCase());
  add('URL-encoded', encodeURIComponent(value));
  add('as JSON', JSON.stringify(value).slice(1, -1));
  addBytes('text', text);
  if (/^(?:[0-9a-f]{2})+$/i.test(value)) {
    const bytes = Buffer.from(value, 'hex');
    add('bytes', bytes.toString('latin1'));
    addBytes('bytes', bytes);
  }
  return forms;
}

const PREFIX = 7;

/** Returns a function that lists what it finds in some bytes: `API key 3, text as hex`. */
export function searchFor(needles: readonly Needle[]): (bytes: Buffer | string) => string[] {
  const byPrefix = new Map<string, { form: string; bytes: string }[]>();
  for (const { what, value } of needles)
    for (const [form, bytes] of formsOf(value)) {
      const prefix = bytes.slice(0, PREFIX);
      const known = byPrefix.get(prefix) ?? [];
      byPrefix.set(prefix, known);
      known.push({ form: `${what}, ${form}`, bytes });
    }
  return (given) => {
    const hay = (typeof given === 'string' ? Buffer.from(given) : given).toString('latin1');
    const found = new Set<string>();
    for (let at = 0; at + PREFIX <= hay.length; at++)
      for (const { form, bytes } of byPrefix.get(hay.slice(at, at + PREFIX)) ?? [])
        if (hay.startsWith(bytes, at)) found.add(form);
    return [...found];
  };
}
