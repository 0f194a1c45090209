import type Sodium from 'libsodium-wrappers-sumo';

const library: { loaded?: typeof Sodium } = {};

/**
 * Resolves when libsodium is ready: C in WebAssembly, constant-time as far as the engine keeps it. Await it before any
 * computation with elements or Ed25519. On demand: most programs have no sealed look-up, and loading takes 40 ms.
 */
export async function loadSodium(): Promise<void> {
  if (library.loaded) return;
  const { default: loaded } = await import('libsodium-wrappers-sumo');
  await loaded.ready;
  library.loaded = loaded;
}

/** Returns libsodium. Throws if {@link loadSodium} was not awaited. */
export function sodium(): typeof Sodium {
  if (library.loaded) return library.loaded;
  throw new Error('libsodium is not loaded: await loadSodium() first');
}
