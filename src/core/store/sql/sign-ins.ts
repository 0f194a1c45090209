import { record } from './audit.ts';
import { SIGN_IN } from './catalogue.ts';
import { toBytes } from './columns.ts';
import { change, exists, find, put } from './rows.ts';
import { sql, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { pick } from './table.ts';

const SIGN_IN_SHOWN = pick(SIGN_IN, 'kind', 'reporterId', 'name', 'createdAt', 'endsAt');

/** One lock for all, so that two processes that delete ended rows cannot deadlock. */
const LOCK = { lock: ['sign-in'] };

/** Who may sign in to the panel, and who did. */
export const SIGN_IN_WORK = {
  *addSignIn(row, note) {
    yield LOCK;
    const { digest, reporterId } = row;
    if (reporterId !== null && !(yield* exists('reporter WHERE reporter_id = ?', toBytes(reporterId))))
      return 'unknown-reporter';
    yield* removeEnded(row.createdAt);
    if (yield* exists('sign_in WHERE digest = ?', toBytes(digest))) return 'taken';
    yield* put(SIGN_IN, [row]);
    yield* record(note, { action: 'sign-in-link-created', reporterId });
    return 'added';
  },

  *startSession({ linkDigest, session, atMs }, note) {
    yield LOCK;
    const [link] = yield* find(SIGN_IN, 'digest', [linkDigest]);
    if (link?.kind !== 'link' || link.endsAt <= atMs) return 'unknown';
    yield* removeEnded(atMs);
    yield* remove(linkDigest);
    yield* put(SIGN_IN, [session]);
    yield* record(note, { action: 'signed-in', reporterId: session.reporterId });
    return 'started';
  },

  *renewSession({ digest, endsAt, atMs }) {
    yield LOCK;
    const [found] = yield* find(SIGN_IN, 'digest', [digest]);
    // It may have been ended meanwhile, or renewed by another request.
    if (found?.kind !== 'session' || found.endsAt <= atMs || found.endsAt >= endsAt) return;
    yield* change(SIGN_IN, { digest }, { endsAt: [found.endsAt, endsAt] });
  },

  *findSignIn(digest) {
    const [found] = yield* find(SIGN_IN_SHOWN, 'digest', [digest]);
    return found;
  },

  *endSignIns(of, note) {
    yield LOCK;
    if ('digest' in of) return void (yield* remove(of.digest));
    const { reporterId } = of;
    // A note of a form belongs to no one. Without it, the form could take effect again.
    if (reporterId === null) yield* sql("DELETE FROM sign_in WHERE reporter_id IS NULL AND kind <> 'form'");
    else yield* sql('DELETE FROM sign_in WHERE reporter_id = ?', toBytes(reporterId));
    yield* record(note, { action: 'signed-out', reporterId });
  },

  hasOperatorSignedIn: () => exists("audit WHERE action = 'signed-in' AND reporter_id IS NULL"),
} satisfies Partial<StoreWork>;

function remove(digest: string): SqlWork<unknown> {
  return sql('DELETE FROM sign_in WHERE digest = ?', toBytes(digest));
}

function removeEnded(atMs: number): SqlWork<unknown> {
  return sql('DELETE FROM sign_in WHERE ends_at <= ?', atMs);
}
