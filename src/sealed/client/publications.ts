import { requireChecksum } from '../byte-hashes.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { SealedError } from '../errors.ts';
import { loadSodium } from '../group/sodium.ts';
import { CLOCK_TOLERANCE_MS, verifyManifest, type VerifiedManifest } from '../manifest.ts';
import type { Manifest } from '../manifest-format.ts';
import { createRowKeys, ROW_BYTES, type RowContent } from '../rows.ts';
import { lookUp, requireRows } from '../snapshot.ts';
import type { ExplainingModel } from '../../core/scoring/model.ts';
import type { ClientParts } from './client-options.ts';
import { modelOf } from './scoring.ts';

/** Maximum bytes of a manifest. One with the default constants has 3 kB. */
const MANIFEST_BYTES = 256 * 1024;
/** After a failed refresh, queries wait so long before they try another one. */
const PAUSE_MS = 30_000;
/** Identifiers whose opened rows are kept in memory: a few MB. */
const MAX_OPENED = 4096;

/** One published state: what all parts of an answer are taken from. It never changes. */
export interface Publication {
  readonly manifest: Manifest;
  readonly model: ExplainingModel;
  /** Returns the rows of a hash, if an earlier query opened them. */
  opened(hash: string): readonly RowContent[] | undefined;
  /** Returns the rows of a hash by its element. */
  open(hash: string, element: Uint8Array): readonly RowContent[];
}

function createPublication(manifest: Manifest, snapshot: Uint8Array): Publication {
  const salt = fromBase64Url(manifest.salt)!;
  const opened = new Map<string, readonly RowContent[]>();
  return {
    manifest,
    model: modelOf(manifest.model),
    opened: (hash) => opened.get(hash),
    open(hash, element) {
      const rows = opened.get(hash) ?? lookUp(snapshot, createRowKeys(salt, element));
      // Evict the oldest.
      if (opened.size >= MAX_OPENED && !opened.has(hash)) opened.delete(opened.keys().next().value!);
      opened.set(hash, rows);
      return rows;
    },
  };
}

/** What {@link Publications.refresh} did. */
interface PublicationUpdate {
  readonly publication: Publication;
  /** Link of its manifest. */
  readonly link: string;
  readonly how: 'unchanged' | 'snapshot';
}

