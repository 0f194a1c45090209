import { expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createTestEngine } from '../engine/setup.ts';

const refused = (reason: string) => ({ ok: false, refusal: expect.objectContaining({ reason }) });

it('refuses wrong names and unknown reporters, and creates nothing', async () => {
  const { engine, reporterId } = await createTestEngine();
  const entries = (await engine.listAudit()).length;
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(81), 'engine', 'Engine']) {
    expect(await engine.createSignInLink({ reporterId, name })).toEqual(refused('invalid-name'));
    expect(await engine.createSignInLink({ reporterId, name: 'Ada', by: name })).toEqual(refused('invalid-name'));
  }
  for (const unknown of ['', 'x', '0'.repeat(16)])
    expect(await engine.createSignInLink({ reporterId: unknown, name: 'Ada' })).toEqual(refused('unknown-reporter'));
  await expect(engine.createSignInLink({ reporterId, name: 'Ada', role: 'x' } as never)).rejects.toThrow(TypeError);
  expect((await engine.listAudit()).length).toBe(entries);
});

it('knows links and sessions apart, and no other text', async () => {
  const { engine } = await createTestEngine();
  const { token } = unwrap(await engine.createSignInLink({ reporterId: null, name: ' Ada ', by: 'Ops' }));
  expect(await engine.hasOperatorSignedIn()).toBe(false);
  expect(await engine.findSession({ session: token })).toEqual(refused('unknown-sign-in'));
  const { session, signIn } = unwrap(await engine.startSession({ token }));
  expect(signIn).toMatchObject({ kind: 'session', reporterId: null, name: 'Ada' });
  expect(await engine.hasOperatorSignedIn()).toBe(true);
  expect(await engine.startSession({ token: session })).toEqual(refused('unknown-sign-in'));
  for (const text of ['', token, session.toUpperCase(), `${session} `, session.slice(1)])
    if (text !== session) expect(await engine.findSession({ session: text })).toEqual(refused('unknown-sign-in'));
  expect(await engine.findSession({ session })).toEqual({ ok: true, value: { ...signIn, reporter: null } });
  await engine.endSession({ session: 'x' });
  await engine.endSession({ session });
  expect(await engine.findSession({ session })).toEqual(refused('unknown-sign-in'));
});

it('notes a form of a session once, for 12 hours and ten minutes', async () => {
  const { engine, clock } = await createTestEngine();
  const note = (session: string, form: string) => engine.noteForm({ session, form });
  expect(await note('a', 'form')).toBe(true);
  expect([await note('a', 'form'), await note('b', 'form'), await note('a', 'other')]).toEqual([false, true, true]);
  clock.nowMs += 12 * 3_600_000 + 600_000 - 1;
  expect(await note('a', 'form')).toBe(false);
  clock.nowMs++;
  expect(await note('a', 'form')).toBe(true);
  await engine.forgetForm({ session: 'b', form: 'form' });
  await engine.forgetForm({ session: 'a', form: 'form' });
  expect(await note('a', 'form')).toBe(true);
});
