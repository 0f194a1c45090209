// The service in a Hono application, under the prefix /fraud.
// Run `npm run build` once, then `node examples/hono.mjs`.
// PORT=0, the default, picks a free port. BODY_PARSER=1 lets Hono parse forms first, as applications often do.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { createEngine, unwrap } from 'redflag';
import { createFetchHandler } from 'redflag/http';
import { createSqljsStore } from 'redflag/sqljs';

// Listen first: links contain the public address, and with PORT=0 the system picks the port.
const server = createServer();
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const publicUrl = `http://127.0.0.1:${server.address().port}/fraud`;

// Links and deletion codes depend on the secret; with another secret old links stop working.
const secret = process.env.SECRET ?? randomBytes(32).toString('hex');
const engine = createEngine({ store: await createSqljsStore(), secret, publicUrl });
const fraud = createFetchHandler(engine, { basePath: '/fraud' });

const app = new Hono();
app.all('/fraud/*', async (context) => {
  const parse = process.env.BODY_PARSER === '1' && context.req.method === 'POST';
  // `all` keeps repeated fields, so that they are refused instead of lost. Null marks a body that could not be parsed.
  const body = parse ? await context.req.parseBody({ all: true }).catch(() => null) : undefined;
  return fraud(context.req.raw, { address: getConnInfo(context).remote.address, body });
});
server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }));

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
