// The list of hosts that many people share, for scripts of pages. It is long, and only domains need it.
import { formOfKind } from '../../core/identifiers/value-form.ts';

const loaded: { isShared: (host: string) => boolean; isComplete: boolean } = {
  isShared: () => false,
  isComplete: false,
};

/** Returns true for a host of the list; false for every host until the list is loaded. */
export function isSharedHost(host: string): boolean {
  return loaded.isShared(host);
}

/** Returns true if a value of one of these kinds needs the list, and it is not loaded. */
export function needsSharedHosts(kinds: readonly string[]): boolean {
  return !loaded.isComplete && kinds.some((kind) => formOfKind(kind) === 'domain');
}

/** Loads the whole list, whatever was typed. Rejects if the browser cannot load it. */
export async function loadSharedHosts(): Promise<void> {
  const { isSharedHost: isShared } = await import('../../core/identifiers/platforms.ts');
  Object.assign(loaded, { isShared, isComplete: true });
}
