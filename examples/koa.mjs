// The service in a Koa application, under the prefix /fraud.
// Run `npm run build` once, then `node examples/koa.mjs`.
// PORT=0, the default, picks a free port.
// BODY_PARSER=1 lets @koa/bodyparser parse forms first, as applications often do.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
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

const app = new Koa();
if (process.env.BODY_PARSER === '1') app.use(bodyParser({ encoding: 'utf-8' }));
app.use(async (context, next) => {
  if (!context.path.startsWith('/fraud/')) return next();
  // Koa keeps the parsed body on its own request object, and `respond = false` stops it from answering.
  context.req.body = context.request.body;
  context.respond = false;
  fraud(context.req, context.res);
});
server.on('request', app.callback());

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
