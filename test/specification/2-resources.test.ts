// Section 2, resources and their fields:
//
// 2.1  _api · _action · _type · _value · _text · hashed identifier fields
// 2.2  reportId · type · value · description · createdAt · reporter · the envelope
// 2.3  the four names · open list · suffixes · order · hash steps 1 to 5 · 40 hex is what is sent
// 2.4  16 hex characters · identifies one report · (how it is obtained: ours)
// 2.5  four segments
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashIdentifier } from '../../src/hash.ts';
import type { Identifier } from '../../src/index.ts';
import { chainVectors } from '../vectors/chain.ts';
import {
  codeOf,
  freshHash,
  openSpecifiedService,
  segmentsOf,
  verdictOf,
  SURROUNDINGS,
  type SpecifiedService,
} from './specified-service.ts';
import { createMemoryStore } from '../memory-store.ts';

let service: SpecifiedService;
const stored: (readonly Identifier[])[] = [];
beforeAll(async () => {
  const store = await createMemoryStore();
  // The protocol shows nobody the order of a report's identifiers, so it is read where it arrives.
  service = await openSpecifiedService({
    store: {
      ...store,
      addReport: (report, since) => (stored.push(report.identifiers), store.addReport(report, since)),
    },
  });
});
afterAll(() => service.close());

describe('2.1 report', () => {
  it('2.1 _api: required', async () => {
    expect((await service.report({ _api: undefined })).body).toBe('ERROR: The field _api is missing.');
    expect((await service.report({ _api: service.apiKey })).body).toBe('OK');
  });

  it('2.1 _action: required, must be report', async () => {
    expect((await service.report({ _action: undefined })).body).toBe('ERROR: The field _action is missing.');
    for (const action of ['Report', 'reports', ' report', ''])
      expect((await service.report({ _action: action })).body, action).toBe(
        'ERROR: The field _action must be report, delete or query.',
      );
  });

  it('2.1 _type: required, one of the allowed values, chargeback, fraud and phishing among them', async () => {
    expect((await service.report({ _type: undefined })).body).toBe('ERROR: The field _type is missing.');
    for (const type of ['chargeback', 'fraud', 'phishing'])
      expect((await service.report({ _type: type })).body, type).toBe('OK');
    for (const type of ['', 'Fraud', 'rudeness'])
      expect((await service.report({ _type: type })).body, type).toBe(
        'ERROR: The field _type is not one of the offence types of this service.',
      );
  });

  it('2.1 _value: required, integer 1 to 10', async () => {
    expect((await service.report({ _value: undefined })).body).toBe('ERROR: The field _value is missing.');
    for (let value = 1; value <= 10; value += 1)
      expect((await service.report({ _value: String(value) })).body, String(value)).toBe('OK');
    for (const value of ['0', '11', '-1', '5.5', '1e1', 'five', ''])
      expect((await service.report({ _value: value })).body, value).toBe(
        'ERROR: The field _value must be a whole number from 1 to 10.',
      );
  });

  it('2.1 _text: required, free form, displayed publicly', async () => {
    expect((await service.report({ _text: undefined })).body).toBe('ERROR: The field _text is missing.');
    const email = freshHash();
    const text = 'Zażółć & <b>"quotes"</b> + 100%\nsecond line 🙂';
    expect((await service.report({ _text: text, email })).body).toBe('OK');
    const viewed = JSON.parse((await service.view(segmentsOf(await service.query({ email }))[3])).body) as {
      ReportAdvanceds: { description: string }[];
    };
    expect(viewed.ReportAdvanceds[0]?.description).toBe(text);
  });

  it('2.1 hashed identifier fields: 40 lowercase hex characters, at least one', async () => {
    expect((await service.report({ email: undefined })).body).toBe('ERROR: At least one hashed identifier is needed.');
    const hash = 'a'.repeat(40);
    const around = SURROUNDINGS.flatMap((extra) => [`${extra}${hash}`, `${hash}${extra}`, extra]);
    for (const value of ['', 'a'.repeat(39), 'a'.repeat(41), 'g'.repeat(40), 'jane@example.org', ...around]) {
      const refused =
        'ERROR: The field email must be a hash of 40 hex characters, without spaces or quotes around it. ' +
        'Leave the field out if it is empty.';
      expect((await service.report({ email: value })).body, value).toBe(refused);
      expect((await service.query({ email: value, phone: hash })).body, value).toBe(refused);
    }
    expect((await service.report({ email: 'A'.repeat(40) })).body).toBe('OK');
    expect((await service.report({ email: 'a'.repeat(40) })).body).toBe('OK');
  });
});

