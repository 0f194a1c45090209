import { readFileSync } from 'node:fs';

/** One row of the table of errors in docs/protocol.md, section 7. */
export interface ErrorRow {
  readonly status: number;
  /** The body of a reply with these details, `ERROR: ` included. */
  readonly body: RegExp;
}

/** The closed list of errors, as a user of the service reads it. */
export function readErrorTable(): ErrorRow[] {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| (\d{3}) \| `([^`]+)` \|/gm)].map(([, status, details]) => {
    const pattern = details!
      .replaceAll('.', String.raw`\.`)
      .replace('NAME', '[a-z_][a-z0-9_]{0,31}')
      .replace('many query', 'many (?:query|report|delete)')
      .replace('email address, phone number', '(?:(?:, )?(?:email address|phone number|IP address|card number|IBAN))+')
      .replace(
        String.raw`It has 2001 characters\.`,
        String.raw`It(?: has (?:\d+ characters|none that can be seen)|s character \d+ is a control, direction or tag character)\.`,
      )
      // Most numbers are the operator's limits; those of the protocol are shown by the page's exchanges.
      .replace(/\d+(?= )/g, String.raw`\d+`);
    return { status: Number(status), body: new RegExp(`^ERROR: ${pattern}$`) };
  });
}
