import { expect, it } from 'vitest';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import type { StoredSignIn } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { id } from './stored.ts';

/** Sign-ins of the panel. The store has two reporters and nothing else. */
export function signInContract(storeOf: () => Store): void {
  const note = { actor: 'Ada', atMs: 5 };
  const digest = (n: number): string => n.toString(16).padStart(64, '0');
  const row = (n: number, over: Partial<StoredSignIn> = {}): StoredSignIn => ({
    digest: digest(n),
    kind: 'link',
    reporterId: null,
    name: `Ädä “${n}”`,
    createdAt: n,
    endsAt: 100,
    ...over,
  });
  const shown = ({ digest: _digest, ...signIn }: StoredSignIn) => signIn;
  const session = (n: number, over: Partial<StoredSignIn> = {}) => row(n, { kind: 'session', endsAt: 500, ...over });

  it('starts one session with a link, and records who', async () => {
    const store = storeOf();
    expect(await store.hasOperatorSignedIn()).toBe(false);
    const own = { reporterId: id(2) };
    expect(await store.addSignIn(row(1, own), note)).toBe('added');
    expect(await store.addSignIn(row(1), note)).toBe('taken');
    expect(await store.addSignIn(row(2, { reporterId: id(9) }), note)).toBe('unknown-reporter');
    expect(await store.addSignIn(row(3), note)).toBe('added');
    expect(await store.findSignIn(digest(1))).toEqual(shown(row(1, own)));
    expect(await store.findSignIn(digest(9))).toBeUndefined();
    const start = { linkDigest: digest(1), session: session(4, own), atMs: 99 };
    expect(await store.startSession(start, note)).toBe('started');
    expect(await store.startSession({ ...start, session: session(5, own) }, note)).toBe('unknown');
    expect(await store.findSignIn(digest(1))).toBeUndefined();
    expect(await store.findSignIn(digest(4))).toEqual(shown(session(4, own)));
    expect(await store.hasOperatorSignedIn()).toBe(false);
    // A session is no link, and an ended link starts none.
    expect(await store.startSession({ ...start, linkDigest: digest(4), session: session(5) })).toBe('unknown');
    expect(await store.startSession({ linkDigest: digest(3), session: session(5), atMs: 100 })).toBe('unknown');
    expect(await store.startSession({ linkDigest: digest(3), session: session(5), atMs: 99 }, note)).toBe('started');
    expect(await store.hasOperatorSignedIn()).toBe(true);
    const entries = (await store.listAudit({ after: 0, limit: 9 })).filter(isSoundEntry);
    expect(entries.map(({ action, reporterId }) => [action, reporterId])).toEqual([
      ['sign-in-link-created', id(2)],
      ['sign-in-link-created', null],
      ['signed-in', id(2)],
      ['signed-in', null],
    ]);
    expect(await store.check()).toEqual([]);
  });

  it('deletes what has ended when something is added, and what is ended by hand', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addSignIn(session(n, n === 3 ? {} : { reporterId: id(n) }));
    await store.addSignIn(session(4, { endsAt: 20 }));
    await store.addSignIn(row(19));
    expect(await store.findSignIn(digest(4))).toBeDefined();
    await store.addSignIn(row(20));
    expect(await store.findSignIn(digest(4))).toBeUndefined();
    await store.endSignIns({ digest: digest(20) });
    await store.endSignIns({ reporterId: id(1) });
    const left = async () => {
      const found = await Promise.all([1, 2, 3, 19, 20].map((n) => store.findSignIn(digest(n))));
      return found.map((one) => one !== undefined);
    };
    expect(await left()).toEqual([false, true, true, true, false]);
    await store.endSignIns({ reporterId: null });
    await store.endSignIns({ digest: digest(77) });
    expect(await left()).toEqual([false, true, false, false, false]);
    expect(await store.check()).toEqual([]);
  });

  it('moves the end of a session to a later time, and starts no ended one again', async () => {
    const store = storeOf();
    await store.addSignIn(row(1));
    await store.addSignIn(session(2));
    await store.renewSession({ digest: digest(2), endsAt: 900, atMs: 499 });
    await store.renewSession({ digest: digest(2), endsAt: 700, atMs: 499 });
    expect(await store.findSignIn(digest(2))).toEqual(shown(session(2, { endsAt: 900 })));
    await store.renewSession({ digest: digest(2), endsAt: 1_500, atMs: 900 });
    for (const n of [1, 9]) await store.renewSession({ digest: digest(n), endsAt: 900, atMs: 50 });
    expect((await store.findSignIn(digest(2)))?.endsAt).toBe(900);
    expect((await store.findSignIn(digest(1)))?.endsAt).toBe(100);
    expect(await store.findSignIn(digest(9))).toBeUndefined();
    expect(await store.check()).toEqual([]);
  });

  it('ends all links and sessions of the operator or of a reporter, not the notes of forms, and records who', async () => {
    const store = storeOf();
    const form = row(5, { kind: 'form', name: 'form' });
    await store.addSignIn(form);
    for (const n of [1, 2]) await store.addSignIn(session(n, n === 1 ? {} : { reporterId: id(2) }));
    await store.addSignIn(row(3));
    await store.endSignIns({ reporterId: null }, note);
    const left = async () => {
      const found = await Promise.all([1, 2, 3, 5].map((n) => store.findSignIn(digest(n))));
      return found.map((one) => one?.kind);
    };
    expect(await left()).toEqual([undefined, 'session', undefined, 'form']);
    await store.endSignIns({ reporterId: id(2) }, note);
    expect(await left()).toEqual([undefined, undefined, undefined, 'form']);
    expect(await store.addSignIn(form)).toBe('taken');
    const entries = (await store.listAudit({ after: 0, limit: 9 })).filter(isSoundEntry);
    expect(entries.map(({ action, actor, reporterId }) => [action, actor, reporterId])).toEqual([
      ['signed-out', 'Ada', null],
      ['signed-out', 'Ada', id(2)],
    ]);
  });
}
