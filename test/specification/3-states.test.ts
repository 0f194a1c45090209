// Section 3, states and transitions:
//
// (none)         → report exists    report, valid key and fields, `OK`; counts toward later queries
// report exists  → report deleted   delete, valid key and code, `OK`
// report deleted → report deleted   the same code again, any text other than `OK`
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, freshHash, openSpecifiedService, segmentsOf, type SpecifiedService } from './specified-service.ts';

let service: SpecifiedService;
beforeAll(async () => {
  service = await openSpecifiedService();
});
afterAll(() => service.close());

const reportedOf = async (email: string): Promise<string> => segmentsOf(await service.query({ email }))[1];

it('3 (none) → report exists: the body is OK and the report counts toward later query results', async () => {
  const email = freshHash();
  expect(await reportedOf(email)).toBe('0');
  expect((await service.report({ email })).body).toBe('OK');
  expect(await reportedOf(email)).toBe('1');
  expect((await service.report({ email, _text: 'Another one.' })).body).toBe('OK');
  expect(await reportedOf(email)).toBe('2');
});

it('3 (none) stays: an invalid key or field creates nothing', async () => {
  const email = freshHash();
  for (const changes of [{ _api: 'ffffffffffffffff' }, { _value: '11' }, { _type: 'x' }, { _text: '' }, { ip: 'x' }])
    expect((await service.report({ email, ...changes })).body).not.toBe('OK');
  expect(await reportedOf(email)).toBe('0');
});

it('3 report exists → report deleted: the body is OK and the report counts no more', async () => {
  const email = freshHash();
  const code = codeOf(await service.report({ email }));
  const link = segmentsOf(await service.query({ email }))[3];
  expect((await service.view(link)).status).toBe(200);
  expect((await service.remove(code)).body).toBe('OK');
  expect(await reportedOf(email)).toBe('0');
  expect((await service.view(link)).status).toBe(404);
});

it('3 report exists stays: an invalid key or another reporter’s deletes nothing', async () => {
  const email = freshHash();
  const code = codeOf(await service.report({ email }));
  for (const key of ['ffffffffffffffff', service.revokedKey, service.strangerKey])
    expect((await service.remove(code, { _api: key })).body).not.toBe('OK');
  expect(await reportedOf(email)).toBe('1');
});

it('3 report deleted → report deleted: the same code again is a failure, every time', async () => {
  const code = codeOf(await service.report());
  expect((await service.remove(code)).body).toBe('OK');
  for (let again = 0; again < 3; again += 1)
    expect((await service.remove(code)).body).toBe('ERROR: This report was already deleted.');
});
