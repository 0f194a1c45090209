import { isCode, type Identifier } from '../../core/domain/identifier.ts';
import type { ReportDraft } from '../../core/domain/report.ts';
import { toBase64Url } from '../encoding.ts';
import { serviceError } from '../errors.ts';
import { orAborted } from './requests.ts';
import { refuseUnknown, requireBoolean, requireOneOf, requireWhole } from '../../core/domain/options.ts';
import type { SealedAnswer } from './answers.ts';
import { requireHashes, requireIdentifiers } from './query-identifiers.ts';
import type { Manifest } from '../manifest-format.ts';
import { readClientOptions, type SealedClientOptions } from './client-options.ts';
import { createEvaluate, currentEpoch, nextEpoch, type EvaluationEpoch } from './evaluate.ts';
import { isOutdated, Publications } from './publications.ts';
import { createQuery } from './queries.ts';
import { createWatch, type WatchAnswer, type WatchedCustomer } from './watch.ts';

/** Options of one call. */
export interface SealedCallOptions {
  /** Ends the call: it rejects with the signal's reason. A shared download goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `query`. */
export interface SealedQueryOptions extends SealedCallOptions {
  /** If true, a score has its `explanation`. Default: false. */
  readonly explain?: boolean | undefined;
}

/** Options of `prepare`. */
export interface PrepareOptions extends SealedCallOptions {
  /**
   * `next` prepares for the epoch that follows, from its `startsAt` on, so that its first day needs no evaluations.
   * Default: `current`.
   */
  readonly epoch?: 'current' | 'next' | undefined;
}

/** Options of `watch`. */
export interface WatchOptions extends SealedCallOptions {
  /** Customers with so many points or more are told; at least 1. */
  readonly threshold: number;
}

/** What `prepare` did. */
export interface PrepareResult {
  /** Number of the epoch. The evaluations are of no use after it. */
  readonly epoch: number;
  /** Different hashes that are evaluated now. */
  readonly prepared: number;
  /** How many of them this call evaluated. Each counts against the reporter's limit. */
  readonly evaluated: number;
}

/** What `refresh` did. */
export interface RefreshResult {
  /** Number of the epoch of the rows. */
  readonly epoch: number;
  /** Sequence of the manifest. */
  readonly sequence: number;
  /**
   * Link of the manifest, 64 lowercase hex characters. Two clients with the same link were shown the same manifests up
   * to this one.
   */
  readonly link: string;
  /** Time of the rows. Milliseconds, UTC. */
  readonly asOf: number;
  /** What was downloaded beside the manifest: nothing or the rows. */
  readonly how: 'unchanged' | 'snapshot';
}

/** Receipt of a sealed report. */
export interface SealedReceipt {
  /** 16 lowercase hex characters. Delete the report with it by `createClient(…).remove`. */
  readonly deletionCode: string;
}

/**
 * A client of the sealed look-up. The service learns how many identifiers it evaluates and when, not which. All methods
 * reject with TypeError or RangeError for invalid arguments, with the system's error if the folder cannot be used, and
 * else with a `SealedError`, whose `code` says which check failed. The client uses nothing of what was refused.
 */
export interface SealedClient {
  /**
   * Evaluates hashes that are not evaluated yet, in requests of up to 32, and keeps the results. Any number.
   * Downloads no rows.
   */
  prepare(hashes: readonly (Identifier | string)[], options?: PrepareOptions): Promise<PrepareResult>;
  /**
   * Scores 1 to 32 identifiers. Evaluates those that are new. Fetches the manifest, and the rows, if there are none or
   * they are too old. Answers `unknown` or `stale` if nothing can be asked. It never falls back to the plain protocol.
   * Rows may be 48 hours old, unless `refresh` is called.
   */
  query(identifiers: readonly Identifier[], options?: SealedQueryOptions): Promise<SealedAnswer>;
  /**
   * Scores a list of customers against the newest publication, and tells whose points reached `threshold` or fell below
   * it since the last call whose result was kept. Evaluates identifiers that are new, as `prepare` does; a later call
   * goes on after a limit. The requests are the same for any two lists of as many different identifiers, of which as
   * many are kept. One list for each folder.
   */
  watch(customers: readonly WatchedCustomer[], options: WatchOptions): Promise<WatchAnswer>;
  /** Brings the client up to date. Call it once an hour: the operator publishes once a day, at any hour. */
  refresh(options?: SealedCallOptions): Promise<RefreshResult>;
  /**
   * Sends a report with pseudonyms, once. Answers count it from the next publication on. After an error with the
   * code `unavailable`, `no-connection`, `timeout` or `unexpected-reply`, it may have taken effect. Not if `prepare` of
   * its identifiers failed before.
   */
  report(draft: ReportDraft, options?: SealedCallOptions): Promise<SealedReceipt>;
  /** Waits for a refresh under way, and writes what is not written yet. */
  close(): Promise<void>;
}

/** Returns a client of the sealed look-up. Sends nothing. Throws TypeError or RangeError for invalid options. */
export function createSealedClient(options: SealedClientOptions): SealedClient {
  const parts = readClientOptions(options);
  const { requests, addresses, folder } = parts;
  const publications = new Publications(parts);
  const evaluate = createEvaluate(parts);
  const query = createQuery(parts, publications, evaluate);
  const watch = createWatch(parts, publications, evaluate);

  /** Runs `work` for an epoch; if the service has another one by now, once more with the new manifest. */
  async function inEpoch<T>(
    which: 'current' | 'next',
    signal: AbortSignal | undefined,
    work: (epoch: EvaluationEpoch) => Promise<T>,
  ): Promise<T> {
    const epochOf = (manifest: Manifest): EvaluationEpoch => {
      const epoch = which === 'current' ? currentEpoch(manifest) : nextEpoch(manifest);
      if (epoch === undefined) throw new RangeError('"epoch" expected "current": the next epoch has no key yet');
      return epoch;
    };
    const epoch = epochOf(await orAborted(publications.manifest(), signal));
    try {
      return await work(epoch);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      const now = epochOf(await orAborted(publications.fetchManifest(), signal));
      if (now.publicKey === epoch.publicKey) throw error;
      return work(now);
    }
  }

  return {
    async prepare(hashes, { epoch: which = 'current', signal, ...rest } = {}) {
      refuseUnknown(rest, []);
      requireOneOf('epoch', which, ['current', 'next']);
      const asked = requireHashes(hashes);
      return inEpoch(which, signal, async (epoch) => {
        const kept = await folder.read(epoch.publicKey, asked);
        const missing = asked.filter((hash) => !kept.has(hash));
        if (missing.length > 0) await evaluate(epoch, missing, signal);
        return { epoch: epoch.number, prepared: asked.length, evaluated: missing.length };
      });
    },

    query(identifiers, { signal, explain = false, ...rest } = {}) {
      refuseUnknown(rest, []);
      requireBoolean('explain', explain);
      return query(requireIdentifiers(identifiers), explain, signal);
    },

    watch(customers, { threshold, signal, ...rest }) {
      refuseUnknown(rest, []);
      requireWhole('threshold', threshold, 1);
      const valid = customers.map(({ name, identifiers }) => ({ name, identifiers: requireIdentifiers(identifiers) }));
      if (new Set(valid.map(({ name }) => name)).size < valid.length)
        throw new TypeError('"customers" expected another name for each customer');
      return watch(valid, threshold, signal);
    },

    async refresh({ signal, ...rest } = {}) {
      refuseUnknown(rest, []);
      const { publication, link, how } = await orAborted(publications.refresh(), signal);
      const { epoch, sequence, issuedAt } = publication.manifest;
      return { epoch: epoch.number, sequence, link, asOf: issuedAt, how };
    },

    async report({ type, severity, text, identifiers }, { signal, ...rest } = {}) {
      refuseUnknown(rest, []);
      if (typeof type !== 'string' || typeof severity !== 'number' || typeof text !== 'string')
        throw new TypeError('a report expected a type, a severity and a text');
      const asked = requireIdentifiers(identifiers);
      return inEpoch('current', signal, async (epoch) => {
        const elements = await evaluate(epoch, requireHashes(asked), signal);
        const named = asked.map(({ kind, hash }) => ({ kind, point: toBase64Url(elements.get(hash)!) }));
        const body = { epoch: epoch.number, type, severity, text, identifiers: named };
        const { code } = Object(await requests.post(addresses.report, body, false, signal)) as { code?: unknown };
        if (!isCode(code)) throw serviceError('unexpected-reply', 200);
        return { deletionCode: code };
      });
    },

    async close() {
      await publications.settle();
      await folder.save();
    },
  };
}
