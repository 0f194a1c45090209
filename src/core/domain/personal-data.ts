import { findCards, findIbans, findPhones } from './personal-data/numbers.ts';
import { findEmails, findIpAddresses, findReverseNames } from './personal-data/addresses.ts';
import { fold, cover, MAY_HOLD, type Range } from './personal-data/spans.ts';
import { PERSONAL_DATA, type PersonalDataKind } from './refusal.ts';

export { PERSONAL_DATA, type PersonalDataKind };

/** Personal data in a text: UTF-16 units `from` up to, but not including, `to`. */
export interface PersonalData {
  readonly kind: PersonalDataKind;
  readonly from: number;
  readonly to: number;
}

/** What the engine does with a report whose text holds personal data: `refuse` it, `redact` the text, or `allow` it. */
export type PersonalDataPolicy = 'refuse' | 'redact' | 'allow';

export const PERSONAL_DATA_POLICIES: readonly PersonalDataPolicy[] = ['refuse', 'redact', 'allow'];

/**
 * Returns the email addresses, phone numbers, IP addresses, card numbers (Luhn) and IBANs (mod 97) in a text, in order
 * and without overlap. Links are allowed, but not the personal data in them; the host of a link may be an IP address.
 * Takes time linear in the length of the text.
 */
export function findPersonalData(text: string): PersonalData[] {
  if (!MAY_HOLD.test(text)) return [];
  const folded = fold(text);
  // All findings have one of these.
  if (!/[@\d]/.test(folded.text)) return [];
  const found: PersonalData[] = [];
  let rest = folded.text;
  const take = (kind: PersonalDataKind, ranges: readonly Range[]): void => {
    for (const { from, to } of ranges) found.push({ kind, from: folded.from(from), to: folded.to(to - 1) });
    rest = cover(rest, ranges);
  };
  // From the strictest pattern to the loosest. No pattern reads across what an earlier one found.
  take('email', findEmails(rest));
  take('iban', findIbans(rest));
  take('card', findCards(rest));
  take('ip', findReverseNames(rest));
  const addresses = findIpAddresses(rest);
  take('ip', addresses.addresses);
  rest = cover(rest, addresses.other);
  take('phone', findPhones(rest));
  return found.sort((a, b) => a.from - b.from);
}

/** Returns each kind of these findings once, in the order of {@link PERSONAL_DATA}. */
export function kindsOf(personalData: readonly PersonalData[]): PersonalDataKind[] {
  return (Object.keys(PERSONAL_DATA) as PersonalDataKind[]).filter((kind) =>
    personalData.some((one) => one.kind === kind),
  );
}

/** Returns the text with each finding of {@link findPersonalData} replaced by its kind, e.g. `[email address]`. */
export function redactPersonalData(text: string, personalData: readonly PersonalData[]): string {
  let redacted = '';
  let at = 0;
  for (const { kind, from, to } of personalData) {
    redacted += `${text.slice(at, from)}[${PERSONAL_DATA[kind]}]`;
    at = to;
  }
  return redacted + text.slice(at);
}
