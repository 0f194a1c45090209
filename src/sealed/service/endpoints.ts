import type { Outcome, Refusal } from '../../core/domain/refusal.ts';
import { toHex } from '../encoding.ts';
import { SealedError, STATUSES } from '../errors.ts';
import { scheduleOf } from '../keys.ts';
import { SealedEvaluatorError } from './ask-evaluator.ts';
import { replyWithFile, replyWithManifest, toPublishedFile } from './downloads.ts';
import { createEvaluate, type ElementIdentifier, type EvaluateParts } from './evaluate.ts';
import type { PublicationReader } from './publications.ts';
import { RefusedRequest, replyEmpty, replyWithJson, type SealedReply, type SealedRequest } from './replies.ts';
import { readEvaluate, readReport, type ReportBody } from './request-bodies.ts';

/** Who asks. */
export interface SealedCaller {
  /** The reporter's key, 16 lowercase hex characters. Other text is refused. */
  readonly apiKey: string;
  readonly client?: string | undefined;
}

/** A caller whose request was counted. */
export interface CountedSealedCaller {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Counts nothing for the request after all. Call it once at most. */
  giveBack(): void;
}

/** Elements that cost multiplications. */
export interface ComputedElements {
  /** Number of different elements, of a report with their kinds; at least 1. */
  readonly count: number;
  readonly compute: (counted: CountedSealedCaller) => Promise<readonly ElementIdentifier[]>;
}

/** The operations of the service that the look-up uses. An engine with a sealing key has them. */
export interface SealedOperations {
  /** Checks the key, and takes so many elements from the limits of its reporter. 0 cost one. */
  takeElements(
    request: SealedCaller & { readonly elements: number; readonly isDownload?: boolean },
  ): Promise<Outcome<CountedSealedCaller>>;
  /** Checks the key for an action, and counts the request. */
  checkKey(request: SealedCaller & { readonly action: 'report' }): Promise<Outcome<void>>;
  /** Checks the key, counts the report and `count` identifiers, and then calls `compute`. */
  reportComputed(
    request: SealedCaller &
      ComputedElements & { readonly type: string; readonly severity: number; readonly text: string },
  ): Promise<Outcome<{ readonly deletionCode: string }>>;
}

/** What {@link createSealedEndpoints} needs. */
export interface EndpointsParts extends EvaluateParts {
  readonly files: PublicationReader;
  readonly service: SealedOperations;
  /** Returns one English sentence about a refusal of the service, without a submitted value. */
  readonly formatRefusal: (refusal: Refusal) => string;
  /** Returns the headers that say when to try again. */
  readonly retryHeaders: (refusal: Refusal) => Readonly<Record<string, string>>;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  /** Called if the service, the disk or the evaluator fails; the reply is 503. */
  readonly onError: (error: unknown) => void;
}

/** Time after which a client may try again, unless the evaluator says another one. */
const RETRY_SECONDS = 5;
const KEY_REFUSALS: ReadonlySet<string> = new Set(['unknown-key', 'revoked-key', 'suspended-key', 'key-scope']);
/** Why the keys cannot evaluate. */
const KEY_GONE: ReadonlySet<string> = new Set(['unknown-epoch', 'epoch-destroyed']);
const FAILURES: ReadonlySet<string> = new Set(['overloaded', 'unavailable', 'internal']);
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match',
  'Access-Control-Max-Age': '86400',
} as const;

/**
 * Returns the sealed look-up over HTTP: a function from a plain request and its path below the service's base path to a
 * plain reply. Returns undefined for a path that does not begin with `/sealed/`. Never rejects: a failure is reported
 * to `onError`, and its reply is 503 `unavailable`.
 */
