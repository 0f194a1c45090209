import { loadSodium } from '../group/sodium.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { SealedError } from '../errors.ts';
import { CLOCK_TOLERANCE_MS, verifyManifest, type VerifiedManifest } from '../manifest.ts';
import type { Manifest } from '../manifest-format.ts';
import type { ClientFolder } from './client-folder.ts';
import type { SealedAddresses, Requests } from './requests.ts';
import type { Publication, Replica, UpdateKind } from './replica.ts';

/** Maximum bytes of a manifest. One with the default constants has 3 kB. */
const MANIFEST_BYTES = 256 * 1024;
/** After a failed refresh, queries wait so long before they try another one. */
const PAUSE_MS = 30_000;

export interface PublicationsOptions {
  readonly requests: Requests;
  readonly addresses: SealedAddresses;
  readonly replica: Replica;
  readonly folder: ClientFolder;
  readonly operatorKey: Uint8Array;
  readonly evaluatorKey: Uint8Array | undefined;
  readonly acceptLink: string | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly maxRows: number;
  /** Returns milliseconds, UTC. */
  readonly clock: () => number;
}

/** What {@link Publications.refresh} did. */
export interface PublicationUpdate {
  readonly publication: Publication;
  /** Link of its manifest. */
  readonly link: string;
  readonly kind: UpdateKind;
}

/** The published state that answers are taken from, and how it is kept up to date. */
export class Publications {
  readonly #options: PublicationsOptions;
  readonly #operator: string;
  #loading: Promise<void> | undefined;
  #fetching: Promise<VerifiedManifest> | undefined;
  #refreshing: Promise<PublicationUpdate> | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  /** The newest verified manifest. Its rows may not be there. */
  #manifest: Manifest | undefined;
  /** `issuedAt` of the last state. */
  #issuedAt: number | undefined;

  constructor(options: PublicationsOptions) {
    this.#options = options;
    this.#operator = toBase64Url(options.operatorKey);
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
    const { current } = this.#options.replica;
    if (current !== undefined && this.#isFresh(current.manifest)) return current;
    const failed = this.#failed;
    if (this.#refreshing === undefined && failed && Math.abs(this.#options.clock() - failed.at) < PAUSE_MS)
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
        this.#failed = { error, at: this.#options.clock() };
        throw error;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  /** Returns `issuedAt` of the state that is there, also if it is stale. */
  asOf(): number | undefined {
    return this.#issuedAt;
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
    const { replica, folder, evaluatorKey } = this.#options;
    await loadSodium();
    const { manifest } = await folder.state(this.#operator);
    const isFitting = evaluatorKey === undefined || manifest?.evaluator.key === toBase64Url(evaluatorKey);
    if (manifest === undefined || !isFitting) return;
    await replica.load(manifest);
    this.#manifest = replica.current?.manifest;
    this.#issuedAt = manifest.issuedAt;
  }

  /** True if a state of this manifest may answer now. Deletes no old one: the clock may be wrong. */
  #isFresh({ issuedAt, expiresAt, epoch }: Manifest): boolean {
    const { clock, maxAgeSeconds = Infinity } = this.#options;
    const now = clock();
    if (issuedAt > now + CLOCK_TOLERANCE_MS)
      throw new SealedError('issued-in-future', 'the manifest is from the future; check the clock');
    return now < Math.min(expiresAt, epoch.endsAt) && now - issuedAt <= maxAgeSeconds * 1000;
  }

  #fetched(): Promise<VerifiedManifest> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<VerifiedManifest> {
    const { requests, addresses, folder, clock } = this.#options;
    const { operatorKey, evaluatorKey, maxAgeSeconds, acceptLink } = this.#options;
    await this.#loaded();
    // Before the request: another process may accept a later manifest meanwhile.
    const { seen: lastSeen } = await folder.state(this.#operator);
    const { body, headers } = await requests.get({ url: addresses.manifest, maxBytes: MANIFEST_BYTES, withKey: false });
    const signature = fromBase64Url(headers.get('Redflag-Signature')) ?? new Uint8Array(0);
    const trusted = { operatorKey, evaluatorKey, now: clock(), lastSeen, acceptLink, maxAgeSeconds };
    const verified = verifyManifest(body, signature, trusted);
    this.#manifest = verified.manifest;
    // Before the rows: a network that lets only the manifest pass must not make the next process forget it.
    await folder.accept(verified.manifest, verified.seen, verified.seen.link === acceptLink);
    return verified;
  }

  async #refresh(): Promise<PublicationUpdate> {
    const { replica, maxRows, acceptLink } = this.#options;
    const { manifest, seen } = await this.#fetched();
    if (manifest.rows > maxRows)
      throw new SealedError('too-many-rows', `the snapshot has more than ${maxRows} rows`, { option: 'maxRows' });
    const kind = await replica.update(manifest, seen.link === acceptLink);
    this.#issuedAt = manifest.issuedAt;
    return { publication: replica.current!, link: seen.link, kind };
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
