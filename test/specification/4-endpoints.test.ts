// Section 4, endpoints:
//
// 4.1  POST /api/ · urlencoded · _action selects · plain text, not JSON
// 4.2  fields as in 2.1 (see there) · success `OK` · failure `ERROR: <details>`
// 4.3  _api · _action · _code · success `OK` · failure any other body
// 4.4  _api · _action · identifiers · one line of four segments · Points · Reported · Reliability · link
//      exactly four · no failure has four · link when the rest is zero · (no identifier, failed query: ours)
// 4.5  GET /api/?showreport · no authentication · 40 hex · 200 JSON · 404 · hash from the link · cacheable
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../src/core/protocol/reply.ts';
import {
  codeOf,
  freshHash,
  openSpecifiedService,
  segmentsOf,
  SURROUNDINGS,
  type SpecifiedService,
} from './specified-service.ts';

let service: SpecifiedService;
beforeAll(async () => {
  service = await openSpecifiedService();
});
afterAll(() => service.close());

describe('4.1 form endpoint', () => {
  it('4.1 method and path: POST {base_url}/api/', async () => {
    expect(
      (
        await service.request('/api/', {
          method: 'POST',
          body: new URLSearchParams({ _api: service.apiKey, _action: 'query', email: freshHash() }),
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await service.request('/other/', {
          method: 'POST',
          body: new URLSearchParams({ _api: service.apiKey, _action: 'query', email: freshHash() }),
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await service.request('/api/', {
          method: 'PUT',
          body: new URLSearchParams({ _api: service.apiKey, _action: 'query', email: freshHash() }),
        })
      ).status,
    ).toBe(405);
  });

  it('4.1 encoding: application/x-www-form-urlencoded', async () => {
    const body = `_api=${service.apiKey}&_action=query&email=${freshHash()}`;
    expect(
      (
        await service.request('/api/', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status,
    ).toBe(200);
    expect(
      (await service.request('/api/', { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(415);
  });

  it('4.1 _action: selects report, delete or query', async () => {
    const report = await service.report();
    expect(report.body).toBe('OK');
    expect((await service.query({ email: freshHash() })).body).toMatch(/^0-0-0\.0-/);
    expect((await service.remove(codeOf(report))).body).toBe('OK');
    expect((await service.form({ _api: service.apiKey, _action: 'view', email: freshHash() })).body).toMatch(
      /^ERROR: /,
    );
  });

  it('4.1 responses: plain text, not JSON', async () => {
    for (const reply of [
      await service.report(),
      await service.query({ email: freshHash() }),
      await service.remove('0123456789abcdef'),
      await service.report({ _api: '' }),
    ]) {
      expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });
});

describe('4.2 report', () => {
  it('4.2 success: the body is OK', async () =>
    expect(await service.report()).toMatchObject({ status: 200, body: 'OK' }));

  it('4.2 failure: the body starts with `ERROR: ` followed by details; missing data and an invalid key', async () => {
    for (const name of ['_api', '_action', '_type', '_value', '_text', 'email'])
      expect((await service.report({ [name]: undefined })).body, name).toMatch(/^ERROR: [^-\n]+\.$/);
    expect((await service.report({ _api: '0123456789abcdef' })).body).toMatch(/^ERROR: The API key is not valid\. /);
  });
});

describe('4.3 delete', () => {
  it('4.3 _api: required', async () =>
    expect((await service.form({ _action: 'delete', _code: '0123456789abcdef' })).body).toBe(
      'ERROR: The field _api is missing.',
    ));
  it('4.3 _action: delete', async () =>
    expect((await service.remove('0123456789abcdef', { _action: 'Delete' })).body).toBe(
      'ERROR: The field _action must be report, delete or query.',
    ));

  it('4.3 _code: required, 16-character hex', async () => {
    expect((await service.form({ _api: service.apiKey, _action: 'delete' })).body).toBe(
      'ERROR: The field _code is missing.',
    );
    for (const code of [
      '',
      '0123456789abcde',
      '0123456789abcdef0',
      '0123456789abcdeg',
      ...SURROUNDINGS.map((one) => `0123456789abcdef${one}`),
    ])
      expect((await service.remove(code)).body, code).toBe(
        'ERROR: The field _code must be a deletion code of 16 hex characters, without spaces or quotes around it.',
      );
  });

  it('4.3 success: the body is OK', async () =>
    expect(await service.remove(codeOf(await service.report()))).toMatchObject({ status: 200, body: 'OK' }));

  it('4.3 failure: any other body, for an invalid code and for an already deleted report', async () => {
    expect((await service.remove('0123456789abcdef')).body).toMatch(/^ERROR: /);
    const code = codeOf(await service.report());
    await service.remove(code);
    expect((await service.remove(code)).body).toMatch(/^ERROR: /);
  });
});

describe('4.4 query', () => {
  it('4.4 _api: required', async () =>
    expect((await service.form({ _action: 'query', email: freshHash() })).body).toBe(
      'ERROR: The field _api is missing.',
    ));
  it('4.4 _action: query', async () =>
    expect((await service.query({ email: freshHash() }, { _action: 'QUERY' })).body).toBe(
      'ERROR: The field _action must be report, delete or query.',
    ));

  it('4.4 identifiers: one or more, suffixed for repeated kinds', async () => {
    const [one, other] = [freshHash(), freshHash()];
    await service.report({ email: one });
    await service.report({ email: other, _text: 'Another person.' });
    expect(segmentsOf(await service.query({ email: one }))[1]).toBe('1');
    expect(segmentsOf(await service.query({ email: one, email2: other }))[1]).toBe('2');
    expect(
      segmentsOf(await service.query({ email: freshHash(), email2: freshHash(), email3: other, ip: freshHash() }))[1],
    ).toBe('1');
  });

  it('4.4 identifiers: a query with none is refused (our choice)', async () =>
    expect((await service.query({})).body).toBe('ERROR: At least one hashed identifier is needed.'));

  it('4.4 success: one line of exactly four segments', async () => {
    const email = freshHash();
    await service.report({ email });
    for (const { body } of [await service.query({ email }), await service.query({ email: freshHash() })]) {
      expect(body).not.toMatch(/[\r\n]/);
      expect(body.split('-')).toHaveLength(4);
      expect(parseResult(body)).toBeDefined();
    }
  });

  it('4.4 Points: a weighted score, higher is riskier', async () => {
    const points = async (kind: string, value: string): Promise<number> => {
      const hash = freshHash();
      await service.report({ email: undefined, [kind]: hash, _value: value });
      return Number(segmentsOf(await service.query({ [kind]: hash }))[0]);
    };
    const [mild, severe, byIp] = [await points('email', '2'), await points('email', '10'), await points('ip', '10')];
    expect(severe).toBeGreaterThan(mild);
    expect(mild).toBeGreaterThan(0);
    expect(byIp).toBeLessThan(severe);
  });

  it('4.4 Reported: number of matching reports', async () => {
    const email = freshHash();
    for (let count = 1; count <= 4; count += 1) {
      await service.report({ email, _text: `Number ${count}.` });
      expect(segmentsOf(await service.query({ email }))[1]).toBe(String(count));
    }
  });

  it('4.4 Reliability: 0 to 10, higher is more reliable', async () => {
    const email = freshHash();
    expect(segmentsOf(await service.query({ email }))[2]).toBe('0.0');
    await service.report({ email });
    const one = segmentsOf(await service.query({ email }))[2];
    await service.report({ email, _api: service.strangerKey });
    const two = segmentsOf(await service.query({ email }))[2];
    expect([one, two].every((text) => /^(?:\d\.\d|10\.0)$/.test(text))).toBe(true);
    expect(Number(two)).toBeGreaterThan(Number(one));
  });

  it('4.4 link: a public URL whose final segment is the 40-hex hash of the viewer', async () => {
    const email = freshHash();
    await service.report({ email });
    const link = new URL(segmentsOf(await service.query({ email }))[3]);
    expect(link.origin).toBe('https://flags.example');
    expect(link.pathname.split('/').at(-1)).toMatch(/^[0-9a-f]{40}$/);
    expect((await service.view(link.href)).status).toBe(200);
    expect((await service.request(link.pathname)).status).toBe(200);
  });

  it('4.4 link: returned even when the other values are zero', async () => {
    expect((await service.query({ email: freshHash() })).body).toMatch(
      /^0-0-0\.0-https:\/\/flags\.example\/report\/[0-9a-f]{40}$/,
    );
  });

  it('4.4 a failed query can never be read as a result: its body is `ERROR: ` and has no hyphen (our choice)', async () => {
    for (const reply of [
      await service.query({}),
      await service.query({ email: 'x' }),
      await service.query({ 'a-b-c-d': 'x' }),
      await service.query({ email: freshHash() }, { _api: 'ffffffffffffffff' }),
    ]) {
      expect(reply.body).toMatch(/^ERROR: [^-\r\n]+$/);
    }
  });
});

describe('4.5 public report viewer', () => {
  let link: string;
  beforeAll(async () => {
    const email = freshHash();
    await service.report({ email });
    link = segmentsOf(await service.query({ email }))[3];
  });

  it('4.5 method and path: GET {base_url}/api/?showreport=', async () =>
    expect((await service.request(`/api/?showreport=${link.slice(-40)}`)).status).toBe(200));
  it('4.5 no authentication: neither needed nor looked at', async () =>
    expect((await service.request(`/api/?showreport=${link.slice(-40)}&_api=wrong`)).status).toBe(200));
  it('4.5 showreport: required', async () => expect((await service.request('/api/')).status).toBe(404));

  it('4.5 showreport: 40-character hex', async () => {
    for (const hash of ['', 'x', link.slice(-39), `${link.slice(-40)}0`, 'g'.repeat(40)])
      expect((await service.request(`/api/?showreport=${hash}`)).status, hash).toBe(404);
  });

  it('4.5 200: JSON as in 2.2', async () => {
    const reply = await service.view(link);
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(reply.body)).toMatchObject({
      ReportAdvanceds: [{ type: 'fraud', value: 7, reporter: 'Shop' }],
      count: 1,
    });
  });

  it('4.5 404: the hash is invalid or no report exists for it', async () => {
    expect((await service.view('invalid')).status).toBe(404);
    expect((await service.view('0'.repeat(40))).status).toBe(404);
    expect((await service.view(segmentsOf(await service.query({ email: freshHash() }))[3])).status).toBe(404);
  });

  it('4.5 hash: the final segment of the link of a query shows the reports that the query counted', async () => {
    const [email, phone] = [freshHash(), freshHash()];
    await service.report({ email, _text: 'By mail.' });
    await service.report({ email: undefined, phone, _text: 'By phone.' });
    const [, reported, , both] = segmentsOf(await service.query({ email, phone }));
    const { count, ReportAdvanceds } = JSON.parse((await service.view(both)).body) as {
      count: number;
      ReportAdvanceds: { description: string }[];
    };
    expect(String(count)).toBe(reported);
    expect(ReportAdvanceds.map(({ description }) => description).sort()).toEqual(['By mail.', 'By phone.']);
  });

  it('4.5 caching: replies may be kept and asked for again by their tag', async () => {
    const reply = await service.view(link);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
    const again = await service.request(`/api/?showreport=${link.slice(-40)}`, {
      headers: { 'if-none-match': reply.headers.get('etag') ?? '' },
    });
    expect(again).toMatchObject({ status: 304, body: '' });
  });
});
