// Bun.
// bun add redflag && bun bun.mjs
import { createFetchHandler } from 'redflag/http';
import { engine, port } from './engine.mjs';

const fraud = createFetchHandler(engine, { basePath: '/fraud' });

Bun.serve({
  port,
  hostname: '127.0.0.1',
  fetch: (request, server) => fraud(request, { address: server.requestIP(request)?.address }),
});
