// The service in an Express application, under the prefix /fraud. Run `npm run build` once, then `node examples/express.mjs`.
// PORT=0, the default, takes any free port. BODY_PARSER=1 lets Express parse forms first, as applications often do.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { createEngine, unwrap } from 'redflag';
import { createListener } from 'redflag/node';
import { createSqljsStore } from 'redflag/sqljs';

// The server listens first: links carry the public address, and with PORT=0 only the system knows the port.
const server = createServer();
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const publicUrl = `http://127.0.0.1:${server.address().port}/fraud`;

// The secret makes the links; keep one and the same, or old links stop working.
const secret = process.env.SECRET ?? randomBytes(32).toString('hex');
const engine = createEngine({ store: await createSqljsStore(), secret, publicUrl });

const app = express();
if (process.env.BODY_PARSER === '1') app.use(express.urlencoded({ extended: false }));
// Express cuts the prefix off; the listener reads `originalUrl`, so it is told the whole one.
app.use('/fraud', createListener(engine, { basePath: '/fraud' }));
server.on('request', app);

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
