/** Letters, digits, `_` and `-` of ASCII, 1 to 32 of them, beginning with a letter or `_` (silent: 2.3). */
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/;

/** Most characters of a field's name, its number included (silent: 2.3). */
export const FIELD_NAME_CHARACTERS = 32;

/**
 * The name as the protocol reads it: lower case. Undefined when it is no name that a field can have.
 * The pattern comes before the lower-casing, because Unicode lowers signs such as U+212A to ASCII letters.
 */
export function toFieldName(sent: string): string | undefined {
  return FIELD_NAME.test(sent) ? sent.toLowerCase() : undefined;
}

/** True for the names that the protocol keeps for itself (`_api`, `_action`, …); every other name is an identifier kind (spec 2.1, 2.3). */
export function isReserved(name: string): boolean {
  return name.startsWith('_');
}
