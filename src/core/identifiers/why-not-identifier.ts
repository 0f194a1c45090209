import { isSharedHost } from './platforms.ts';
import { reasonAgainst, type NotIdentifier } from './not-identifier.ts';

/**
 * Returns why a value of this kind is no identifier of a person, or undefined if it may be one. Such values match
 * strangers. The protocol allows them, so nothing in `redflag/hash` or in a service refuses them.
 *
 * The kind may be the name of a column. Without a known kind, an email, IP address or phone number is recognised by its
 * form. Names and addresses that documents use as examples, such as `example.com` and 192.0.2.1, are accepted. Takes
 * linear time and never throws for a string. Throws TypeError for arguments of another type.
 */
export function whyNotIdentifier(kind: string | undefined, value: string): NotIdentifier | undefined {
  return reasonAgainst(kind, value, isSharedHost);
}
