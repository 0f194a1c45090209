// Deno.
// deno add npm:redflag && deno run --allow-net=127.0.0.1 --allow-env --allow-read=node_modules deno.mjs
import { createFetchHandler } from 'redflag/http';
import { engine, port } from './engine.mjs';

const fraud = createFetchHandler(engine, { basePath: '/fraud' });

Deno.serve({ port, hostname: '127.0.0.1' }, (request, { remoteAddr }) =>
  fraud(request, { address: remoteAddr.hostname }),
);
