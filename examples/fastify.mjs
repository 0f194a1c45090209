// The service in a Fastify application, under the prefix /fraud.
// Run `npm run build` once, then `node examples/fastify.mjs`.
// PORT=0, the default, picks a free port.
// BODY_PARSER=1 lets @fastify/formbody parse forms first, as applications often do.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
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

const app = Fastify({ serverFactory: (handler) => server.on('request', handler) });
if (process.env.BODY_PARSER === '1') app.register(formbody);
app.register(async (scope) => {
  // Fastify answers 415 to a type without a parser; this parser leaves the stream to the listener.
  if (process.env.BODY_PARSER !== '1') scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done) => done(null));
  scope.all('/fraud/*', (request, reply) => {
    reply.hijack();
    request.raw.body = request.body;
    fraud(request.raw, reply.raw);
  });
});
await app.ready();

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
