import formbody from '@fastify/formbody';
import { getRequestListener } from '@hono/node-server';
import { bodyParser } from '@koa/bodyparser';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Koa from 'koa';
import { createFetchHandler } from '../../src/http/fetch.ts';
import { createListener } from '../../src/http/listener.ts';
import { describeHttp, type HttpHost } from '../contract/http.ts';
import { listenOn } from './listening.ts';
import { KEYS, createServiceDouble } from './service-double.ts';

const OPTIONS = { basePath: '/fraud' } as const;

async function host(listener: RequestListener): Promise<HttpHost> {
  const server = await listenOn(listener);
  const send = (request: Request): Promise<Response> => fetch(request);
  return { base: `${server.origin}/fraud`, send, apiKey: KEYS.shop, strangerKey: KEYS.stranger, revokedKey: KEYS.revoked, suspendedKey: KEYS.suspended, close: server.close };
}

for (const parsedFirst of [false, true]) {
  const suffix = parsedFirst ? ', its parser first' : '';

  describeHttp(`Express${suffix}`, async () => {
    const app = express();
    if (parsedFirst) app.use(express.urlencoded({ extended: false }));
    app.use('/fraud', createListener(createServiceDouble(), OPTIONS));
    return await host(app as RequestListener);
  }, { parsedFirst });

  describeHttp(`Fastify${suffix}`, async () => {
    const fraud = createListener(createServiceDouble(), OPTIONS);
    const handlers: RequestListener[] = [];
    const server = await host((request, response) => handlers[0]?.(request, response));
    const app = Fastify({ serverFactory: (handler) => {
      handlers.push(handler);
      // Fastify only passes this on; the server that listens is made above.
      return { on: () => undefined, once: () => undefined, off: () => undefined, removeListener: () => undefined, address: () => null, listening: false, close: () => undefined, setTimeout: () => undefined } as never;
    } });
    if (parsedFirst) await app.register(formbody);
    await app.register(async (scope) => {
      if (!parsedFirst) scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      scope.all('/fraud/*', (request, reply) => {
        reply.hijack();
        fraud(Object.assign(request.raw, { body: request.body }), reply.raw);
      });
    });
    await app.ready();
    return server;
  }, { parsedFirst });

  describeHttp(`Koa${suffix}`, async () => {
    const fraud = createListener(createServiceDouble(), OPTIONS);
    const app = new Koa();
    if (parsedFirst) app.use(bodyParser({ encoding: 'utf-8' }));
    app.use((context: { req: IncomingMessage; res: ServerResponse; request: { body?: unknown }; respond: boolean }) => {
      context.respond = false;
      fraud(Object.assign(context.req, { body: context.request.body }), context.res);
    });
    return await host(app.callback() as RequestListener);
  }, { parsedFirst });

  describeHttp(`Hono${suffix}`, async () => {
    const fraud = createFetchHandler(createServiceDouble(), OPTIONS);
    const app = new Hono();
    app.all('/fraud/*', async (context) => {
      const body = parsedFirst && context.req.method === 'POST' ? await context.req.parseBody({ all: true }).catch(() => null) : undefined;
      return await fraud(context.req.raw, { body });
    });
    return await host(getRequestListener(app.fetch, { overrideGlobalObjects: false }) as RequestListener);
  }, { parsedFirst });
}

describeHttp('Express without a mount, its extended parser first', async () => {
  const app = express();
  app.use(express.urlencoded({ extended: true }));
  app.use(express.json());
  app.use(createListener(createServiceDouble(), OPTIONS));
  return await host(app as RequestListener);
}, { parsedFirst: true });
