import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, ServiceError, UnexpectedResponseError, type ClientOptions } from '../../src/client.ts';
import { unwrap } from '../../src/index.ts';
import { openSpecifiedService, type SpecifiedService } from '../specification/specified-service.ts';

const NOT_VALID = expect.stringMatching(/^The API key is not valid\. A key has 16 hex characters\. /) as string;
const LINK = `https://flags.example/report/${'0'.repeat(40)}`;

describe.each([
  ['with statuses', {}],
  ['with status 200 for errors', { errorStatus: 200 }],
] as const)('ping to a redflag service %s', (_, listener) => {
  let service: SpecifiedService;
  beforeAll(async () => {
    service = await openSpecifiedService({ limits: { query: { requests: 2, windowSeconds: 3600 } } }, listener);
  });
  afterAll(() => service.close());

  const ping = (apiKey: string) => createClient({ baseUrl: service.base, apiKey }).ping();

  it('costs as much as a query of one identifier, and a limit says nothing about the key', async () => {
    expect(await ping(service.apiKey)).toEqual({ accepted: true, details: undefined });
    // So does a query without identifiers.
    const { body } = await service.query({});
    expect(body).toBe('ERROR: At least one hashed identifier is needed.');
    await expect(ping(service.apiKey)).rejects.toBeInstanceOf(ServiceError);
  });

  it('is answered with the words of the service about a key that it refuses', async () => {
    expect(await ping('f'.repeat(16))).toEqual({ accepted: false, details: NOT_VALID });
    expect(await ping('no key of this service')).toEqual({ accepted: false, details: NOT_VALID });
    expect(await ping(service.revokedKey)).toEqual({ accepted: false, details: 'The API key has been revoked.' });
    const { reporterId } = unwrap(await service.engine.createReporter({ name: 'Reports Only' }));
    const { apiKey } = unwrap(await service.engine.issueKey({ reporterId, scope: 'report' }));
    expect(await ping(apiKey)).toEqual({ accepted: false, details: 'This API key is not for this action.' });
  });

  it('is refused without a key', async () => {
    await expect(createClient({ baseUrl: service.base }).ping()).rejects.toThrow('"apiKey" expected a key');
  });
});

describe('ping to another service', () => {
  const facing = (body: string, status = 200, options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: 'https://old.example',
      apiKey: 'key',
      retries: 0,
      fetch: async () => new Response(body, { status }),
      ...options,
    }).ping();
  const classic = { dialect: 'classic' } as const;

  it('is accepted if the query has a result, whatever it finds', async () => {
    for (const numbers of ['0-0-0.0', '52-3-6.7']) {
      expect(await facing(`${numbers}-${LINK}`)).toEqual({ accepted: true, details: undefined });
      const result = `<report>${numbers}-c0ffee00c0ffee00</report>`;
      expect(await facing(result, 200, classic)).toEqual({ accepted: true, details: undefined });
    }
  });

  it.each([
    ['ERROR: Invalid API key', 200],
    ['ERROR: Unknown key.', 400],
    ['ERROR: not authorised', 200],
    ['ERROR: Zugriff verweigert', 403],
    ['ERROR: nope', 401],
  ])('is not accepted after %j with status %d', async (body, status) => {
    expect(await facing(body, status)).toEqual({ accepted: false, details: body.slice('ERROR: '.length) });
  });

  it('is not accepted after ERR:API in the classic dialect', async () => {
    expect(await facing('ERR:API', 200, classic)).toEqual({ accepted: false, details: 'ERR:API' });
  });

  it.each<[string, number, Partial<ClientOptions>, typeof ServiceError | typeof UnexpectedResponseError]>([
    ['ERROR: Missing data', 200, {}, ServiceError],
    ['ERROR: no such API method', 404, {}, ServiceError],
    ['ERROR: missing API field _text', 400, {}, ServiceError],
    ['ERROR: Too many requests with your key', 429, {}, ServiceError],
    ['ERROR: The API is down', 503, {}, ServiceError],
    ['ERR:LIMIT', 200, classic, ServiceError],
    ['NODATA', 200, classic, ServiceError],
    ['<html>Maintenance</html>', 200, {}, UnexpectedResponseError],
    ['Forbidden', 403, {}, UnexpectedResponseError],
  ])('rejects if the reply tells nothing about the key: %j with status %d', async (body, status, options, error) => {
    await expect(facing(body, status, options)).rejects.toBeInstanceOf(error);
  });
});
