// Hono 4, here on Node. On Bun, Deno and Workers only the address and the last line differ.
// npm install redflag hono @hono/node-server && node hono.mjs
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { createFetchHandler } from 'redflag/http';
import { engine, port } from './engine.mjs';

const app = new Hono();
const fraud = createFetchHandler(engine, { basePath: '/fraud' });

app.all('/fraud/*', (context) => fraud(context.req.raw, { address: getConnInfo(context).remote.address }));
serve({ fetch: app.fetch, port, hostname: '127.0.0.1', overrideGlobalObjects: false });
