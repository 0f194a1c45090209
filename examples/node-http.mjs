// The service on Node's own server, under the prefix /fraud.
// Run `npm run build` once, then `node examples/node-http.mjs`.
// PORT=0, the default, picks a free port. BODY_PARSER=1 reads the body first, so that the listener uses the
// parsed `request.body`.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createEngine, unwrap } from 'redflag';
import { createListener } from 'redflag/node';
import { createSqljsStore } from 'redflag/sqljs';

// Listen first: links contain the public address, and with PORT=0 the system picks the port.
const server = createServer();
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const publicUrl = `http://127.0.0.1:${server.address().port}/fraud`;

// Links and deletion codes depend on the secret; with another secret old links stop working.
const secret = process.env.SECRET ?? randomBytes(32).toString('hex');
const engine = createEngine({ store: await createSqljsStore(), secret, publicUrl });

const fraud = createListener(engine, { basePath: '/fraud' });
server.on('request', async (request, response) => {
  if (!request.url.startsWith('/fraud/')) {
    response.writeHead(404).end();
    return;
  }
  if (process.env.BODY_PARSER === '1' && request.method === 'POST') {
    request.body = await text(request).catch(() => undefined);
  }
  fraud(request, response);
});

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