describe('2.2 report as returned by the public viewer', () => {
  let first: Record<string, unknown>;
  let envelope: Record<string, unknown>;
  let began: number;
  beforeAll(async () => {
    const ip = freshHash();
    began = Date.now();
    await service.report({ ip, _type: 'phishing', _value: '4', _text: 'A page that looks like ours.' });
    envelope = JSON.parse((await service.view(segmentsOf(await service.query({ ip }))[3])).body) as Record<
      string,
      unknown
    >;
    first = (envelope['ReportAdvanceds'] as Record<string, unknown>[])[0]!;
  });

  it('2.2 reportId: 16 hex characters', () => expect(first['reportId']).toMatch(/^[0-9a-f]{16}$/));
  it('2.2 type: offence type', () => expect(first['type']).toBe('phishing'));
  it('2.2 value: severity, an integer', () => expect(first['value']).toBe(4));
  it('2.2 description: the public description', () =>
    expect(first['description']).toBe('A page that looks like ours.'));
  it('2.2 createdAt: ISO 8601 UTC', () => {
    expect(first['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const at = Date.parse(first['createdAt'] as string);
    expect(at >= began && at <= Date.now()).toBe(true);
  });
  it('2.2 reporter: name of the reporting organisation', () => expect(first['reporter']).toBe('Shop'));
  it('2.2 envelope: ReportAdvanceds and count, and nothing else anywhere', () => {
    expect(Object.keys(envelope)).toEqual(['ReportAdvanceds', 'count']);
    expect(envelope['count']).toBe(1);
    expect(Object.keys(first)).toEqual(['reportId', 'type', 'value', 'description', 'createdAt', 'reporter']);
  });
});

describe('2.3 hashed identifier fields', () => {
  it('2.3 names: email, ip, phone, domain', async () => {
    for (const name of ['email', 'ip', 'phone', 'domain']) {
      const hash = freshHash();
      expect((await service.report({ email: undefined, [name]: hash })).body, name).toBe('OK');
      expect(segmentsOf(await service.query({ [name]: hash }))[1], name).toBe('1');
    }
  });

  it('2.3 names: the list is open', async () => {
    for (const name of ['iban', 'device_id', 'card-token', 'x']) {
      const hash = freshHash();
      expect((await service.report({ email: undefined, [name]: hash })).body, name).toBe('OK');
      expect(segmentsOf(await service.query({ [name]: hash }))[1], name).toBe('1');
    }
  });

  it('2.3 suffix: email, email2, email3 and phone2 are values of one kind each', async () => {
    const values = {
      email: freshHash(),
      email2: freshHash(),
      email3: freshHash(),
      phone: freshHash(),
      phone2: freshHash(),
    };
    expect((await service.report(values)).body).toBe('OK');
    const verdict = verdictOf(await service.query({ email: values.email }));
    for (const name of ['email2', 'email3'] as const)
      expect(verdictOf(await service.query({ email: values[name] }))).toEqual(verdict);
    expect(verdictOf(await service.query({ email: freshHash(), email2: values.email3 }))).toEqual(verdict);
    expect(segmentsOf(await service.query({ phone: values.phone2 }))[1]).toBe('1');
    expect(stored.at(-1)?.map(({ kind }) => kind)).toEqual(['email', 'email', 'email', 'phone', 'phone']);
  });

  it('2.3 order: the submission order is preserved', async () => {
    const sent = { phone: freshHash(), email2: freshHash(), ip: freshHash(), email: freshHash() };
    await service.form({
      _api: service.apiKey,
      _action: 'report',
      ...sent,
      _type: 'fraud',
      _value: '1',
      _text: 'In this order.',
    });
    expect(stored.at(-1)).toEqual([
      { kind: 'phone', hash: sent.phone },
      { kind: 'email', hash: sent.email2 },
      { kind: 'ip', hash: sent.ip },
      { kind: 'email', hash: sent.email },
    ]);
  });

  it('2.3 hash, steps 1 to 3: two spellings of one value are one identifier', async () => {
    await service.report({ email: await hashIdentifier('steps@example.com') });
    for (const spelling of [
      '  steps@example.com\n',
      'steps @ exam ple.com',
      'Steps@EXAMPLE.com',
      '\tSTEPS @example.com ',
    ]) {
      expect(segmentsOf(await service.query({ email: await hashIdentifier(spelling) }))[1], spelling).toBe('1');
    }
    expect(segmentsOf(await service.query({ email: await hashIdentifier('step@example.com') }))[1]).toBe('0');
  });

  it('2.3 hash, step 4: 32000 rounds of SHA-1 over the prefix and the value', async () => {
    expect(chainVectors).toMatchObject({ prefix: 'service-', iterations: 32000 });
    const { input, digest, after } = chainVectors.cases[0]!;
    expect(await hashIdentifier(input)).toBe(digest);
    for (const [rounds, value] of Object.entries(after))
      expect(await hashIdentifier(input, { iterations: Number(rounds) }), rounds).toBe(value);
  });

  it('2.3 hash, step 5: 40 lowercase hex characters, and that is what is sent', async () => {
    const hash = await hashIdentifier('five@example.com');
    expect(hash).toMatch(/^[0-9a-f]{40}$/);
    expect((await service.report({ email: hash })).body).toBe('OK');
  });
});

describe('2.4 deletion code', () => {
  it('2.4 a 16-character hex string; it comes in a header of the report’s reply', async () => {
    expect(codeOf(await service.report())).toMatch(/^[0-9a-f]{16}$/);
  });

  it('2.4 identifies one report', async () => {
    const [email, other] = [freshHash(), freshHash()];
    const [code, otherCode] = [codeOf(await service.report({ email })), codeOf(await service.report({ email: other }))];
    expect(code).not.toBe(otherCode);
    expect((await service.remove(code)).body).toBe('OK');
    expect(segmentsOf(await service.query({ email }))[1]).toBe('0');
    expect(segmentsOf(await service.query({ email: other }))[1]).toBe('1');
  });
});

it('2.5 query result: four segments', async () => {
  expect((await service.query({ email: freshHash() })).body.split('-')).toHaveLength(4);
});
