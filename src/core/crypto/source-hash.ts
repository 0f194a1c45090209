import { SHA256 } from './sha256.ts';

/** Returns the source of an inline style or script in a content security policy, with its quotes. */
export function toSourceHash(text: string): string {
  const bytes = (SHA256.digest(text).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return `'sha256-${btoa(String.fromCharCode(...bytes))}'`;
}
