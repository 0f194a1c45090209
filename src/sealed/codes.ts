import { toKind } from '../core/domain/identifier.ts';
import { OTHER_KIND, OTHER_TYPE } from './rows.ts';

/** The lists of a manifest that give the codes of a row their names. A code is the index in its list. */
export interface CodeLists {
  /** At most 31 kinds, each once, without a number. */
  readonly kinds: readonly string[];
  /** At most 63 offence types, each once, 1 to 64 characters. */
  readonly types: readonly string[];
}

/** Maximum characters of an offence type in a manifest. */
const MAX_TYPE_CHARACTERS = 64;

/** Returns the code of a kind; {@link OTHER_KIND} if the list lacks it. */
export function kindCode({ kinds }: CodeLists, kind: string): number {
  const code = kinds.indexOf(kind);
  return code === -1 ? OTHER_KIND : code;
}

/** Returns the code of an offence type; {@link OTHER_TYPE} if the list lacks it. */
export function typeCode({ types }: CodeLists, type: string): number {
  const code = types.indexOf(type);
  return code === -1 ? OTHER_TYPE : code;
}

/** True if the value is a list of at most 31 different kinds. */
export function isKindList(value: unknown): value is readonly string[] {
  return isListOf(value, OTHER_KIND, (kind) => toKind(kind) === kind);
}

/** True if the value is a list of at most 63 different types. */
export function isTypeList(value: unknown): value is readonly string[] {
  return isListOf(value, OTHER_TYPE, (type) => type.length > 0 && type.length <= MAX_TYPE_CHARACTERS);
}

function isListOf(value: unknown, most: number, isName: (name: string) => boolean): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= most &&
    new Set(value).size === value.length &&
    value.every((name: unknown) => typeof name === 'string' && isName(name))
  );
}
