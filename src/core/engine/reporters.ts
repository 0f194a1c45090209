import { NAME_CHARACTERS, toAuditNote, type AuditNote } from '../domain/audit.ts';
import { toContact } from '../domain/contact.ts';
import { isCode } from '../domain/identifier.ts';
import { MAX_END_MS, refuseUnknown, requireBoolean, requireOneOf, requireWhole } from '../domain/options.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { ReportDraft, ReportReceipt } from '../domain/report.ts';
import type { QueryResult } from '../domain/verdict.ts';
import type { IssuedKey, KeyInfo, KeyScope, Reporter } from '../domain/reporter.ts';
import { toPublicLine } from '../domain/text.ts';
import type { EngineContext } from './context.ts';
import { query, QUERY_NAMES, type QueryDraft } from './query.ts';
import { remove, report } from './report.ts';
import { drawUntil, freshCode } from './secrets.ts';

/**
 * The reporters and keys that the service needs (protocol 5). `by` is the person who acts, 1 to 80 code points, for the
 * audit log (default `engine`). Each call with `by` may refuse it with `invalid-name`. `createOperator` of
 * `redflag/operator` has the rest.
 */
export interface Reporters {
  /**
   * Creates a reporter, verified unless `verified` is false. `name` is public: 1 to 80 code points, unique. `contact`
   * as in `updateReporter` of the operator. Refuses with `invalid-name`, `invalid-contact` or `name-taken`.
   */
  createReporter(request: {
    readonly name: string;
    readonly verified?: boolean;
    readonly contact?: string | null;
    readonly by?: string | undefined;
  }): Promise<Outcome<Reporter>>;
  /** Returns the reporter with this id or public name, also a suspended one. Undefined if there is none. */
  findReporter(request: { readonly reporterId: string } | { readonly name: string }): Promise<Reporter | undefined>;
  /**
   * Returns the operations of the reporter with this name. If no reporter has this name, creates one, verified unless
   * `verified` is false. Does not change an existing reporter. Concurrent calls get the same reporter, also from
   * several processes. Creates no key. `by` as in {@link Reporters}. Refuses with `invalid-name`.
   */
  ensureReporter(request: {
    readonly name: string;
    readonly verified?: boolean;
    readonly by?: string | undefined;
  }): Promise<Outcome<BoundReporter>>;
  /**
   * Creates a key. Only this result holds the key's value. `scope` limits it to queries (`query`), or to reports and
   * deletions (`report`). From `endsAt` on (ms, UTC, in the future) it is refused. `keyName` is what people call it:
   * one line of 1 to 40 code points. Refuses with `unknown-reporter`, `invalid-name`, or with `too-many-keys` if the
   * reporter has `most` keys that work, or that were created within 24 hours (default: no bound).
   */
  issueKey(request: {
    readonly reporterId: string;
    readonly scope?: KeyScope | null;
    readonly endsAt?: number | null;
    readonly keyName?: string | null;
    readonly by?: string | undefined;
    readonly most?: number | undefined;
  }): Promise<Outcome<IssuedKey>>;
  /** Ends a key now. Refuses with `unknown-key-id`. */
  revokeKey(request: { readonly keyId: string; readonly by?: string | undefined }): Promise<Outcome<void>>;
}

/**
 * The operations of one reporter, for a program that embeds the engine. No key is needed. Request limits (protocol 8)
 * and suspension do not apply, because the program is trusted. Bounds, offence types and the retry window apply.
 */
export interface BoundReporter {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Public name, trimmed and in Unicode form NFC; unique. */
  readonly name: string;
  /** Submits a report (protocol 4.2). */
  report(draft: ReportDraft): Promise<Outcome<ReportReceipt>>;
  /** Scores a set of hashed identifiers (protocol 4.4). */
  query(request: QueryDraft): Promise<Outcome<QueryResult>>;
  /** Deletes one of the reporter's own reports (protocol 4.3). */
  remove(request: { readonly deletionCode: string }): Promise<Outcome<void>>;
}

const REPORTER_NAMES: readonly (keyof Reporter)[] = [
  'reporterId',
  'name',
  'verified',
  'suspended',
  'createdAt',
  'identifiersPerDay',
  'contact',
];

/** The end of a key that ends now. It has passed on every clock: a process may be behind the one that ends the key. */
export const ENDED = 0;

/** Code points of a key's name. */
export const KEY_NAME_CHARACTERS = 40;

/** Returns the form of the name of a reporter or key that the store keeps. Refuses with `invalid-name`. */
export function toReporterName(name: string, limitCharacters = NAME_CHARACTERS): Outcome<string> {
  const line = toPublicLine(name, limitCharacters);
  return line === undefined ? refuse({ reason: 'invalid-name', limitCharacters }) : accept(line);
}

export const toContactOrNull = (contact: string | null): Outcome<string | null> =>
  contact === null ? accept(null) : toContact(contact);

