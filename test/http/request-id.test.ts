import { describe, expect, it } from 'vitest';
import { sentRequestId } from '../../src/core/http/request-id.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { createServiceDouble } from './service-double.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ID = '0123456789abcdef0123456789abcdef';
const UUID = '01234567-89ab-cdef-0123-456789abcdef';

describe('the id that a proxy gave a request', () => {
  it.each([
    [{ 'x-request-id': ID }, ID],
    [{ 'x-request-id': ID.toUpperCase() }, ID],
    [{ 'x-request-id': UUID }, UUID],
    [{ traceparent: `00-${ID}-0123456789abcdef-01` }, ID],
    [{ 'x-request-id': UUID, traceparent: `00-${ID}-0123456789abcdef-01` }, UUID],
    [{ 'x-request-id': 'mine', traceparent: `00-${ID}-0123456789abcdef-01` }, ID],
    [{}, undefined],
    // A key, a hash, an address, a text: none may get into the log.
    [{ 'x-request-id': '0123456789abcdef' }, undefined],
    [{ 'x-request-id': 'a'.repeat(40) }, undefined],
    [{ 'x-request-id': 'jane@example.com' }, undefined],
    [{ 'x-request-id': `${ID}\n{"event":"forged"}` }, undefined],
    [{ traceparent: `00-${'a'.repeat(40)}-0123456789abcdef-01` }, undefined],
  ] as [Record<string, string>, string | undefined][])('of %j is %j', (headers, id) => {
    expect(sentRequestId((name) => headers[name])).toBe(id);
  });

  it.each([
    [1, UUID],
    [0, expect.stringMatching(/^[0-9a-f]{32}$/)],
  ])('is taken over with %i declared proxies: %s', async (trustProxies, id) => {
    const listener = createListener(createServiceDouble(), { trustProxies, requestIds: 'all' });
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/x`, { headers: { 'x-request-id': UUID } });
    server.close();
    expect(reply.headers.get('x-request-id')).toEqual(id);
  });
});
