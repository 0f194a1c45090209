import { DAY_MS } from '../../domain/day.ts';
import type { AuditAction, AuditedAction } from '../../domain/audit.ts';
import type { KeyInfo } from '../../domain/reporter.ts';
import { record } from './audit.ts';
import { API_KEY, REPORTER } from './catalogue.ts';
import { toBytes } from './columns.ts';
import { change, countOf, exists, find, missingRowError, put, read, readWhere } from './rows.ts';
import type { StoreWork } from '../store.ts';
import { pick } from './table.ts';

const KEY_INFO = pick(
  API_KEY,
  'keyId',
  'reporterId',
  'createdAt',
  'endsAt',
  'scope',
  'issuedUntil',
  'lastUsedAt',
  'keyName',
);

/** Reporters and their keys. */
export const REPORTER_WORK = {
  *addReporter(reporter, note) {
    yield { lock: [`reporter/${reporter.reporterId}`, `reporter-name/${reporter.name}`] };
    if (yield* exists('reporter WHERE name = ?', reporter.name)) return 'name-taken';
    if (yield* exists('reporter WHERE reporter_id = ?', toBytes(reporter.reporterId))) return 'taken';
    yield* put(REPORTER, [{ identifiersPerDay: null, contact: null, ...reporter }]);
    yield* record(note, { action: 'reporter-created', reporterId: reporter.reporterId });
    return 'added';
  },

  *updateReporter({ reporterId, ...given }, note) {
    yield { lock: [`reporter/${reporterId}`] };
    const [reporter] = yield* find(REPORTER, 'reporterId', [reporterId]);
    if (!reporter) return 'unknown';
    const verified = given.verified ?? reporter.verified;
    const suspended = given.suspended ?? reporter.suspended;
    // Null is a value: no budget of its own, no contact.
    const identifiersPerDay =
      given.identifiersPerDay === undefined ? reporter.identifiersPerDay : given.identifiersPerDay;
    const contact = given.contact === undefined ? reporter.contact : given.contact;
    const actions: Pick<AuditedAction, 'action' | 'amount'>[] = [];
    const act = (action: AuditAction, amount: number | null = null) => actions.push({ action, amount });
    if (verified !== reporter.verified) act(verified ? 'reporter-verified' : 'reporter-unverified');
    if (suspended !== reporter.suspended) act(suspended ? 'reporter-suspended' : 'reporter-unsuspended');
    if (identifiersPerDay !== reporter.identifiersPerDay) act('budget-set', identifiersPerDay);
    if (contact !== reporter.contact) act('contact-set');
    if (actions.length === 0) return 'updated';
    yield* change(
      REPORTER,
      { reporterId },
      {
        verified: [reporter.verified, verified],
        suspended: [reporter.suspended, suspended],
        identifiersPerDay: [reporter.identifiersPerDay, identifiersPerDay],
        contact: [reporter.contact, contact],
      },
    );
    for (const action of actions) yield* record(note, { ...action, reporterId });
    return 'updated';
  },

  listReporters: () => read(REPORTER, 'ORDER BY created_at, name'),

  findReporters: (reporterIds) => find(REPORTER, 'reporterId', reporterIds),

  *findReporterNamed(name) {
    const [reporter] = yield* read(REPORTER, 'WHERE name = ?', name);
    return reporter;
  },

  *addKey(key, note, replaces, maxKeys, maxPerDay) {
    const locks = [`key/${key.keyId}`, `key-digest/${key.digest}`];
    if (replaces) locks.push(`key/${replaces.keyId}`);
    // Keys of one reporter that are bounded are added one after the other.
    if (maxKeys !== undefined) locks.push(`reporter/${key.reporterId}`);
    yield { lock: locks };
    if (!(yield* exists('reporter WHERE reporter_id = ?', toBytes(key.reporterId)))) return 'unknown-reporter';
    if (yield* exists('api_key WHERE digest = ? OR key_id = ?', toBytes(key.digest), toBytes(key.keyId)))
      return 'taken';
    const [old] = replaces ? yield* find(API_KEY, 'keyId', [replaces.keyId]) : [];
    if (replaces && (!old || !isReplaceable(old, key.createdAt))) return 'unknown-key';
    if (maxKeys !== undefined) {
      const working = 'api_key WHERE reporter_id = ? AND (ends_at IS NULL OR ends_at > ?)';
      if ((yield* countOf(working, toBytes(key.reporterId), key.createdAt)) >= maxKeys) return 'too-many';
    }
    if (maxPerDay !== undefined) {
      const recent = 'api_key WHERE reporter_id = ? AND created_at > ?';
      if ((yield* countOf(recent, toBytes(key.reporterId), key.createdAt - DAY_MS)) >= maxPerDay) return 'too-many';
    }
    yield* put(API_KEY, [{ scope: null, issuedUntil: null, lastUsedAt: null, keyName: null, ...key }]);
    if (replaces && old) {
      const endsAt = old.issuedUntil === null ? replaces.endsAt : Math.min(replaces.endsAt, old.issuedUntil - 1);
      yield* change(API_KEY, { keyId: old.keyId }, { endsAt: [old.endsAt, endsAt] });
    }
    yield* record(note, { action: 'key-issued', reporterId: key.reporterId, subject: key.keyId });
    if (old) yield* record(note, { action: 'key-rotated', reporterId: old.reporterId, subject: old.keyId });
    return 'added';
  },

  *endKey({ keyId, endsAt, replaced = false }, note) {
    yield { lock: [`key/${keyId}`] };
    const [key] = yield* find(API_KEY, 'keyId', [keyId]);
    if (!key) return 'unknown';
    if (key.endsAt !== null && key.endsAt <= endsAt) return 'ended';
    yield* change(API_KEY, { keyId }, { endsAt: [key.endsAt, endsAt] });
    const action = replaced ? 'key-rotated' : 'key-revoked';
    yield* record(note, { action, reporterId: key.reporterId, subject: keyId });
    return 'ended';
  },

  listKeys: ({ reporterId, keyId } = {}) => readWhere(KEY_INFO, { reporterId, keyId }, 'created_at, key_id'),

  *findKey({ digest }) {
    // Two index lookups instead of a join: SQLite 3.54 replans a join with a bound parameter at each run.
    const [key] = yield* find(API_KEY, 'digest', [digest]);
    if (!key) return undefined;
    const [reporter] = yield* find(REPORTER, 'reporterId', [key.reporterId]);
    if (!reporter) throw missingRowError(REPORTER);
    return { key, reporter };
  },
} satisfies Partial<StoreWork>;

/** True if the key works, and no other key has replaced it: that brings its end forward. */
function isReplaceable({ endsAt, issuedUntil }: Pick<KeyInfo, 'endsAt' | 'issuedUntil'>, atMs: number): boolean {
  return endsAt === issuedUntil && (endsAt === null || endsAt > atMs);
}
