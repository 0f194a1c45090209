// The service as a fetch handler, under the prefix /fraud.
// Run `npm run build` once, then `node examples/fetch.mjs`.
// PORT=0, the default, picks a free port. BODY_PARSER=1 reads the form first, as middleware may do, and passes it on.
//
// The same `fraud` runs wherever the platform has Request and Response:
//   Next.js   app/fraud/[...path]/route.js: export const POST = (request) => fraud(request); the same for GET and HEAD
//   Bun       Bun.serve({ fetch: (request, server) =>
//               fraud(request, { address: server.requestIP(request)?.address }) })
//   Deno      Deno.serve((request, info) => fraud(request, { address: info.remoteAddr.hostname }))
//   Workers   export default { fetch: (request) =>
//               fraud(request, { address: request.headers.get('CF-Connecting-IP') ?? undefined }) }
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
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

// Node's server has no Request and Response; on Node `redflag/node` is shorter and faster.
async function serve(incoming, outgoing) {
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const request = new Request(new URL(incoming.url, publicUrl), {
    method: incoming.method,
    headers: Object.entries(incoming.headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
    body: hasBody ? Readable.toWeb(incoming) : null,
    duplex: 'half',
  });
  const body = process.env.BODY_PARSER === '1' && hasBody ? await request.formData().catch(() => undefined) : undefined;
  const response = await fraud(request, { address: incoming.socket.remoteAddress, body });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
// Some requests cannot be a Request, for example those with the method TRACE.
server.on('request', (incoming, outgoing) => serve(incoming, outgoing).catch(() => outgoing.writeHead(400).end()));

const { reporterId } = unwrap(await engine.createReporter({ name: 'Example Shop' }));
const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
console.log(`Listening on ${publicUrl}/api/`);
console.log(`API key: ${apiKey}`);
