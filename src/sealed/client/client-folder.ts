import { createRandom } from '../../core/crypto/crypto.ts';
import { createSeries } from '../../core/domain/series.ts';
import { checksum } from '../byte-hashes.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { SealedError } from '../errors.ts';
import { joinBytes, toAscii } from '../group/hash-to-group.ts';
import type { LastSeen } from '../manifest.ts';
import type { Manifest } from '../manifest-format.ts';

/** Elements N by hash. */
export type Elements = Map<string, Uint8Array>;

/** What a client keeps beside the rows. In a folder, it is one sealed file. */
interface ClientState {
  /** Base64url. A folder belongs to one operator. */
  operatorKey?: string;
  /** The last manifest that was accepted. Its rows may not be there. */
  seen?: LastSeen;
  /** The manifest of the rows. */
  manifest?: Manifest;
  /** Elements in base64url by hash, by the public key of their epoch. */
  readonly elements: Record<string, Record<string, string>>;
  /** Names of the customers that had reached the threshold of the last watch. */
  above?: readonly string[];
}

/** Files of a {@link ClientFolder}. */
export interface ClientFiles {
  /** Returns the bytes of a file; undefined if it is missing. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Returns what tells the bytes of a file from others; undefined if it is missing. */
  version(name: string): Promise<string | undefined>;
  /**
   * Writes a file whole and durably, and returns its version. Returns undefined, and changes nothing, if `isCurrent`
   * resolves with false when the bytes are on disk.
   */
  write(name: string, bytes: Uint8Array, isCurrent?: () => Promise<boolean>): Promise<string | undefined>;
  /** Removes all files whose names begin with `prefix`, but the one that is named. */
  removeOthers(prefix: string, name: string): Promise<void>;
}

const STATE = 'state';
const ROWS = 'rows-';
const NONCE_BYTES = 12;
/** Additional data of the sealed state. Raise it with each change of {@link ClientState}. */
const FORM = /* @__PURE__ */ toAscii('redflag sealed client 1');

/**
 * What a client keeps from one call to the next: rows, evaluations, and which manifest it accepted last. In the memory
 * of this process, or with `files` in a folder that several processes may use. Their state is
 * `nonce 12 · AES-256-GCM(JSON)`. Each write adds to what other processes have written.
 *
 * If two processes write in the same moment, an evaluation may get lost and is made again.
 */
export class ClientFolder {
  readonly #files: ClientFiles | undefined;
  readonly #key: Promise<CryptoKey> | undefined;
  readonly #inTurn = createSeries();
  #state: ClientState = { elements: {} };
  #version: string | undefined;
  /** Evaluations that are not written yet, by epoch and hash. */
  readonly #unsaved = new Map<string, readonly [epochKey: string, hash: string, element: Uint8Array]>();
  /** The rows without files. */
  #rows: Uint8Array | undefined;

  /** Without files, the memory of this process keeps all. `secret`: the key that seals the state, 32 bytes. */
  constructor(files?: ClientFiles, secret?: Uint8Array) {
    this.#files = files;
    this.#key = secret && crypto.subtle.importKey('raw', secret.slice(), 'AES-GCM', false, ['encrypt', 'decrypt']);
  }

  /**
   * Returns the newest state. Throws `other-folder` if it is of another operator.
   *
   * @internal
   */
  async state(operatorKey: string): Promise<Readonly<ClientState>> {
    await this.#change(() => false);
    this.#requireOperator(operatorKey);
    return this.#state;
  }

