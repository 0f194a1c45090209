// The servers of the benchmark over HTTP: redflag in each of them, and the same server without redflag.
import { createServer } from 'node:http';
import formbody from '@fastify/formbody';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import Fastify from 'fastify';
import { createFetchHandler } from 'redflag/http';
import { createListener } from 'redflag/node';
import { createPages } from 'redflag/pages';

/** By name: redflag in a server, as in examples/. Each function gets an engine and resolves with a listener. */
export const OURS = {
  'node:http': async (engine) => createListener(engine),
  'node:http with pages': async (engine) => createListener(engine, { pages: createPages(engine) }),
  'fetch handler': async (engine) => getRequestListener(createFetchHandler(engine), { overrideGlobalObjects: false }),
  Express: async (engine) => createExpress().use(createListener(engine)),
  Fastify: async (engine) => {
    const listener = createListener(engine);
    return listenerOf((app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (request, payload, done) => done(null));
      app.all('/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
    });
  },
};

/**
 * By name: the same server without redflag. It parses the form in the usual way of its framework. `find(path, email)`
 * returns the reply to a form with this field, or to a GET of this path.
 */
export const CONSTANT = {
  'node:http': async (find) => (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const { status, headers, body } = find(request.url, form.get('email'));
      response.writeHead(status, headers).end(body);
    });
  },
  'fetch handler': async (find) =>
    getRequestListener(
      async (request) => {
        const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : undefined;
        const { status, headers, body } = find(new URL(request.url).pathname, form?.get('email'));
        return new Response(body, { status, headers });
      },
      { overrideGlobalObjects: false },
    ),
  Express: async (find) =>
    createExpress()
      .use(express.urlencoded({ extended: false }))
      .use((request, response) => {
        const { status, headers, body } = find(request.path, request.body?.email);
        response.writeHead(status, headers).end(body);
      }),
  Fastify: async (find) =>
    listenerOf((app) => {
      app.register(formbody);
      app.all('/*', (request, reply) => {
        const { status, headers, body } = find(request.url, request.body?.email);
        return reply.code(status).headers(headers).send(body);
      });
    }),
};

function createExpress() {
  return express().disable('x-powered-by').disable('etag');
}

/** Returns the listener of a Fastify application. `addRoutes` adds its routes and parsers. */
async function listenerOf(addRoutes) {
  let listener;
  const app = Fastify({
    serverFactory: (handler) => {
      listener = handler;
      return createServer();
    },
  });
  app.register(async (scope) => addRoutes(scope));
  await app.ready();
  return listener;
}