/** The published state that answers are taken from, and how it is kept up to date. */
export class Publications {
  readonly #parts: ClientParts;
  readonly #operator: string;
  #loading: Promise<void> | undefined;
  #fetching: Promise<VerifiedManifest> | undefined;
  #refreshing: Promise<PublicationUpdate> | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  /** The newest verified manifest. Its rows may not be there. */
  #manifest: Manifest | undefined;
  /** The newest rows. */
  #current: Publication | undefined;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#operator = toBase64Url(parts.operatorKey);
  }

  /** Returns a manifest that is fresh enough to evaluate under its keys. Downloads no rows. */
  async manifest(): Promise<Manifest> {
    await this.#loaded();
    const known = this.#manifest;
    return known !== undefined && this.#isFresh(known) ? known : this.fetchManifest();
  }

  /** Fetches and verifies the manifest. Concurrent calls share one request. */
  async fetchManifest(): Promise<Manifest> {
    return (await this.#fetched()).manifest;
  }

  /**
   * Returns a state that is fresh enough to answer from. Loads what is kept, and refreshes if there is no fresh state.
   * After a failed refresh, rejects with the same error for {@link PAUSE_MS}.
   */
  async ready(): Promise<Publication> {
    await this.#loaded();
    const current = this.#current;
    if (current !== undefined && this.#isFresh(current.manifest)) return current;
    const failed = this.#failed;
    if (this.#refreshing === undefined && failed && Math.abs(this.#parts.clock() - failed.at) < PAUSE_MS)
      throw failed.error;
    return (await this.refresh()).publication;
  }

  /** Fetches and verifies the manifest, and what it states. Concurrent calls share one refresh. */
  refresh(): Promise<PublicationUpdate> {
    this.#refreshing ??= this.#refresh()
      .then((refreshed) => {
        this.#failed = undefined;
        return refreshed;
      })
      .catch((error: unknown) => {
        this.#failed = { error, at: this.#parts.clock() };
        throw error;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  /** Returns the time of the rows that are there, also if they are stale. */
  asOf(): number | undefined {
    return this.#current?.manifest.issuedAt;
  }

  /** Waits for a refresh under way. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#refreshing, this.#fetching]);
  }

  /** Loads once. After a failure of the folder, the next call loads again. */
  #loaded(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Uses what an earlier process kept, if it is whole and fits the keys. Deletes nothing: a key may be a mistake. */
  async #load(): Promise<void> {
    const { folder, evaluatorKey } = this.#parts;
    await loadSodium();
    const { manifest } = await folder.state(this.#operator);
    const isFitting = evaluatorKey === undefined || manifest?.evaluator.key === toBase64Url(evaluatorKey);
    if (manifest === undefined || !isFitting) return;
    await this.#loadRows(manifest);
    this.#manifest = this.#current?.manifest;
  }

  /** Uses the kept rows of a verified manifest, if they are there. */
  async #loadRows(manifest: Manifest): Promise<void> {
    const { folder } = this.#parts;
    const rows = await folder.readRows(manifest);
    if (rows === undefined) return;
    try {
      requireRows(rows);
      this.#current = createPublication(manifest, rows);
    } catch (error) {
      // The manifest of another version. The next update says so.
      if (!(error instanceof SealedError)) throw error;
    }
  }

  /** True if a state of this manifest may answer now. Deletes no old one: the clock may be wrong. */
  #isFresh({ issuedAt, expiresAt, epoch }: Manifest): boolean {
    const now = this.#parts.clock();
    if (issuedAt > now + CLOCK_TOLERANCE_MS)
      throw new SealedError('issued-in-future', 'the manifest is from the future; check the clock');
    return now < Math.min(expiresAt, epoch.endsAt);
  }

  #fetched(): Promise<VerifiedManifest> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<VerifiedManifest> {
    const { requests, addresses, folder, clock, ...trusted } = this.#parts;
    await this.#loaded();
    // Before the request: another process may accept a later manifest meanwhile.
    const { seen: lastSeen } = await folder.state(this.#operator);
    const { body, headers } = await requests.get({ url: addresses.manifest, maxBytes: MANIFEST_BYTES, withKey: false });
    const signature = fromBase64Url(headers.get('Redflag-Signature')) ?? new Uint8Array(0);
    const verified = verifyManifest(body, signature, { ...trusted, now: clock(), lastSeen });
    this.#manifest = verified.manifest;
    // Before the rows: a network that lets only the manifest pass must not make the next process forget it.
    await folder.accept(verified.manifest, verified.seen, verified.seen.link === trusted.acceptLink);
    return verified;
  }

  /**
   * Downloads what the manifest states, unless it is kept, verifies it and keeps it. If it rejects, the state is as
   * before, or was moved and could not be kept.
   */
  async #refresh(): Promise<PublicationUpdate> {
    const { requests, addresses, folder, maxRows, acceptLink } = this.#parts;
    const { manifest, seen } = await this.#fetched();
    const { rows, epoch, sequence, snapshot, salt } = manifest;
    const isTold = seen.link === acceptLink;
    if (rows > maxRows)
      throw new SealedError('too-many-rows', `the snapshot has more than ${maxRows} rows`, { option: 'maxRows' });
    // Without the model, the rows are of no use.
    modelOf(manifest.model);
    const findCurrent = (): Publication | undefined => {
      const current = this.#current;
      return current?.manifest.snapshot === snapshot && current.manifest.salt === salt ? current : undefined;
    };
    // Another process may have fetched them.
    if (findCurrent() === undefined) await this.#loadRows(manifest);
    const kept = findCurrent();
    let body: Uint8Array | undefined;
    if (kept === undefined) {
      const url = addresses.snapshot(epoch.number, sequence);
      ({ body } = await requests.get({ url, maxBytes: rows * ROW_BYTES, isLarge: true }));
      requireChecksum(body, snapshot);
      requireRows(body);
    }
    const publication = body === undefined ? kept! : createPublication(manifest, body);
    this.#current = publication;
    await folder.keepRows(manifest, body, isTold);
    return { publication, link: seen.link, how: body === undefined ? 'unchanged' : 'snapshot' };
  }
}

/** True for an error that says that the service was not reached, not that it did something wrong. */
export function isAway(error: unknown): error is SealedError {
  return error instanceof SealedError && AWAY.includes(error.code);
}

/** True for an error that says that the service has no newer manifest. */
export function isTooOld(error: unknown): boolean {
  return error instanceof SealedError && error.code === 'expired';
}

/** True for an error that a new manifest may cure. */
export function isOutdated(error: unknown): error is SealedError {
  return error instanceof SealedError && OUTDATED.includes(error.code);
}

const AWAY: readonly string[] = ['no-connection', 'timeout', 'unavailable', 'rate-limited'];
const OUTDATED: readonly string[] = ['unknown-epoch', 'epoch-ended', 'not-found'];
