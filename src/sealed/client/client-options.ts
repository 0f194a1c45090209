import { serviceAddress } from '../../core/client/service-address.ts';
import { createRandom } from '../../core/crypto/crypto.ts';
import { optionError, refuseUnknown, requireFunction, requireString, requireWhole } from '../../core/domain/options.ts';
import { fromBase64Url } from '../encoding.ts';
import type { Random } from '../group/group.ts';
import { OPERATOR_KEY_BYTES } from '../manifest.ts';
import { ClientFolder } from './client-folder.ts';
import { createRequests, sealedAddresses } from './requests.ts';

/** Options of `createSealedClient`. */
export interface SealedClientOptions {
  /** The service's base address, as for `createClient`. */
  readonly baseUrl: string;
  /** The reporter's API key. */
  readonly apiKey: string;
  /**
   * The operator's Ed25519 public key: 32 bytes, or 43 characters of base64url. Get it from the operator, not from the
   * service: an attacker who replaces it can forge every answer.
   */
  readonly operatorKey: Uint8Array | string;
  /**
   * The Ed25519 public key of the operator's separate evaluator: 32 bytes, or 43 characters of base64url. Get it from
   * the evaluator, which signs one manifest for each sequence. A manifest without its signature is then refused.
   * Default: the manifest decides.
   */
  readonly evaluatorKey?: Uint8Array | string | undefined;
  /**
   * The link of a manifest that is accepted although it does not continue the last accepted one, or has an early epoch:
   * 64 hex characters. Get it from the operator and another client, after a `fork` or `early-epoch`.
   */
  readonly acceptLink?: string | undefined;
  /**
   * Keeps all published rows, evaluations, and which manifest was accepted last, so that an older one is refused also
   * after a restart: that of `openClientFolder`. One folder per service. Default: the memory of this process.
   */
  readonly folder?: ClientFolder | undefined;
  /**
   * Refuse a snapshot of more rows, with `too-many-rows`, before any are downloaded: 1 to 4,294,967,295. A row has 21
   * bytes, and all are in memory. Default: 10,000,000.
   */
  readonly maxRows?: number | undefined;
  /**
   * Time limit in milliseconds for a request with its retries: 1 to 2,147,483,647. Default: 10,000. The download of
   * the rows has ten minutes.
   */
  readonly timeoutMs?: number | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Returns milliseconds, UTC. Default: the platform's clock. */
  readonly clock?: (() => number) | undefined;
  /** Returns fresh bytes. Default: the platform's cryptographic source. */
  readonly random?: Random | undefined;
}

/** 210 MB. */
const DEFAULT_MAX_ROWS = 10_000_000;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Returns what the parts of a client share: validated options with their defaults, and the requests. Throws TypeError
 * or RangeError. No message contains a key.
 */
export function readClientOptions({
  apiKey,
  folder = new ClientFolder(),
  acceptLink,
  maxRows = DEFAULT_MAX_ROWS,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  // Call fetch as a plain function: as a method of another object, a browser's fetch throws.
  fetch: send = (...request) => fetch(...request),
  clock = Date.now,
  random = createRandom(),
  ...others
}: SealedClientOptions) {
  const { baseUrl, operatorKey, evaluatorKey, ...unknown } = others;
  refuseUnknown(unknown, []);
  const base = serviceAddress('baseUrl', baseUrl);
  requireString('apiKey', apiKey);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('"apiKey" expected a key without spaces, got another text');
  if (!(folder instanceof ClientFolder)) throw new TypeError('"folder" expected that of openClientFolder()');
  if (acceptLink !== undefined && !/^[0-9a-f]{64}$/.test(acceptLink))
    throw optionError(TypeError, 'acceptLink', '64 lowercase hex characters');
  requireWhole('maxRows', maxRows, 1, 0xffff_ffff);
  requireWhole('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS);
  for (const [name, effect] of Object.entries({ fetch: send, clock, random })) requireFunction(name, effect);
  return {
    operatorKey: toPublicKey('operatorKey', operatorKey),
    evaluatorKey: evaluatorKey === undefined ? undefined : toPublicKey('evaluatorKey', evaluatorKey),
    addresses: sealedAddresses(base),
    requests: createRequests({ send, apiKey, timeoutMs, random }),
    acceptLink,
    folder,
    maxRows,
    clock,
    random,
  };
}

/** What the parts of a client share. */
export type ClientParts = ReturnType<typeof readClientOptions>;

/** Public keys of the operator and of the evaluator have the same length. */
function toPublicKey(name: string, given: unknown): Uint8Array {
  const bytes = given instanceof Uint8Array ? given : fromBase64Url(given);
  if (bytes?.length === OPERATOR_KEY_BYTES) return bytes.slice();
  throw optionError(TypeError, name, '43 characters of base64url, or their 32 bytes');
}
