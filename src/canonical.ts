/**
 * `redflag/canonical`: rewrites a clear value into the canonical form of its kind, and recognises values that are no
 * identifier. A separate door, because the protocol needs neither.
 *
 * @module redflag/canonical
 */
export {
  canonicalise,
  type CanonicalChange,
  type CanonicalDoubt,
  type CanonicalOptions,
  type CanonicalValue,
  type ParsedPhone,
  type ParsePhone,
} from './core/identifiers/canonicalise.ts';
export { whyNotIdentifier, type NotIdentifier } from './core/identifiers/not-identifier.ts';
