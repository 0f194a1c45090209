/**
 * `redflag/canonical`: rewrites a clear value into the canonical form of its kind, and recognises values that are no
 * identifier. A separate door, because the protocol needs neither.
 *
 * @module redflag/canonical
 */
export { canonicalise } from './core/identifiers/canonicalise.ts';
export type {
  CanonicalChange,
  CanonicalDoubt,
  CanonicalOptions,
  CanonicalValue,
  ParsedPhone,
  ParsePhone,
} from './core/identifiers/canonical-value.ts';
export { whyNotIdentifier } from './core/identifiers/why-not-identifier.ts';
export type { NotIdentifier } from './core/identifiers/not-identifier.ts';
