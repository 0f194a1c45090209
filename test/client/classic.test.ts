import { describe, expect, it } from 'vitest';
import { createClient, ServiceError, UnexpectedResponseError, type Client } from '../../src/client.ts';

const CODE = 'c0ffee00c0ffee00';
const IDENTIFIERS = [{ kind: 'email', hash: 'a'.repeat(40) }];
const DRAFT = { type: 'fraud', severity: 7, text: 'Paid with a stolen card', identifiers: IDENTIFIERS };

/** A client of a classic service that always answers the same. */
function facing(body: string, init: ResponseInit = {}): { readonly client: Client; readonly asked: string[] } {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: 'https://old.example/fraud/api/',
    apiKey: 'a key of another operator',
    dialect: 'classic',
    retries: 0,
    fetch: async (input, request) => {
      asked.push(`${request?.method} ${String(input)} ${String(request?.body ?? '')}`.trim());
      return new Response(body, init);
    },
  });
  return { client, asked };
}

describe('in the classic dialect', () => {
  it('a report returns the deletion code of the body, and the id of the header if there is one', async () => {
    const { client, asked } = facing(`OK:${CODE}\r\n`);
    expect(await client.report(DRAFT)).toEqual({ reportId: undefined, deletionCode: CODE });
    expect(asked).toEqual([
      `POST https://old.example/fraud/api/ _action=report&_api=a+key+of+another+operator&_type=fraud&_value=7&_text=Paid+with+a+stolen+card&email=${'a'.repeat(40)}`,
    ]);
    const withId = facing(`OK:${CODE}`, { headers: { 'X-Report-Id': 'b'.repeat(16) } });
    expect((await withId.client.report(DRAFT)).reportId).toBe('b'.repeat(16));
  });

  it('a deletion is answered with OK', async () => {
    await facing('OK').client.remove(CODE);
    await expect(facing(`OK:${CODE}`).client.remove(CODE)).rejects.toBeInstanceOf(UnexpectedResponseError);
  });

  it('a query returns a link to the viewer with the code, and the viewer takes both', async () => {
    const { client } = facing(`<report>52-1-6.7-${CODE}</report>\n`);
    const result = await client.query(IDENTIFIERS);
    expect(result).toEqual({
      points: 52,
      reported: 1,
      reliability: 6.7,
      link: `https://old.example/fraud/api/?showreport=${CODE}`,
      linkHash: CODE,
    });
    const viewer = facing('{"ReportAdvanceds":[],"count":0}');
    for (const shown of [result.link, CODE, CODE.toUpperCase(), 'd'.repeat(40)])
      expect(await viewer.client.view(shown)).toEqual([]);
    expect(viewer.asked).toEqual([
      ...[1, 2, 3].map(() => `GET https://old.example/fraud/api/?showreport=${CODE}`),
      `GET https://old.example/fraud/api/?showreport=${'d'.repeat(40)}`,
    ]);
    await expect(viewer.client.view('c0ffee')).rejects.toThrow('16 or 40 hex characters');
  });

  it.each(['ERR:API', 'ERR:ACTION', 'ERR:DATA', 'ERR:LIMIT', 'ERR:UNAVAILABLE', 'NODATA'])(
    '%s is a refusal of every call',
    async (body) => {
      const { client } = facing(body, { headers: { 'Retry-After': '7' } });
      for (const call of [() => client.report(DRAFT), () => client.remove(CODE), () => client.query(IDENTIFIERS)])
        await expect(call()).rejects.toEqual(new ServiceError(200, body, 7));
    },
  );

  it.each(['OK', '<report>1-1-1.0</report>', `1-1-1.0-https://old.example/report/${'a'.repeat(40)}`, '<html>', ''])(
    '%j is an unexpected response to a report and a query',
    async (body) => {
      const { client } = facing(body);
      await expect(client.report(DRAFT)).rejects.toBeInstanceOf(UnexpectedResponseError);
      await expect(client.query(IDENTIFIERS)).rejects.toBeInstanceOf(UnexpectedResponseError);
    },
  );
});

it('a client of the specification takes no code of the classic dialect', async () => {
  const client = createClient({ baseUrl: 'https://flags.example', fetch: async () => new Response('OK') });
  await expect(client.view(CODE)).rejects.toThrow('"linkOrHash" expected a link or its 40 hex characters');
});
