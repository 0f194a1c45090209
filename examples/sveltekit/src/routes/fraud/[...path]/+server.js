import { createFetchHandler } from 'redflag/http';

// Clients send forms to /fraud/api/. SvelteKit would redirect them to the path without the slash.
export const trailingSlash = 'ignore';

let fraud;

/** Answers all methods. */
export async function fallback({ request, getClientAddress }) {
  // The build loads this file, too. So the first request opens the engine.
  fraud ??= import('../../../../engine.mjs').then(({ engine }) => createFetchHandler(engine, { basePath: '/fraud' }));
  return (await fraud)(request, { address: getClientAddress() });
}
