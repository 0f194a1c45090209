import { toAuditNote, toWho } from '../core/domain/audit.ts';
import { DAY_MS, SKEW_MS } from '../core/domain/day.ts';
import { isCode } from '../core/domain/identifier.ts';
import { refuseUnknown, requireString, requireWhole } from '../core/domain/options.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import { FORM_MS, type SignIn } from '../core/domain/reporter.ts';
import type { WithContext } from '../core/engine/context.ts';
import { freshCode } from '../core/engine/secrets.ts';
import { addressBucket } from '../core/engine/limits.ts';
import { SIGN_IN } from '../core/store/sql/catalogue.ts';
import { toBytes } from '../core/store/sql/columns.ts';
import { read } from '../core/store/sql/rows.ts';
import { pick } from '../core/store/sql/table.ts';

/** Who may sign in to the panel, and who is signed in. Only digests of links and sessions are stored. */
export interface SignIns {
  /**
   * Creates a link with which one person can sign in once, within an hour: for a reporter, or for the operator (null).
   * `name` is who signs in, and `by` who creates the link; 1 to 80 code points each. Only this result holds the token.
   * Refuses with `invalid-name` or `unknown-reporter`.
   */
  createSignInLink(request: {
    readonly reporterId: string | null;
    readonly name: string;
    readonly by?: string | undefined;
  }): Promise<Outcome<{ readonly token: string; readonly endsAt: number }>>;
  /**
   * Returns for whom a link is, with the public name of the reporter (null for the operator), and does not use it up.
   * A link that this process has created counts against its own limit, any other against that of `client`. Refuses as
   * `startSession` does.
   */
  findSignInLink(request: {
    readonly token: string;
    readonly client?: string | undefined;
  }): Promise<Outcome<SignIn & { readonly reporter: string | null }>>;
  /**
   * Uses up a link and starts a session. It ends when it is unused for 3 days (operator) or 14 days (reporter), and at
   * `latestEnd` (ms, UTC), after 30 or 90 days. Only this result holds the session's token. `client` is the address,
   * for the limit. Refuses with `unknown-sign-in`, `limited`, or `suspended-key` for a reporter that is suspended.
   */
  startSession(request: {
    readonly token: string;
    readonly client?: string | undefined;
  }): Promise<Outcome<{ readonly session: string; readonly signIn: SignIn; readonly latestEnd: number }>>;
  /**
   * Returns who is signed in, with the public name of the reporter (null for the operator), and renews the session. A
   * session that this process knows counts against its own limit, any other against that of `client`: `cost` tokens,
   * by default one. Refuses as `startSession` does.
   */
  findSession(request: {
    readonly session: string;
    readonly client?: string | undefined;
    readonly cost?: number | undefined;
  }): Promise<Outcome<SignIn & { readonly reporter: string | null }>>;
  /**
   * Returns the sessions of a reporter, or of the operator (null), that have not ended: the newest first, at most 100.
   */
  listSessions(request: { readonly reporterId: string | null }): Promise<readonly SignIn[]>;
  /** Ends a session. An unknown one is ignored. */
  endSession(request: { readonly session: string }): Promise<void>;
  /**
   * Notes that a form was sent, whose content is `form`. Returns false if the same content was sent before: it must not
   * take effect again. The note ends when the form is too old.
   */
  noteForm(request: { readonly session: string; readonly form: string }): Promise<boolean>;
  /** Removes the note of a form that did nothing: the form may be sent again. */
  forgetForm(request: { readonly session: string; readonly form: string }): Promise<void>;
  /** True if an operator has signed in at any time. */
  hasOperatorSignedIn(): Promise<boolean>;
  /**
   * Ends all sessions and links of a reporter, or of the operator (null). `by` is who ends them, for the audit log.
   * Refuses with `invalid-name` or `unknown-reporter`.
   */
  endSessions(request: {
    readonly reporterId: string | null;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
}

const HOUR_MS = 3_600_000;
const LINK_MS = HOUR_MS;
/** A weekend of the operator, and a holiday of a person at a reporter: who was away comes back without a new link. */
const OPERATOR_LASTS = { unusedMs: 3 * DAY_MS, mostMs: 30 * DAY_MS };
const REPORTER_LASTS = { unusedMs: 14 * DAY_MS, mostMs: 90 * DAY_MS };
/** A session that is used is renewed once an hour: more would be a write for each page. */
const RENEWAL_MS = HOUR_MS;
const MAX_LISTED_SESSIONS = 100;
/** A note of a form ends after the form: the clock of the process that showed the form may be ahead. */
const NOTE_MS = FORM_MS + SKEW_MS;

/** More people than use a panel at once. An older session counts by its address once more. */
const MAX_KNOWN_SESSIONS = 10_000;

const TOKEN_BYTES = 32;
const TOKEN = /^[0-9a-f]{64}$/;

const SESSION = pick(SIGN_IN, 'kind', 'reporterId', 'name', 'createdAt', 'endsAt');

const lastsOf = (reporterId: string | null) => (reporterId === null ? OPERATOR_LASTS : REPORTER_LASTS);

/** Returns when a session that is used at `atMs` ends. */
function endOf({ reporterId, createdAt }: Pick<SignIn, 'reporterId' | 'createdAt'>, atMs: number): number {
  const { unusedMs, mostMs } = lastsOf(reporterId);
  return Math.min(atMs + unusedMs, createdAt + mostMs);
}

/** Returns the sign-ins to the panel of an engine. */
export function createSignIns({ context }: WithContext): SignIns {
  const { store, secrets, secretCheck, limits, effects } = context;
  const { clock, random } = effects;

  /**
   * Digests of links that this process has created and of sessions that it has found, the oldest first. Only these have
   * a limit of their own: guesses of others behind the same address cannot lock their people out, and guesses cannot
   * make buckets.
   */
  const known = new Set<string>();
  const remember = (digest: string): void => {
    const [oldest] = known;
    if (known.size >= MAX_KNOWN_SESSIONS && oldest !== undefined) known.delete(oldest);
    known.add(digest);
  };

  const count = async (client: string | undefined, digest = '', cost = 1): Promise<Outcome<void>> => {
    if (client === undefined) return accept(undefined);
    requireString('client', client);
    requireWhole('cost', cost, 1);
    return limits.throttles.panel.take(known.has(digest) ? `sign-in ${digest}` : addressBucket(client), cost);
  };

  const find = async (token: string, kind: SignIn['kind']): ReturnType<SignIns['findSession']> => {
    const found = TOKEN.test(token) ? await store.findSignIn(secrets.signInDigest(token)) : undefined;
    if (found?.kind !== kind || found.endsAt <= clock()) return refuse({ reason: 'unknown-sign-in' });
    if (found.reporterId === null) return accept({ ...found, reporter: null });
    const [reporter] = await store.findReporters([found.reporterId]);
    if (!reporter) return refuse({ reason: 'unknown-sign-in' });
    return reporter.suspended ? refuse({ reason: 'suspended-key' }) : accept({ ...found, reporter: reporter.name });
  };

  /** Renews a session that was found. If the store takes no writes, the person still works on until its end. */
  const renew = async (digest: string, signIn: SignIn): Promise<void> => {
    const atMs = clock();
    const endsAt = endOf(signIn, atMs);
    if (endsAt - signIn.endsAt >= RENEWAL_MS) await store.renewSession({ digest, endsAt, atMs }).catch(() => undefined);
  };

  const findLink: SignIns['findSignInLink'] = async (request) => {
    refuseUnknown(request, ['token', 'client']);
    const { token, client } = request;
    requireString('token', token);
    const digest = TOKEN.test(token) ? secrets.signInDigest(token) : '';
    const counted = await count(client, digest);
    if (!counted.ok) return counted;
    const found = await find(token, 'link');
    if (!found.ok) known.delete(digest);
    return found;
  };

  const formDigest = (session: string, form: string): string => {
    requireString('session', session);
    requireString('form', form);
    return secrets.signInDigest(JSON.stringify([session, form]));
  };

  return secretCheck.guard<SignIns>({
    async createSignInLink(request) {
      refuseUnknown(request, ['reporterId', 'name', 'by']);
      const { reporterId } = request;
      const name = toWho(request.name);
      if (!name.ok) return name;
      const note = toAuditNote(request.by, clock);
      if (!note.ok) return note;
      if (reporterId !== null && !isCode(reporterId)) return refuse({ reason: 'unknown-reporter' });
      await secretCheck.adoptIfNew();
      const token = freshCode(random, TOKEN_BYTES);
      const createdAt = clock();
      const endsAt = createdAt + LINK_MS;
      const link = { kind: 'link', reporterId, name: name.value, createdAt, endsAt } as const;
      const digest = secrets.signInDigest(token);
      const added = await store.addSignIn({ ...link, digest }, note.value);
      if (added === 'taken') throw new Error('"random" expected fresh bytes at each call, got the same ones again');
      if (added === 'added') remember(digest);
      return added === 'added' ? accept({ token, endsAt }) : refuse({ reason: 'unknown-reporter' });
    },

    findSignInLink: findLink,

    async startSession(request) {
      const link = await findLink(request);
      if (!link.ok) return link;
      const { token } = request;
      const { reporterId, name } = link.value;
      const atMs = clock();
      const endsAt = endOf({ reporterId, createdAt: atMs }, atMs);
      const signIn: SignIn = { kind: 'session', reporterId, name, createdAt: atMs, endsAt };
      const session = freshCode(random, TOKEN_BYTES);
      const digest = secrets.signInDigest(session);
      const linkDigest = secrets.signInDigest(token);
      const started = await store.startSession(
        { linkDigest, session: { ...signIn, digest }, atMs },
        { actor: name, atMs },
      );
      known.delete(linkDigest);
      if (started !== 'started') return refuse({ reason: 'unknown-sign-in' });
      remember(digest);
      return accept({ session, signIn, latestEnd: atMs + lastsOf(reporterId).mostMs });
    },

    async findSession(request) {
      refuseUnknown(request, ['session', 'client', 'cost']);
      const { session, client, cost } = request;
      requireString('session', session);
      if (!TOKEN.test(session)) return refuse({ reason: 'unknown-sign-in' });
      const digest = secrets.signInDigest(session);
      const counted = await count(client, digest, cost);
      if (!counted.ok) return counted;
      const found = await find(session, 'session');
      if (!found.ok) {
        known.delete(digest);
        return found;
      }
      if (!known.has(digest)) remember(digest);
      await renew(digest, found.value);
      return found;
    },

    async listSessions({ reporterId }) {
      if (reporterId !== null && !isCode(reporterId)) return [];
      const of = reporterId === null ? 'reporter_id IS NULL' : 'reporter_id = ?';
      const values = reporterId === null ? [] : [toBytes(reporterId)];
      const tail = `WHERE kind = 'session' AND ${of} AND ends_at > ? ORDER BY created_at DESC LIMIT ?`;
      return store.read(() => read(SESSION, tail, ...values, clock(), MAX_LISTED_SESSIONS));
    },

    async endSession({ session }) {
      requireString('session', session);
      if (TOKEN.test(session)) await store.endSignIns({ digest: secrets.signInDigest(session) });
    },

    async noteForm({ session, form }) {
      const digest = formDigest(session, form);
      const createdAt = clock();
      const row = { kind: 'form', reporterId: null, name: 'form', createdAt, endsAt: createdAt + NOTE_MS } as const;
      return (await store.addSignIn({ ...row, digest })) === 'added';
    },

    async forgetForm({ session, form }) {
      await store.endSignIns({ digest: formDigest(session, form) });
    },

    hasOperatorSignedIn: () => store.hasOperatorSignedIn(),

    async endSessions(request) {
      refuseUnknown(request, ['reporterId', 'by']);
      const { reporterId, by } = request;
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (reporterId !== null && (!isCode(reporterId) || (await store.findReporters([reporterId])).length === 0))
        return refuse({ reason: 'unknown-reporter' });
      await store.endSignIns({ reporterId }, note.value);
      return accept(undefined);
    },
  });
}
