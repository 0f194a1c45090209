// Fastify 5. Parsers of the application, such as @fastify/formbody, do not change this scope.
// npm install redflag fastify && node fastify.mjs
import Fastify from 'fastify';
import { createListener } from 'redflag/node';
import { engine, port } from './engine.mjs';

const app = Fastify();
const fraud = createListener(engine, { basePath: '/fraud' });

app.register(async (scope) => {
  // Without a parser for its type, Fastify answers 415. This parser leaves the body to the listener.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done) => done(null));
  scope.all('/fraud/*', (request, reply) => {
    reply.hijack();
    fraud(request.raw, reply.raw);
  });
});
await app.listen({ port, host: '127.0.0.1' });