  /**
   * Keeps that a manifest was accepted. A later one that is there stays, unless `isTold`.
   *
   * @internal
   */
  accept(manifest: Manifest, seen: LastSeen, isTold: boolean): Promise<void> {
    return this.#change((state) => {
      this.#requireOperator(manifest.operatorKey);
      // Without rows, nothing else removes what an ended epoch left.
      const hasRemoved = state.manifest === undefined && removeEnded(state, manifest);
      const { seen: last } = state;
      const isOld = last?.link === seen.link || (!isTold && last !== undefined && last.sequence > seen.sequence);
      if (isOld) return hasRemoved;
      state.operatorKey = manifest.operatorKey;
      state.seen = seen;
      return true;
    });
  }

  /**
   * Keeps the rows of a manifest that was accepted (undefined: they are kept), and removes all other rows and the
   * evaluations of ended epochs.
   *
   * @internal
   */
  async keepRows(manifest: Manifest, rows: Uint8Array | undefined, isTold: boolean): Promise<void> {
    // Before the state: after a crash in between, the older rows are still those of the state.
    if (rows !== undefined) await this.#files?.write(nameOf(manifest), rows);
    if (this.#files === undefined) this.#rows = rows ?? this.#rows;
    await this.#change((state) => {
      const isOld = !isTold && (state.manifest?.sequence ?? -1) > manifest.sequence;
      if (isOld) return false;
      const isSame = state.manifest?.salt === manifest.salt && state.manifest.sequence === manifest.sequence;
      state.manifest = manifest;
      return removeEnded(state, manifest) || !isSame;
    });
    await this.#files?.removeOthers(ROWS, nameOf(this.#state.manifest!));
  }

  /**
   * Returns the rows of a manifest; undefined if they are missing or damaged.
   *
   * @internal
   */
  async readRows(manifest: Manifest): Promise<Uint8Array | undefined> {
    const rows = this.#files === undefined ? this.#rows : await this.#files.read(nameOf(manifest));
    return rows !== undefined && checksum(rows) === manifest.snapshot ? rows : undefined;
  }

  /**
   * Returns the elements that are kept.
   *
   * @internal
   */
  async read(epochKey: string, hashes: readonly string[]): Promise<Elements> {
    const found: Elements = new Map();
    const find = (): boolean => {
      const kept = this.#state.elements[epochKey] ?? {};
      for (const hash of hashes) {
        const element = this.#unsaved.get(`${epochKey} ${hash}`)?.[2] ?? fromBase64Url(kept[hash]);
        if (element !== undefined) found.set(hash, element);
      }
      return found.size === hashes.length;
    };
    if (find()) return found;
    // Another process may have evaluated them.
    await this.#change(() => false);
    find();
    return found;
  }

  /**
   * Adds elements, which {@link ClientFolder.save} writes.
   *
   * @internal
   */
  add(epochKey: string, elements: Iterable<readonly [hash: string, element: Uint8Array]>): void {
    for (const [hash, element] of elements) this.#unsaved.set(`${epochKey} ${hash}`, [epochKey, hash, element]);
  }

  /**
   * Writes what was added.
   *
   * @internal
   */
  async save(): Promise<void> {
    if (this.#unsaved.size > 0) await this.#change(() => this.#unsaved.size > 0);
  }

  /**
   * Keeps which customers have reached the threshold.
   *
   * @internal
   */
  keepAbove(above: readonly string[]): Promise<void> {
    return this.#change((state) => {
      state.above = above;
      return true;
    });
  }

  #requireOperator(operatorKey: string): void {
    if ((this.#state.operatorKey ?? operatorKey) !== operatorKey)
      throw new SealedError(
        'other-folder',
        'the folder belongs to another operator; use another folder, or another key',
        { option: 'operatorKey' },
      );
  }

  /** Reads what other processes have written, runs `by`, and writes the state if `by` returns true. */
  #change(by: (state: ClientState) => boolean): Promise<void> {
    return this.#inTurn(async () => {
      const files = this.#files;
      for (;;) {
        if (files !== undefined && (await files.version(STATE)) !== this.#version) await this.#load(files);
        if (!by(this.#state)) return;
        const saved = [...this.#unsaved];
        for (const [, [epochKey, hash, element]] of saved)
          (this.#state.elements[epochKey] ??= {})[hash] = toBase64Url(element);
        if (files !== undefined) {
          const before = this.#version;
          // If the write fails, the next change begins with what is on disk.
          this.#version = 'unwritten';
          const isCurrent = async (): Promise<boolean> => (await files.version(STATE)) === before;
          const written = await files.write(STATE, await seal(await this.#key!, this.#state), isCurrent);
          if (written === undefined) continue;
          this.#version = written;
        }
        for (const [name] of saved) this.#unsaved.delete(name);
        return;
      }
    });
  }

  async #load(files: ClientFiles): Promise<void> {
    const version = await files.version(STATE);
    const bytes = await files.read(STATE);
    this.#state = bytes === undefined ? { elements: {} } : await unseal(await this.#key!, bytes);
    this.#version = version;
  }
}

function nameOf({ snapshot }: Manifest): string {
  return `${ROWS}${snapshot}`;
}

/** An evaluation of an ended epoch would find nothing in the new rows, which looks like a clean record. */
function removeEnded({ elements }: ClientState, { epoch, next }: Manifest): boolean {
  const ended = Object.keys(elements).filter((key) => key !== epoch.publicKey && key !== next?.publicKey);
  for (const key of ended) delete elements[key];
  return ended.length > 0;
}

/** The nonce is fresh each time: 96 random bits, for far fewer than 2^32 writes. */
async function seal(key: CryptoKey, state: ClientState): Promise<Uint8Array> {
  const iv = createRandom()(NONCE_BYTES).slice();
  const text = new TextEncoder().encode(JSON.stringify(state));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: FORM.slice() }, key, text);
  return joinBytes([iv, new Uint8Array(sealed)]);
}

/** A state that counted as empty would be overwritten: with it, the manifest that was seen last would get lost. */
async function unseal(key: CryptoKey, bytes: Uint8Array): Promise<ClientState> {
  const how = { name: 'AES-GCM', iv: bytes.slice(0, NONCE_BYTES), additionalData: FORM.slice() };
  try {
    const text = await crypto.subtle.decrypt(how, key, bytes.slice(NONCE_BYTES));
    return JSON.parse(new TextDecoder().decode(text)) as ClientState;
  } catch (cause) {
    const message =
      'the state of the folder is damaged, or has another key or version; restore it, or use another folder';
    throw new SealedError('unreadable-state', message, { cause, option: 'folder' });
  }
}
