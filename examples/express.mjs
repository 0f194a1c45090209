// The service in an Express application, under the prefix /fraud.
// Run `npm run build` once, then `node examples/express.mjs`.
// PORT=0, the default, picks a free port. BODY_PARSER=1 lets Express parse forms first, as applications often do.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
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

const app = express();
if (process.env.BODY_PARSER === '1') app.use(express.urlencoded({ extended: false }));
// Express removes the prefix from `url`; the listener reads `originalUrl`, so it needs the base path.
app.use('/fraud', createListener(engine, { basePath: '/fraud' }));
server.on('request', app);

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