export function createReporters(context: EngineContext): Reporters {
  const { store, secretCheck, effects } = context;
  const { clock, random } = effects;

  const bind = (reporterId: string, name: string): Outcome<BoundReporter> =>
    accept({
      reporterId,
      name,
      report: async (draft) => report(context, { reporterId }, draft),
      query: async (request) => {
        refuseUnknown(request, QUERY_NAMES);
        return query(context, { reporterId }, request);
      },
      remove: async (request) => remove(context, { reporterId }, request),
    });
  const reporters: Reporters = secretCheck.guard<Reporters>({
    async createReporter(request) {
      refuseUnknown(request, ['name', 'verified', 'contact', 'by']);
      const { verified = true } = request;
      requireBoolean('verified', verified);
      const name = toReporterName(request.name);
      if (!name.ok) return name;
      const contact = toContactOrNull(request.contact ?? null);
      if (!contact.ok) return contact;
      const note = toAuditNote(request.by, clock);
      if (!note.ok) return note;
      return drawUntil(random, async (reporterId): Promise<Outcome<Reporter> | 'taken'> => {
        const reporter: Reporter = {
          reporterId,
          name: name.value,
          verified,
          suspended: false,
          createdAt: clock(),
          identifiersPerDay: null,
          contact: contact.value,
        };
        const added = await store.addReporter(reporter, note.value);
        if (added === 'taken') return 'taken';
        return added === 'added' ? accept(reporter) : refuse({ reason: 'name-taken' });
      });
    },

    async findReporter(request) {
      if ('reporterId' in request)
        return isCode(request.reporterId) ? (await store.findReporters([request.reporterId])).at(0) : undefined;
      const name = toReporterName(request.name);
      return name.ok ? store.findReporterNamed(name.value) : undefined;
    },

    async ensureReporter(request) {
      refuseUnknown(request, ['name', 'verified', 'by']);
      const name = toReporterName(request.name);
      if (!name.ok) return name;
      const find = () => store.findReporterNamed(name.value);
      // Report ids and deletion codes depend on the secret. Bind the store to the secret even if the store has no key.
      await secretCheck.adoptIfNew();
      const known = await find();
      if (known) return bind(known.reporterId, known.name);
      const created = await reporters.createReporter(request);
      if (created.ok) return bind(created.value.reporterId, created.value.name);
      // A concurrent call may have created the reporter.
      const other = created.refusal.reason === 'name-taken' ? await find() : undefined;
      return other ? bind(other.reporterId, other.name) : created;
    },

    async issueKey(request) {
      // A misspelt name would issue a key that may do everything, or never ends. A whole reporter may be passed.
      refuseUnknown(request, [...REPORTER_NAMES, 'scope', 'endsAt', 'keyName', 'by', 'most']);
      const { reporterId, scope = null, endsAt = null, keyName = null, by, most } = request;
      if (scope !== null) requireOneOf('scope', scope, ['query', 'report']);
      if (endsAt !== null) requireWhole('endsAt', endsAt, clock() + 1, MAX_END_MS);
      const named = keyName === null ? accept(null) : toReporterName(keyName, KEY_NAME_CHARACTERS);
      if (!named.ok) return named;
      const note = toAuditNote(by, clock);
      const asked = { reporterId, scope, issuedUntil: endsAt, keyName: named.value };
      return note.ok ? issueKey(context, asked, note.value, most) : note;
    },

    async revokeKey({ keyId, by }) {
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (!isCode(keyId) || (await store.endKey({ keyId, endsAt: ENDED }, note.value)) === 'unknown')
        return refuse({ reason: 'unknown-key-id' });
      return accept(undefined);
    },
  });
  return reporters;
}

/** Issues a key like `terms`, which may be a whole key. `replaces` is the key whose place it takes. */
export async function issueKey(
  context: EngineContext,
  terms: Pick<KeyInfo, 'reporterId' | 'scope' | 'issuedUntil' | 'keyName'>,
  note: AuditNote,
  maxKeys?: number,
  replaces?: { readonly keyId: string; readonly endsAt: number },
): Promise<Outcome<IssuedKey>> {
  const { store, secrets, secretCheck, effects } = context;
  const { clock, random } = effects;
  const { reporterId } = terms;
  if (maxKeys !== undefined) requireWhole('most', maxKeys, 1);
  const isNew = secretCheck.state !== 'verified';
  if (!isCode(reporterId) || (isNew && (await store.findReporters([reporterId])).length === 0))
    return refuse({ reason: 'unknown-reporter' });
  if (isNew) await secretCheck.adoptIfNew();
  return drawUntil(random, async (apiKey): Promise<Outcome<IssuedKey> | 'taken'> => {
    const key: KeyInfo = {
      ...terms,
      keyId: freshCode(random),
      createdAt: clock(),
      endsAt: terms.issuedUntil,
      lastUsedAt: null,
    };
    // Ended keys stay stored, so a day has the same bound as the keys that work.
    const stored = { ...key, digest: secrets.keyDigest(apiKey) };
    const added = await store.addKey(stored, note, replaces, maxKeys, maxKeys);
    if (added === 'taken') return 'taken';
    if (added === 'added') return accept({ ...key, apiKey });
    if (added === 'too-many') return refuse({ reason: 'too-many-keys', limit: maxKeys ?? 0 });
    return refuse({ reason: added === 'unknown-key' ? 'unknown-key-id' : 'unknown-reporter' });
  });
}
