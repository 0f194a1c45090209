// Node's own server.
// npm install redflag && node node-http.mjs
import { createGuardedServer, createListener } from 'redflag/node';
import { engine, port } from './engine.mjs';

const fraud = createListener(engine, { basePath: '/fraud' });

// `createServer` of node:http works, too. This server also cuts off clients that are too slow.
const { server } = createGuardedServer((request, response) => {
  if (request.url.startsWith('/fraud/')) fraud(request, response);
  else response.writeHead(404).end();
});
server.listen(port, '127.0.0.1');
