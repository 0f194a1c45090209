// A function from Request to Response, for any server that takes one. @hono/node-server is such a server for Node.
// npm install redflag @hono/node-server && node fetch.mjs
import { serve } from '@hono/node-server';
import { createFetchHandler } from 'redflag/http';
import { engine, port } from './engine.mjs';

const fraud = createFetchHandler(engine, { basePath: '/fraud' });

serve({
  // Requests are limited per address. Without an address, all clients share one limit.
  fetch: (request, { incoming }) => fraud(request, { address: incoming.socket.remoteAddress }),
  port,
  hostname: '127.0.0.1',
  overrideGlobalObjects: false,
});
