import { RedflagError } from '../core/domain/redflag-error.ts';

/** What {@link SealedError} can say. */
export type SealedCode =
  | SealedServiceCode
  /** Not 32 bytes, zero, or not below the group's order. */
  | 'invalid-scalar'
  /** Not 64 bytes, not two valid scalars, or not a proof of these elements under this public key. */
  | 'invalid-proof'
  /** The same for the first step of an evaluation, under the public key of a separate evaluator. */
  | 'invalid-evaluator-proof'
  /** Empty, more than 32 elements, or two lists of different lengths. */
  | 'invalid-batch'
  /** More than 65,535 bytes (RFC 9497, section 1.2), or a hash that is not 40 lowercase hex characters. */
  | 'invalid-input'
  /** The bytes are not a manifest of this version. Also for a file of keys. */
  | 'malformed'
  /** The signature is not of these bytes under the expected operator key. */
  | 'bad-signature'
  /**
   * The manifest names another evaluator than the expected one, or the evaluator that it names has not signed it. So
   * the operator may show other clients another manifest.
   */
  | 'bad-evaluator-signature'
  /** `expiresAt` or the end of the epoch has come: a freeze. */
  | 'expired'
  /** The manifest is older than one that was accepted. */
  | 'rollback'
  /**
   * The manifest does not continue the last accepted one. Another client may be shown another history, or the service
   * was restored from a backup, or has published more manifests since than a history lists.
   */
  | 'fork'
  /** The epoch began less than 20 days after the one before. */
  | 'early-epoch'
  /** `issuedAt` is more than five minutes ahead of the local clock. */
  | 'issued-in-future'
  /** The snapshot has more rows than the client takes. */
  | 'too-many-rows'
  /** The key of this epoch was destroyed. */
  | 'epoch-destroyed'
  /** The snapshot has another checksum than the manifest states, or no rows with ascending tags. */
  | 'wrong-snapshot'
  /** This version of the client does not have the model, or the model does not accept its constants. */
  | 'unknown-model'
  /** The state of a client's folder is damaged, or has another key or version. It was not changed. */
  | 'unreadable-state'
  /** The folder belongs to another operator. It was not changed. */
  | 'other-folder'
  /** The evaluator has signed a history that this one does not continue. Only an operator gets this code. */
  | 'other-history';

/** What else a {@link SealedError} says. */
export interface SealedErrorDetails extends ErrorOptions {
  /** The option of the client that the error is about. */
  readonly option?: string | undefined;
  /** The status of the reply, 100 to 599. */
  readonly status?: number | undefined;
  /** When the service may be asked again, if it said so. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * An error of the sealed look-up: use nothing of what was refused. `code` says which check failed. The message contains
 * no key, element, hash, row or text of the service. A report may have taken effect after `unavailable`,
 * `no-connection`, `timeout` or `unexpected-reply`.
 */
export class SealedError extends RedflagError {
  /** @internal */
  static override readonly kind: string = 'SealedError';

  /** Name of the failed check, e.g. `invalid-element`. */
  readonly code: SealedCode;
  /** The message without the name of the option. */
  readonly problem: string;
  /** Name of the option of `createSealedClient` that the error is about. */
  readonly option: string | undefined;
  /** HTTP status of the reply that refuses; 0 without one. */
  readonly status: number;
  /** Seconds to wait before the next request, if the service sent them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SealedCode, problem: string, details: SealedErrorDetails = {}) {
    const { option, status = 0, retryAfterSeconds, ...options } = details;
    super(option === undefined ? problem : `${problem}; see ${option}`, options);
    this.code = code;
    this.problem = problem;
    this.option = option;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Why the service refused a request, or did not answer. */
export type SealedServiceCode =
  /** 400, or not 32 bytes, not a canonical encoding of RFC 9496, or the identity. */
  | 'invalid-element'
  /** 400: the service refuses another part of the request. */
  | 'invalid-request'
  /** 401 or 403: the API key is not accepted. */
  | 'unauthorised'
  /** 404: the service has no sealed look-up at this address, or no longer keeps a file. */
  | 'not-found'
  /** 409: the service has another epoch. The client fetches the manifest again and retries once. */
  | 'unknown-epoch'
  /** 410: the epoch has ended. The client fetches the manifest again and retries once. */
  | 'epoch-ended'
  /** 413: too many elements, or a request that is too long. */
  | 'too-many'
  /** 429: a limit or daily budget is used up. See `retryAfterSeconds`. */
  | 'rate-limited'
  /** 5xx. */
  | 'unavailable'
  /** No connection. The cause is the platform's error. */
  | 'no-connection'
  /** No complete reply within `timeoutMs`. */
  | 'timeout'
  /** A reply that does not follow the protocol. */
  | 'unexpected-reply';

/** All values of `error` in a reply, with their status. */
export const STATUSES = {
  'invalid-request': 400,
  'invalid-element': 400,
  unauthorised: 401,
  'not-found': 404,
  'unknown-epoch': 409,
  'epoch-ended': 410,
  'too-many': 413,
  'rate-limited': 429,
  unavailable: 503,
} as const;
/** Why a service refuses a request. */
export type SealedRefusal = keyof typeof STATUSES;

const SERVICE: Readonly<Record<SealedServiceCode, readonly [problem: string, option?: string]>> = {
  'invalid-element': ['the service refused an element'],
  'invalid-request': ['the service refused the request; check type, severity, text and kinds'],
  unauthorised: ['the service refused the API key, or its scope', 'apiKey'],
  'not-found': ['the service has no such file, or its sealed look-up is switched off', 'baseUrl'],
  'unknown-epoch': ['the service has another epoch; refresh'],
  'epoch-ended': ['the epoch has ended; refresh'],
  'too-many': ['the service accepts fewer elements per request'],
  'rate-limited': ['a limit of the service is used up; wait before the next request'],
  unavailable: ['the service is not available; try again later'],
  'no-connection': ['no connection to the service', 'baseUrl'],
  timeout: ['the service sent no complete reply in time', 'timeoutMs'],
  'unexpected-reply': ['the reply of the service does not follow the protocol', 'baseUrl'],
};

/** Returns the error of a request that was refused with this status, or not answered (0). */
export function serviceError(code: SealedServiceCode, status: number, details?: SealedErrorDetails): SealedError {
  const [problem, option] = SERVICE[code];
  return new SealedError(code, status === 0 ? problem : `${problem} (status ${status})`, {
    ...details,
    option,
    status,
  });
}
