import { SealedError } from '../errors.ts';

/** What {@link SealedServiceError} can say. */
export type SealedServiceCode =
  /** 400: the service refuses an element. */
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

/**
 * The service, or the evaluator, refused a request or did not answer. The message contains no text of the service. A
 * report may have taken effect after `unavailable`, `no-connection`, `timeout` or `unexpected-reply`.
 */
export class SealedServiceError extends SealedError<SealedServiceCode> {
  /** @internal */
  static override readonly kind = 'SealedServiceError';

  /** HTTP status; 0 without a reply. */
  readonly status: number;
  /** Seconds to wait before the next request, if the service sent them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SealedServiceCode, status: number, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(code, `${MESSAGES[code]}${status === 0 ? '' : ` (status ${status})`}`, options);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const MESSAGES: Readonly<Record<SealedServiceCode, string>> = {
  'invalid-element': 'the service refused an element',
  'invalid-request': 'the service refused the request; check type, severity, text and kinds',
  unauthorised: 'the service refused the API key; check apiKey',
  'not-found': 'the service has no such file; check baseUrl, and whether its sealed look-up is switched on',
  'unknown-epoch': 'the service has another epoch; call refresh()',
  'epoch-ended': 'the epoch has ended; call refresh()',
  'too-many': 'the service accepts fewer elements per request',
  'rate-limited': 'a limit of the service is used up; wait before the next request',
  unavailable: 'the service is not available; try again later',
  'no-connection': 'no connection to the service; check baseUrl',
  timeout: 'the service sent no complete reply in time; try again, or raise timeoutMs',
  'unexpected-reply': 'the reply of the service does not follow the protocol; check baseUrl',
};

/** What {@link SealedModelError} can say. */
export type SealedModelCode =
  /** This version of the client does not have the model. Update the client, or pass `model`. */
  | 'unknown-model'
  /** The model does not accept the constants. */
  | 'invalid-constants';

/** The manifest names a model or constants with which this client cannot compute scores. */
export class SealedModelError extends SealedError<SealedModelCode> {
  /** @internal */
  static override readonly kind = 'SealedModelError';
}

/** What {@link SealedStoreError} can say. */
export type SealedStoreCode =
  /** The state is damaged, or has another key or version. It was not changed. */
  | 'unreadable-state'
  /** The folder belongs to another operator. It was not changed. */
  | 'wrong-operator-key';

/** The folder of a client cannot be used. */
export class SealedStoreError extends SealedError<SealedStoreCode> {
  /** @internal */
  static override readonly kind = 'SealedStoreError';
}
