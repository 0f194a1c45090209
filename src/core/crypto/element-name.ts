import { SHA256 } from './sha256.ts';

/**
 * Returns the name of an element: the first 40 hex characters of the SHA-256 of its 32 bytes. Peppers are applied
 * to the name. Under no pepper, the name is the stored hash.
 * @param element 64 lowercase hex characters.
 */
export function elementName(element: string): string {
  return SHA256.digest(element, 'hex').slice(0, 40);
}
