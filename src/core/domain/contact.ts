import { accept, refuse, type Outcome } from './refusal.ts';
import { toPublicLine } from './text.ts';

/** Maximum length of a contact, in code points. */
export const CONTACT_CHARACTERS = 200;

/**
 * In a mailto: address, `#` begins another part, programs decode %XX, and `//` begins a host. Format characters are
 * invisible. With any of them, mail could go to another address than the one shown (RFC 6068, section 2).
 */
const EMAIL = /^[^\s@<>"?&:,;%/#\p{Cf}]+@[^\s@<>"?&:,;%/#\p{Cf}]+\.[^\s@<>"?&:,;%/#.\p{Cf}]+$/u;
/** Digits with what people write between them. */
const PHONE = /^\+?[0-9 ().\-/]+$/;
/** Most digits of a number: ITU-T E.164. Fewer than three are no number. */
const PHONE_DIGITS = { min: 3, max: 15 };

/**
 * Returns the form of a contact that the store keeps: one line, trimmed, in Unicode form NFC. Accepts an address that
 * begins with `https:` or `mailto:`, an email address, and a phone number. Refuses with `invalid-contact`.
 */
export function toContact(text: string): Outcome<string> {
  const line = toPublicLine(text, CONTACT_CHARACTERS);
  return line !== undefined && (isPhone(line) || linkOfContact(line) !== undefined)
    ? accept(line)
    : refuse({ reason: 'invalid-contact', limitCharacters: CONTACT_CHARACTERS });
}

/** Returns the address that a contact links to; undefined for a contact that is only text, such as a phone number. */
export function linkOfContact(contact: string): string | undefined {
  if (EMAIL.test(contact)) return `mailto:${contact}`;
  if (/^mailto:/i.test(contact)) return EMAIL.test(contact.slice('mailto:'.length)) ? contact : undefined;
  return isWebAddress(contact) ? contact : undefined;
}

/** Returns what a person reads. The host of an address is in ASCII, because letters of two scripts can look alike. */
export function textOfContact(contact: string): string {
  if (!isWebAddress(contact)) return contact.replace(/^mailto:/i, '');
  return contact.replace(/^https:\/\/[^/?#]*/i, `https://${new URL(contact).host}`);
}

function isPhone(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '').length;
  return PHONE.test(text) && digits >= PHONE_DIGITS.min && digits <= PHONE_DIGITS.max;
}

/** A name, a password or a third slash in an address could make another host look like its host. */
function isWebAddress(text: string): boolean {
  if (!/^https:\/\/[^\s\\/][^\s\\]*$/i.test(text)) return false;
  try {
    const { protocol, username, password } = new URL(text);
    return protocol === 'https:' && username === '' && password === '';
  } catch {
    return false;
  }
}