export function createSealedEndpoints(parts: EndpointsParts) {
  const { service, files, onError } = parts;
  const computations = createEvaluate(parts);

  const admit = async <T>(outcome: Promise<Outcome<T>>): Promise<T> => {
    const admitted = await outcome;
    if (admitted.ok) return admitted.value;
    throw refusedOf(parts, admitted.refusal);
  };

  /** Refuses a wrong key before any other mistake in the request. */
  const readAfterKey = async <T extends { readonly epoch: number }>(
    read: Promise<T>,
    check: () => Promise<Outcome<unknown>>,
  ): Promise<T> => {
    try {
      const body = await read;
      requireOpen(parts, body.epoch);
      return body;
    } catch (error) {
      await admit(check());
      throw error;
    }
  };

  // A report stores each kind of an element.
  const elementsOf = (body: ReportBody): ComputedElements => ({
    count: new Set(body.identifiers.map(({ kind, point }) => toHex(point) + kind)).size,
    compute: (counted) => orGiveBack(counted, computations.toElements(counted.reporterId, body)),
  });

  const post: Readonly<Record<string, (request: SealedRequest) => Promise<SealedReply>>> = {
    async '/sealed/evaluate'(request) {
      const caller = callerOf(request);
      const take = (elements: number) => service.takeElements({ ...caller, elements });
      const body = await readAfterKey(readEvaluate(request), () => take(0));
      const counted = await admit(take(body.blinded.length));
      return replyWithJson(
        await orGiveBack(counted, computations.evaluate(counted.reporterId, body.epoch, body.blinded)),
      );
    },
    async '/sealed/report'(request) {
      const caller = callerOf(request);
      const check = () => service.checkKey({ ...caller, action: 'report' });
      const body = await readAfterKey(readReport(request), check);
      const { type, severity, text } = body;
      const draft = { type, severity, text, ...elementsOf(body) };
      const { deletionCode } = await admit(service.reportComputed({ ...caller, ...draft }));
      return replyWithJson({ code: deletionCode });
    },
  };

  const answer = async (request: SealedRequest, path: string): Promise<SealedReply> => {
    const { method } = request;
    const posted = Object.hasOwn(post, path) ? post[path] : undefined;
    const file = toPublishedFile(path);
    const isManifest = path === '/sealed/manifest';
    if (!posted && !file && !isManifest)
      throw new RefusedRequest('not-found', 'the sealed look-up has no such address');
    if (method === 'OPTIONS') return replyEmpty(204, PREFLIGHT);
    const allow = posted ? 'POST' : 'GET, HEAD';
    if (!allow.split(', ').includes(method))
      throw new RefusedRequest('invalid-request', `the address expected ${allow}`, {
        status: 405,
        headers: { Allow: allow },
      });
    if (posted) return posted(request);
    if (isManifest) return replyWithManifest(request, files);
    return replyWithFile(request, file!, files, async (elements) => {
      await admit(service.takeElements({ ...callerOf(request), elements, isDownload: true }));
      requireNotEnded(parts, file!.epoch);
    });
  };

  return (request: SealedRequest, path: string): Promise<SealedReply> | undefined => {
    if (!path.startsWith('/sealed/')) return undefined;
    return answer(request, path).catch((error: unknown) => {
      if (error instanceof RefusedRequest) return error.reply;
      // The key was destroyed while the request waited.
      if (error instanceof SealedError && KEY_GONE.has(error.code)) return epochEnded().reply;
      onError(error);
      const seconds = (error instanceof SealedEvaluatorError && error.retryAfterSeconds) || RETRY_SECONDS;
      const headers = { 'Retry-After': `${seconds}` };
      return new RefusedRequest('unavailable', 'the service cannot answer now', { headers }).reply;
    });
  };
}

function callerOf(request: SealedRequest): SealedCaller {
  const apiKey = /^Bearer +([0-9a-f]{16})$/i.exec(request.header('authorization')?.trim() ?? '')?.[1] ?? '';
  return { apiKey: apiKey.toLowerCase(), client: request.client };
}

/** Counts nothing if the service fails. Invalid elements count: they cost computing time. */
async function orGiveBack<T>(counted: CountedSealedCaller, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RefusedRequest && error.reply.status === STATUSES['invalid-element'])) counted.giveBack();
    throw error;
  }
}

/** Throws {@link RefusedRequest} unless evaluations under the key of an epoch are answered now. */
function requireOpen(parts: EndpointsParts, epoch: number): void {
  const { open, current } = scheduleOf(parts.keys().epochs, parts.clock());
  if (open.some(({ number }) => number === epoch)) return;
  requireNotEnded(parts, epoch);
  throw new RefusedRequest('unknown-epoch', 'no such epoch is open; fetch the manifest again', {
    ...(current && { epoch: current.number }),
  });
}

/** Throws {@link RefusedRequest} with `epoch-ended` for an epoch that has ended, or whose key was destroyed. */
function requireNotEnded({ keys, clock }: EndpointsParts, epoch: number): void {
  const { ended, destroyed } = scheduleOf(keys().epochs, clock());
  if ([...ended, ...destroyed].some(({ number }) => number === epoch)) throw epochEnded();
}

function epochEnded(): RefusedRequest {
  return new RefusedRequest('epoch-ended', 'the epoch has ended; fetch the manifest again, and evaluate under its key');
}

/** Returns what a client gets for a refusal of the service. */
function refusedOf({ formatRefusal, retryHeaders }: EndpointsParts, refusal: Refusal): RefusedRequest {
  const { reason } = refusal;
  const headers = retryHeaders(refusal);
  const message = formatRefusal(refusal);
  if (KEY_REFUSALS.has(reason)) return new RefusedRequest('unauthorised', message, { headers });
  if (reason === 'limited') return new RefusedRequest('rate-limited', message, { headers });
  if (reason === 'too-many-identifiers') return new RefusedRequest('too-many', message);
  return new RefusedRequest(FAILURES.has(reason) ? 'unavailable' : 'invalid-request', message, { headers });
}
