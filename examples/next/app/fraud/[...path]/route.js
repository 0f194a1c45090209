import { createFetchHandler } from 'redflag/http';

// Next.js keeps an X-Forwarded-For that the client sent, so the header is no proof of an address. Without addresses, all
// clients share the limits of the viewer and of wrong keys. Set BEHIND_PROXY=1 if one proxy appends to the header: the
// last address is then the one that the proxy added.
const isBehindProxy = process.env.BEHIND_PROXY === '1';

let fraud;

async function answer(request) {
  // The build loads this file, too. So the first request opens the engine.
  fraud ??= import('../../../engine.mjs').then(({ engine }) => createFetchHandler(engine, { basePath: '/fraud' }));
  const address = isBehindProxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1).trim() : undefined;
  return (await fraud)(request, { address });
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
